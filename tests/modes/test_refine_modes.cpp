/// Effect of the options on boxes and small graphs: fewer slivers and less energy.
#include "brisance/core/error.hpp"
#include "brisance/core/random.hpp"
#include "brisance/modes/pieces/pieces.hpp"
#include "brisance/modes/search/find_modes.hpp"
#include "brisance/modes/search/refine_modes.hpp"

#include "modes/random_graph.hpp"
#include "modes/search/rotate_modes.hpp"
#include "support/kuhn.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

Body box_body() {
  Body body;
  body.mesh = simplices(brisance::test::kuhn_box(7, 5, 4, 1.4, 1.1, 0.7));
  body.graph = cell_graph(body.mesh);
  body.face_weight = face_weights(body.graph, Weighting::area);
  return body;
}

ModeSet modes_of(const Body& body, const FindModesSettings& settings) {
  ModeSet set;
  EXPECT_TRUE(find_modes(body, settings, set, [](const ModeSet&, double) { return true; }));
  return set;
}

double sum_of_energies(const ModeSet& set) {
  double sum = 0;
  for (const Mode& mode : set.modes) sum += mode.energy;
  return sum;
}

void expect_orthonormal_with_right_energies(const Body& body, const ModeSet& set) {
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    const auto& u = set.modes[i].value;
    for (std::size_t j = 0; j <= i; ++j) {
      double dot = 0;
      for (std::int32_t c = 0; c < body.graph.num_cells(); ++c)
        dot += body.graph.volume[c] * u[c] * set.modes[j].value[c];
      EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-9) << i << ' ' << j;
    }
    double energy = 0;
    for (std::size_t f = 0; f < body.face_weight.size(); ++f)
      energy += body.face_weight[f] * std::abs(u[body.graph.faces[f].a] - u[body.graph.faces[f].b]);
    EXPECT_NEAR(set.modes[i].energy, energy, 1e-9 * (1 + energy)) << i;
  }
}

TEST(SmallestPiece, HoldsForAllModesTogether) {
  const Body body = box_body();
  FindModesSettings settings;
  settings.count = 8;
  settings.starts = 3;
  for (const double share : {0.01, 0.05}) {
    settings.smallest_share = share;
    const ModeSet set = modes_of(body, settings);
    ASSERT_EQ(set.modes.size(), 8u);
    expect_orthonormal_with_right_energies(body, set);
    const PieceStatistics statistics = piece_statistics(intersect_modes(body.graph, set));
    EXPECT_GE(statistics.smallest_share, share * (1 - 1e-12));
    EXPECT_GE(statistics.num_pieces, 8);
  }
}

TEST(SmallestPiece, MorePiecesThanThereIsRoomForIsAnError) {
  const Body body = box_body();
  FindModesSettings settings;
  settings.count = 4;  // needs four pieces
  settings.smallest_share = 0.3;
  ModeSet set;
  EXPECT_THAT([&] { (void)find_modes(body, settings, set, [](const ModeSet&, double) { return true; }); },
              testing::ThrowsMessage<core::Error>(testing::HasSubstr("Allow smaller pieces")));
}

TEST(Starts, TheFirstModeIsTheBestOfTheCandidates) {
  const Body body = box_body();
  FindModesSettings settings;
  settings.count = 2;
  double best = 1e300;
  const auto starts = start_vectors(body.mesh, 5);
  for (int i = 1; i < 5; ++i)
    best = std::min(best, ScalarModeSearch(body.graph, body.face_weight).next(starts[i]).energy);
  settings.starts = 4;
  EXPECT_NEAR(modes_of(body, settings).modes[1].energy, best, 1e-9 * best);
}

TEST(RotateModes, TwoRotatedFieldsAreTurnedBack) {
  // Two unit fields that jump over different faces: no mixture of them has less energy.
  CellGraph graph;
  graph.volume.assign(4, 0.5);
  graph.faces = {{0, 1, 1.0}, {1, 2, 1.0}, {2, 3, 1.0}};
  const std::vector<double> weight{1, 5, 1};
  const std::vector<double> u{1, -1, 0, 0}, v{0, 0, 1, -1};
  for (const double angle : {0.1, 0.7, std::numbers::pi / 4, 1.4, 3.0}) {
    std::vector<std::vector<double>> fields(2, std::vector<double>(4));
    for (int c = 0; c < 4; ++c) {
      fields[0][c] = std::cos(angle) * u[c] + std::sin(angle) * v[c];
      fields[1][c] = std::cos(angle) * v[c] - std::sin(angle) * u[c];
    }
    // E(u) = 2 + 5, E(v) = 5 + 2; their even mixtures: (2 + 10 + 2)/√2 and (2 + 0 + 2)/√2, the least there is.
    const auto energies = rotate_modes(graph, weight, fields);
    EXPECT_NEAR(energies[0] + energies[1], 18 / std::sqrt(2), 1e-12) << angle;
  }
}

TEST(RotateModes, TwoFieldsEndAtTheLeastOfAllAngles) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const CellGraph graph = test::random_graph(12, 10, seed);
    const auto weight = face_weights(graph, Weighting::area);
    std::vector<std::vector<double>> fields(2);
    for (std::uint64_t c = 0; c < 24; ++c) fields[c / 12].push_back(core::hash_uniform(seed, c, 9) - 0.5);
    const auto before = fields;
    double least = 1e300;
    for (int k = 0; k < 20000; ++k) {
      const double a = k * std::numbers::pi / 20000;
      double sum = 0;
      for (std::size_t f = 0; f < weight.size(); ++f) {
        const Face& face = graph.faces[f];
        const double x = fields[0][face.a] - fields[0][face.b], y = fields[1][face.a] - fields[1][face.b];
        sum += weight[f] * (std::abs(std::cos(a) * x + std::sin(a) * y) + std::abs(std::cos(a) * y - std::sin(a) * x));
      }
      least = std::min(least, sum);
    }
    const auto energies = rotate_modes(graph, weight, fields);
    EXPECT_LE(energies[0] + energies[1], least * (1 + 1e-12));
    EXPECT_GE(energies[0] + energies[1], least * (1 - 1e-3));
    for (int c = 0; c < 12; ++c)  // a rotation
      EXPECT_NEAR(std::hypot(fields[0][c], fields[1][c]), std::hypot(before[0][c], before[1][c]), 1e-12);
  }
}

TEST(RefineModes, LowersTheSumAndKeepsEverythingElse) {
  const Body body = box_body();
  for (const double share : {0.0, 0.02}) {
    FindModesSettings settings;
    settings.count = 7;
    settings.smallest_share = share;
    ModeSet set = modes_of(body, settings);
    const ModeSet before = set;
    refine_modes(body, set);
    EXPECT_LE(sum_of_energies(set), sum_of_energies(before) * (1 + 1e-9));
    expect_orthonormal_with_right_energies(body, set);
    EXPECT_EQ(set.modes[0].value, before.modes[0].value);
    for (std::size_t k = 2; k < set.modes.size(); ++k) EXPECT_LE(set.modes[k - 1].energy, set.modes[k].energy);
    EXPECT_EQ(intersect_modes(body.graph, set).of_cell, intersect_modes(body.graph, before).of_cell);
  }
}

}  // namespace
}  // namespace brisance::modes
