/// Precomputed data for impacts, against closed forms and dense linear algebra on small boxes.
#include "brisance/core/error.hpp"
#include "brisance/modes/pieces/impact.hpp"
#include "brisance/runtime/impact_answer.hpp"

#include "support/slab_bar.hpp"

#include <cmath>
#include <numbers>
#include <set>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

using test::slab_bar;
using test::SlabBar;

runtime::Impact blow(const Vec3& point, double threshold) {
  runtime::Impact impact;
  impact.point = {point.x(), point.y(), point.z()};
  impact.threshold = threshold;
  return impact;
}

TEST(ImpactAtoms, SlabsHaveTheMassPropertiesOfBoxes) {
  const SlabBar bar = slab_bar(4, 1);
  const auto shapes = atom_shapes(simplices(bar.mesh), bar.atoms);
  ASSERT_EQ(shapes.size(), 4u);
  std::set<double> centres;
  for (const auto& s : shapes) {  // unit cubes: I = 1/6
    EXPECT_NEAR(s.volume, 1, 1e-13);
    EXPECT_NEAR(s.centre[1], 0.5, 1e-13);
    centres.insert(std::round(s.centre[0] * 1e9) / 1e9);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(s.inertia[k], k < 3 ? 1.0 / 6 : 0, 1e-13);
  }
  EXPECT_THAT(centres, testing::ElementsAre(0.5, 1.5, 2.5, 3.5));
}

TEST(ImpactAtoms, NeighbouringSlabsShareTheirCrossSection) {
  const SlabBar bar = slab_bar(4, 1);
  const auto faces = atom_faces(bar.graph, bar.atoms);
  ASSERT_EQ(faces.size(), 3u);
  for (const auto& f : faces) EXPECT_NEAR(f.area, 1, 1e-13);
}

TEST(ImpactAtoms, ModesThatAreConstantOnAtomsComeThroughUnchanged) {
  const SlabBar bar = slab_bar(6, 5);
  runtime::ImpactSet set;
  restrict_modes(bar.graph, bar.modes, bar.atoms, set);
  ASSERT_EQ(set.num_modes(), 5);
  for (int i = 0; i < 5; ++i)
    for (std::size_t c = 0; c < bar.mesh.tets.size(); ++c)
      EXPECT_NEAR(set.mode_value[i * 6 + bar.atoms.of_cell[c]], bar.modes.modes[i].value[c], 1e-12);
}

TEST(ImpactAtoms, AModeOfOneJoinedSliverIsDropped) {
  SlabBar bar = slab_bar(2, 1);
  Mode sliver;  // ± around one tet, which the atoms do not resolve
  sliver.value.assign(bar.mesh.tets.size(), 0);
  sliver.value[5] = 1 / std::sqrt(bar.graph.volume[5]);
  bar.modes.modes.push_back(sliver);
  bar.modes.modes.push_back(slab_bar(2, 2).modes.modes[1]);
  runtime::ImpactSet set;
  restrict_modes(bar.graph, bar.modes, bar.atoms, set);
  EXPECT_THAT(set.mode_energy, testing::ElementsAre(0, 1));
}

TEST(Smear, StrikableNodesAreTheOutsideAndTheInterfaces) {
  const SlabBar bar = slab_bar(3, 1, 2);
  const auto nodes = strikable_nodes(bar.mesh, bar.atoms);
  const std::set<std::int32_t> found(nodes.begin(), nodes.end());
  for (std::size_t n = 0; n < bar.mesh.nodes.size(); ++n) {
    const Vec3& x = bar.mesh.nodes[n];
    const auto end = [](double t, double l) { return t < 1e-9 || t > l - 1e-9; };
    const bool outside = end(x.x(), 4) || end(x.y(), 1) || end(x.z(), 1);
    const double slabs = x.x() / 4 * 3;
    const bool between = std::abs(slabs - std::round(slabs)) < 1e-9;
    EXPECT_EQ(found.contains(static_cast<std::int32_t>(n)), outside || between) << x.transpose();
  }
}

TEST(Smear, BothShareOutTheWholeBlow) {
  const SlabBar bar = slab_bar(5, 1);
  const auto nodes = strikable_nodes(bar.mesh, bar.atoms);
  for (const auto& table : {elastic_smear(simplices(bar.mesh), bar.atoms, nodes, 0.3),
                            gaussian_smear(simplices(bar.mesh), bar.atoms, nodes, 0.3)})
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      double sum = 0;
      for (int a = 0; a < 5; ++a) sum += table.share[v * 5 + a];
      EXPECT_NEAR(sum, 1, 1e-6);
    }
}

// Equation (22) as printed (with M + ℓ²L for positive semi-definite L), by a dense inverse of matrices made here.
TEST(Smear, ElasticSharesGiveThePapersRowsOfA) {
  const SlabBar bar = slab_bar(4, 4, 1);
  const double length = 0.4;
  const auto num_nodes = static_cast<Eigen::Index>(bar.mesh.nodes.size());
  Eigen::MatrixXd wave = Eigen::MatrixXd::Zero(num_nodes, num_nodes);
  Eigen::MatrixXd average = Eigen::MatrixXd::Zero(num_nodes, 4);  // Σ over cells of vol·u/4 at their corners
  for (std::size_t c = 0; c < bar.mesh.tets.size(); ++c) {
    const auto& t = bar.mesh.tets[c];
    // Gradients from the affine functions that are 1 at one corner and 0 at the others.
    Eigen::Matrix4d corners;
    for (int k = 0; k < 4; ++k) corners.row(k) << 1, bar.mesh.nodes[t[k]].transpose();
    const Eigen::Matrix4d basis = corners.inverse();
    const double v = bar.graph.volume[c];
    for (int i = 0; i < 4; ++i) {
      wave(t[i], t[i]) += v / 4;
      for (int m = 0; m < 4; ++m) average(t[i], m) += v / 4 * bar.modes.modes[m].value[c];
      for (int j = 0; j < 4; ++j)
        wave(t[i], t[j]) += length * length * v * basis.col(i).tail<3>().dot(basis.col(j).tail<3>());
    }
  }
  const Eigen::MatrixXd rows = wave.inverse() * average;  // Aᵢ at every node

  const auto nodes = strikable_nodes(bar.mesh, bar.atoms);
  const auto table = elastic_smear(simplices(bar.mesh), bar.atoms, nodes, length);
  runtime::ImpactSet set;
  restrict_modes(bar.graph, bar.modes, bar.atoms, set);
  for (std::size_t v = 0; v < nodes.size(); ++v)
    for (int i = 0; i < 4; ++i) {
      double a = 0;
      for (int atom = 0; atom < 4; ++atom) a += set.mode_value[i * 4 + atom] * table.share[v * 4 + atom];
      EXPECT_NEAR(a, rows(nodes[v], i), 1e-6);
    }
}

// In a long bar struck all over its end the step has a closed form, cosh((L−x)/ℓ); far from the end a blow at one node
// of the end gives the same.
TEST(Smear, ElasticBlowDecaysAlongABarAsTheClosedFormSays) {
  const SlabBar bar = slab_bar(8, 1, 6);
  const double length = 0.5;
  const std::vector<std::int32_t> end{0};
  const auto table = elastic_smear(simplices(bar.mesh), bar.atoms, end, length);
  std::vector<std::pair<double, double>> by_place;
  const auto shapes = atom_shapes(simplices(bar.mesh), bar.atoms);
  for (int a = 0; a < 8; ++a) by_place.emplace_back(shapes[a].centre[0], table.share[a]);
  std::sort(by_place.begin(), by_place.end());
  const auto integral = [&](int k) {  // of cosh over slab k
    return std::sinh((4 - 0.5 * k) / length) - std::sinh((4 - 0.5 * (k + 1)) / length);
  };
  for (int k = 2; k + 1 < 8; ++k)
    EXPECT_NEAR(by_place[k].second / by_place[k + 1].second / (integral(k) / integral(k + 1)), 1, 0.02) << k;
}

TEST(Smear, AGaussianNarrowerThanASlabStaysInIt) {
  const SlabBar bar = slab_bar(4, 1, 4);
  const auto nodes = strikable_nodes(bar.mesh, bar.atoms);
  const auto table = gaussian_smear(simplices(bar.mesh), bar.atoms, nodes, 0.1);
  const auto shapes = atom_shapes(simplices(bar.mesh), bar.atoms);
  int tried = 0;
  for (std::size_t v = 0; v < nodes.size(); ++v)
    for (int a = 0; a < 4; ++a)
      if (std::abs(bar.mesh.nodes[nodes[v]].x() - shapes[a].centre[0]) < 1e-9) {
        EXPECT_GT(table.share[v * 4 + a], 0.9999);
        ++tried;
      }
  EXPECT_GT(tried, 0);
}

// Two prongs of a fork: close in space, far through the material. Only the elastic smear distinguishes them.
TEST(Smear, ElasticBlowGoesAroundASlot) {
  const mesh::TetMesh block = test::kuhn_box(12, 12, 2, 1, 1, 1.0 / 6);
  mesh::TetMesh fork;
  fork.nodes = block.nodes;
  for (const auto& tet : block.tets) {  // x > ⅙ and 5/12 < y < 7/12 is the slot
    Vec3 centre = Vec3::Zero();
    for (const std::int32_t n : tet) centre += block.nodes[n] / 4;
    if (centre.x() > 1.0 / 6 && std::abs(centre.y() - 0.5) < 1.0 / 12) continue;
    fork.tets.push_back(tet);
    fork.face_source.push_back({0, 0, 0, 0});
  }
  const CellGraph graph = cell_graph(fork);
  std::vector<std::int32_t> half;
  for (const auto& tet : fork.tets) {
    double y = 0;
    for (const std::int32_t n : tet) y += fork.nodes[n].y() / 4;
    half.push_back(y < 0.5 ? 0 : 1);
  }
  const PieceLabels atoms = split_into_parts(graph, half);
  ASSERT_EQ(atoms.num_pieces(), 2);
  std::int32_t tip = 0;  // of the lower prong, beside the slot
  for (std::size_t n = 0; n < fork.nodes.size(); ++n)
    if ((fork.nodes[n] - Vec3(1, 5.0 / 12, 1.0 / 6)).norm() < 1e-9) tip = static_cast<std::int32_t>(n);
  ASSERT_GT(tip, 0);
  const std::vector<std::int32_t> struck{tip};
  const int upper = 1 - atoms.of_cell[0];
  EXPECT_LT(elastic_smear(simplices(fork), atoms, struck, 0.15).share[upper], 0.01);
  EXPECT_GT(gaussian_smear(simplices(fork), atoms, struck, 0.15).share[upper], 0.1);
}

TEST(ImpactSet, DifferentImpactsBreakDifferently) {
  const SlabBar bar = slab_bar(8, 6);
  SmearParameters both;
  both.gaussian = true;
  const runtime::Target target(impact_set(bar.mesh, bar.graph, bar.modes, bar.atoms, both));
  for (const auto smear : {runtime::Smear::elastic, runtime::Smear::gaussian}) {
    runtime::Impact left = blow({0, 0.5, 1}, 1.5), right = blow({4, 0.5, 1}, 1.5);
    left.smear = right.smear = smear;
    const auto a = target.strike(left), b = target.strike(right);
    EXPECT_GT(a.num_pieces, 1);
    EXPECT_LT(a.num_pieces, 8);
    EXPECT_NE(a.piece_of_atom, b.piece_of_atom);
  }
}

TEST(ImpactSet, TheSameObjectLargerBreaksTheSame) {
  const SlabBar small = slab_bar(8, 6), large = slab_bar(8, 6, 2, 250);
  const runtime::Target a(impact_set(small.mesh, small.graph, small.modes, small.atoms, {}));
  const runtime::Target b(impact_set(large.mesh, large.graph, large.modes, large.atoms, {}));
  std::set<std::int32_t> counts;
  for (const double x : {0.1, 1.3, 2.0, 3.9}) {
    const auto here = a.strike(blow({x, 0.5, 1}, 1)), there = b.strike(blow({250 * x, 125, 250}, 1));
    EXPECT_EQ(here.piece_of_atom, there.piece_of_atom);
    counts.insert(here.num_pieces);
  }
  EXPECT_GT(*counts.rbegin(), 1);
}

TEST(ImpactSet, WhatDoesNotBelongTogetherIsRefused) {
  SlabBar bar = slab_bar(4, 2);
  SmearParameters flat;
  flat.relative_length = 0;
  EXPECT_THROW((void)impact_set(bar.mesh, bar.graph, bar.modes, bar.atoms, flat), core::Error);
  bar.modes.modes[1].value.pop_back();
  EXPECT_THROW((void)impact_set(bar.mesh, bar.graph, bar.modes, bar.atoms, {}), core::Error);
}

}  // namespace
}  // namespace brisance::modes
