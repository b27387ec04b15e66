/// A bar of two slabs whose modes have only the cut between them: the slabs' own modes cut where these modes have no
/// cut.
#include "brisance/breaking/own_modes.hpp"
#include "brisance/core/error.hpp"

#include "support/slab_bar.hpp"

#include <cstring>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

/// 4×1×1 m.
Breakable bar_of_halves() {
  test::SlabBar bar = test::slab_bar(2, 2, 4);
  Breakable object;
  object.set = modes::impact_set(bar.mesh, bar.graph, bar.modes, bar.atoms, {});
  for (const modes::Face& face : bar.graph.faces) object.face_weight.push_back(face.area);
  object.mesh = std::move(bar.mesh);
  object.atoms = std::move(bar.atoms);
  return object;
}

TEST(OwnModes, CutEachHalfWhereTheBarHadNoCrack) {
  const Breakable bar = bar_of_halves();
  const OwnModes own = own_modes(bar, {}, {.count = 6});
  EXPECT_EQ(own.num_divided, 2);
  ASSERT_EQ(own.of_piece.size(), 2u);
  ASSERT_GE(own.atoms.num_pieces(), 4);
  std::map<std::int32_t, std::set<std::int32_t>> parents;
  for (std::size_t t = 0; t < bar.mesh.tets.size(); ++t) parents[own.atoms.of_cell[t]].insert(bar.atoms.of_cell[t]);
  for (const auto& [atom, of] : parents) EXPECT_EQ(of.size(), 1u) << "no atom crosses the bar's own crack";
  // The first mode of a 2×1×1 block is a cut across its length: the cheapest halves.
  for (const auto& set : own.of_piece) {
    ASSERT_FALSE(set.atoms.empty());
    for (const auto& face : set.faces)
      EXPECT_GT(std::abs(set.atoms[face.a].centre[0] - set.atoms[face.b].centre[0]), 0.4);
  }
}

TEST(OwnModes, VolumesAddUpAndLabelsFollowThePieces) {
  const Breakable bar = bar_of_halves();
  const OwnModes own = own_modes(bar, {}, {.count = 9});
  EXPECT_NEAR(std::accumulate(own.atoms.volume.begin(), own.atoms.volume.end(), 0.0), 4, 1e-12);
  const modes::CellGraph graph = modes::cell_graph(bar.mesh);
  std::vector<double> volume(own.atoms.volume.size(), 0);
  for (std::size_t t = 0; t < bar.mesh.tets.size(); ++t) volume[own.atoms.of_cell[t]] += graph.volume[t];
  std::int32_t atom = 0;
  for (std::size_t p = 0; p < own.of_piece.size(); ++p)
    for (const auto& shape : own.of_piece[p].atoms) {
      EXPECT_NEAR(volume[atom], own.atoms.volume[atom], 1e-12);
      EXPECT_NEAR(shape.volume, own.atoms.volume[atom], 1e-12) << "atom " << atom << ", of piece " << p;
      ++atom;
    }
  EXPECT_EQ(atom, own.atoms.num_pieces());
}

TEST(OwnModes, NoPieceIsSmallerThanAskedOfTheWholeObject) {
  const Breakable bar = bar_of_halves();
  BreakableParameters breakable;
  for (const double smallest : {0.05, 0.2}) {
    breakable.smallest_piece = smallest;
    for (const double volume : own_modes(bar, breakable, {.count = 30}).atoms.volume) EXPECT_GE(volume, 4 * smallest);
  }
  breakable.smallest_piece = 0.3;  // no half can be divided
  EXPECT_EQ(own_modes(bar, breakable, {.count = 30}).num_divided, 0);
}

TEST(OwnModes, NoneWithoutACountOrForSmallPieces) {
  const Breakable bar = bar_of_halves();
  for (const OwnModesParameters& none :
       {OwnModesParameters{}, OwnModesParameters{.count = 3}, OwnModesParameters{.count = 9, .smallest_body = 0.6}}) {
    const OwnModes own = own_modes(bar, {}, none);
    EXPECT_EQ(own.num_divided, 0);
    EXPECT_EQ(own.atoms.of_cell, bar.atoms.of_cell);
  }
  EXPECT_THROW(own_modes(bar, {}, {.smallest_body = 1.5}), core::Error);
}

TEST(OwnModes, WhatMustNotBreakStaysWholeAndWeakFacesGoFirst) {
  Breakable bar = bar_of_halves();
  bar.no_break.assign(bar.mesh.tets.size(), 0);
  for (std::size_t t = 0; t < bar.mesh.tets.size(); ++t) bar.no_break[t] = bar.atoms.of_cell[t] == 0;
  const OwnModes own = own_modes(bar, {}, {.count = 9});
  EXPECT_TRUE(own.of_piece[0].atoms.empty());
  EXPECT_FALSE(own.of_piece[1].atoms.empty());
  // Weak at x = 0.5 and 2.5, a quarter into each half.
  bar.no_break.clear();
  const modes::CellGraph graph = modes::cell_graph(bar.mesh);
  const auto layer = [&](std::int32_t tet) {
    double x = 0;
    for (const std::int32_t n : bar.mesh.tets[tet]) x += bar.mesh.nodes[n].x() / 4;
    return static_cast<int>(2 * x);
  };
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const int low = std::min(layer(graph.faces[f].a), layer(graph.faces[f].b));
    const int high = std::max(layer(graph.faces[f].a), layer(graph.faces[f].b));
    if (low != high && (high == 1 || high == 5)) bar.face_weight[f] *= 0.01;
  }
  const OwnModes weak = own_modes(bar, {}, {.count = 6});
  for (const auto& set : weak.of_piece) {
    ASSERT_FALSE(set.atoms.empty());
    ASSERT_EQ(set.num_atoms(), 2);
    EXPECT_NEAR(set.atoms[0].volume, 0.5, 1e-12);
  }
}

TEST(OwnModes, TheSameTwice) {
  const Breakable bar = bar_of_halves();
  const OwnModes a = own_modes(bar, {}, {.count = 12}), b = own_modes(bar, {}, {.count = 12});
  EXPECT_EQ(a.atoms.of_cell, b.atoms.of_cell);
  EXPECT_EQ(a.of_piece[1].mode_value, b.of_piece[1].mode_value);
  EXPECT_EQ(a.of_piece[1].elastic->share, b.of_piece[1].elastic->share);
}

}  // namespace
}  // namespace brisance::breaking
