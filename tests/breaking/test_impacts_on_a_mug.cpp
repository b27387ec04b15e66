/// Statements of [S22] figures 10, 13 and 20 on a shape with a handle and a thin wall: random blows on a mug.
#include "brisance/breaking/breakable.hpp"
#include "brisance/core/error.hpp"
#include "brisance/io/pieces_file.hpp"
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"
#include "brisance/modes/search/find_modes.hpp"
#include "brisance/runtime/projection.hpp"

#include "runtime/refines.hpp"
#include "support/solids.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

Breakable make_mug() {
  mesh::Request request;
  request.shape = mesh::ShapeKind::mug;
  request.target_tets = 3000;
  request.radius_m = 0.042, request.thickness_m = 0.008, request.length_m = 0.1, request.tube_radius_m = 0.008;
  mesh::MeshReport report;
  Breakable mug;
  mug.mesh = mesh::generate(request, report);
  modes::Body body;
  body.mesh = modes::simplices(mug.mesh);
  body.graph = modes::cell_graph(body.mesh);
  body.face_weight = modes::face_weights(body.graph, modes::Weighting::area);
  modes::FindModesSettings settings;
  settings.count = 8;
  modes::ModeSet set;
  modes::find_modes(body, settings, set, [](const modes::ModeSet&, double) { return true; });
  mug.atoms = modes::join_slivers(body.graph, modes::intersect_modes(body.graph, set), 0.002, body.face_weight);
  mug.set = modes::impact_set(mug.mesh, body.graph, set, mug.atoms, {});
  mug.face_weight = std::move(body.face_weight);
  return mug;
}

const Breakable& mug() {
  static const Breakable made = make_mug();
  return made;
}
const runtime::Target& target() {
  static const runtime::Target made(mug().set);
  return made;
}

/// Blows from all sides at random strikable vertices.
class Blows {
public:
  runtime::Impact next() {
    std::uniform_int_distribution<std::size_t> vertex(0, target().set().vertices.size() - 1);
    std::normal_distribution<double> component;
    runtime::Impact impact;
    impact.point = target().set().vertices[vertex(random_)];
    for (double& d : impact.direction) d = component(random_);
    return impact;
  }

private:
  std::mt19937 random_{2022};
};

/// Mean distance of the opened faces from the blow, by area [m]; 0 if none is.
double reach_of(const runtime::Answer& answer) {
  const runtime::ImpactSet& set = target().set();
  const Vec3 struck(set.vertices[answer.vertex].data());
  double moment = 0, area = 0;
  for (const runtime::AtomFace& f : set.faces) {
    if (answer.piece_of_atom[f.a] == answer.piece_of_atom[f.b]) continue;
    const Vec3 middle = (Vec3(set.atoms[f.a].centre.data()) + Vec3(set.atoms[f.b].centre.data())) / 2;
    moment += f.area * (middle - struck).norm();
    area += f.area;
  }
  return area > 0 ? moment / area : 0;
}

TEST(ImpactsOnAMug, PiecesAreMonotoneInSigmaAndNested) {
  ASSERT_GT(mug().atoms.num_pieces(), 20);
  Blows blows;
  int broken = 0;
  for (int trial = 0; trial < 300; ++trial) {
    runtime::Impact impact = blows.next();
    impact.method = trial % 2 == 0 ? runtime::Method::modes : runtime::Method::least_squares;
    runtime::Answer coarse;
    for (const double sigma : {8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 0.001, 0.0}) {
      impact.threshold = sigma;
      const runtime::Answer fine = target().strike(impact);
      if (!coarse.piece_of_atom.empty()) {
        EXPECT_GE(fine.num_pieces, coarse.num_pieces);
        EXPECT_TRUE(test::refines(fine, coarse)) << "trial " << trial << ", sigma " << sigma;
      }
      if (sigma == 0.5) broken += fine.num_pieces > 1;
      coarse = fine;
    }
    EXPECT_EQ(coarse.num_pieces, mug().atoms.num_pieces()) << "at sigma = 0 everything is open";
  }
  EXPECT_GT(broken, 200);
}

TEST(ImpactsOnAMug, ProjectionIsIdempotent) {
  const runtime::ImpactSet& set = target().set();
  const runtime::AtomModes modes{set.components, set.mode_value};
  std::vector<double> volume;
  for (const auto& atom : set.atoms) volume.push_back(atom.volume);
  Blows blows;
  for (int trial = 0; trial < 100; ++trial) {
    const runtime::Impact impact = blows.next();
    const runtime::Answer answer = target().strike(impact);
    std::vector<double> along;  // the blow's own direction: w = a·n
    const Vec3 n = Vec3(impact.direction.data()).normalized();
    for (std::int32_t a = 0; a < set.num_atoms(); ++a) along.push_back(n.dot(Vec3(&answer.displacement[3 * a])));
    const std::vector<double> again = runtime::project(modes, volume, along);
    for (std::size_t a = 0; a < again.size(); ++a) EXPECT_NEAR(again[a], along[a], 1e-12);
  }
}

TEST(ImpactsOnAMug, DifferentBlowsGiveDifferentPatterns) {
  Blows blows;
  std::set<std::vector<std::int32_t>> patterns;
  for (int trial = 0; trial < 60; ++trial) {
    runtime::Impact impact = blows.next();
    impact.threshold = 0.5;
    const runtime::Answer answer = target().strike(impact);
    EXPECT_EQ(answer.piece_of_atom, target().strike(impact).piece_of_atom) << "the same blow, the same pieces";
    patterns.insert(answer.piece_of_atom);
  }
  EXPECT_GT(patterns.size(), 30u);
}

TEST(ImpactsOnAMug, LeastSquaresBreakNearTheBlowAndModesFarAwayToo) {
  Blows blows;
  double reach_modes = 0, reach_least_squares = 0;
  int both = 0;
  for (int trial = 0; trial < 200; ++trial) {
    runtime::Impact impact = blows.next();
    impact.threshold = 0.5;
    const runtime::Answer modes = target().strike(impact);
    impact.method = runtime::Method::least_squares;
    const runtime::Answer means = target().strike(impact);
    if (modes.num_pieces == 1 || means.num_pieces == 1) continue;
    ++both;
    reach_modes += reach_of(modes);
    reach_least_squares += reach_of(means);
  }
  EXPECT_GT(both, 100);
  EXPECT_LT(reach_least_squares, 0.7 * reach_modes);
}

TEST(ImpactsOnAMug, WhatABlowLeavesAreSolidsThatFillTheMug) {
  Blows blows;
  runtime::Impact impact = blows.next();
  impact.threshold = 0.3;
  const runtime::Answer answer = target().strike(impact);
  ASSERT_GT(answer.num_pieces, 2);
  const io::PiecesFile made = pieces_after(mug(), {}, answer);
  ASSERT_EQ(static_cast<std::int32_t>(made.pieces.size()), answer.num_pieces);
  for (std::int32_t p = 0; p < answer.num_pieces; ++p) {
    EXPECT_EQ(made.pieces[p].label, p);
    test::expect_solid(made.pieces[p]);
  }
  EXPECT_NEAR(test::total_volume_m3(made.pieces) / made.volume_m3, 1, 1e-9);
  EXPECT_THROW((void)pieces_after(mug(), {}, {}), core::Error) << "the answer of another object";
}

}  // namespace
}  // namespace brisance::breaking
