/// Pieces of made-up modes on graphs and boxes whose answers are known.
#include "brisance/core/error.hpp"
#include "brisance/modes/pieces/pieces.hpp"

#include "support/kuhn.hpp"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

using testing::ElementsAre;

/// Cells in a row, each of volume 1, faces of the given areas.
CellGraph row(const std::vector<double>& areas) {
  CellGraph graph;
  graph.volume.assign(areas.size() + 1, 1.0);
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(areas.size()); ++i)
    graph.faces.push_back({i, i + 1, areas[i]});
  return graph;
}

ModeSet scalar_modes(std::vector<std::vector<double>> values) {
  ModeSet set;
  for (auto& v : values) set.modes.emplace_back().value = std::move(v);
  return set;
}

TEST(IntersectModes, CutsWhereAnyModeJumps) {
  const CellGraph graph = row({1, 1, 1, 1});
  const ModeSet modes = scalar_modes({{1, 1, 1, 1, 1}, {0, 0, 1, 1, 1}, {2, 2, 2, 2, -1}});
  const PieceLabels pieces = intersect_modes(graph, modes);
  EXPECT_THAT(pieces.of_cell, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(pieces.volume, ElementsAre(2, 2, 1));
}

TEST(IntersectModes, ThresholdIsGluingOverRootVolume) {
  const CellGraph graph = row({1, 1, 1});  // V = 4, threshold gluing/2
  const ModeSet modes = scalar_modes({{0, 0.0499, 0.1, 0.1}});
  EXPECT_THAT(intersect_modes(graph, modes, 0.1).of_cell, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(intersect_modes(graph, modes, 0.2).of_cell, ElementsAre(0, 0, 0, 0));
}

TEST(IntersectModes, VectorJumpsCountByTheirNorm) {
  const CellGraph graph = row({1, 1, 1});
  ModeSet modes = scalar_modes({{0, 0, 0, 0.04, 0.04, 0, 0.04, 0.04, 0, 0.04, 0.04, 0}});
  modes.components = 3;
  EXPECT_THAT(intersect_modes(graph, modes, 0.1).of_cell, ElementsAre(0, 1, 1, 1));  // 0.0566 against 0.05
}

TEST(IntersectModes, RefusesModesOfAnotherMeshAndGluingOfZero) {
  EXPECT_THROW((void)intersect_modes(row({1}), scalar_modes({{1, 2, 3}})), core::Error);
  EXPECT_THROW((void)intersect_modes(row({1}), scalar_modes({{1, 2}}), 0), core::Error);
}

TEST(IntersectModes, APieceAroundACrackThatEndsInsideStaysWhole) {
  CellGraph ring = row({1, 1, 1});
  ring.faces.push_back({0, 3, 1.0});
  std::ranges::sort(ring.faces, {}, [](const Face& f) { return std::pair(f.a, f.b); });
  // Small steps around the ring, glued, and one face where they add up to a jump.
  const PieceLabels pieces = intersect_modes(ring, scalar_modes({{0, 0.03, 0.06, 0.09}}), 0.1);
  EXPECT_EQ(pieces.num_pieces(), 1);
}

TEST(JoinSlivers, JoinsToTheLargestSharedWeightSmallestFirst) {
  CellGraph graph = row({1, 5, 2, 9});
  graph.volume = {10, 0.2, 0.1, 10, 10};
  const PieceLabels all = split_into_parts(graph, std::vector<std::int32_t>{0, 1, 2, 3, 4});
  // 2 (0.1) joins 1 across area 5; together (0.3) they touch 0 by 1 and 3 by 2.
  EXPECT_THAT(join_slivers(graph, all, 0.02).of_cell, ElementsAre(0, 1, 1, 1, 2));
  const std::vector<double> weight{9, 5, 2, 9};
  EXPECT_THAT(join_slivers(graph, all, 0.02, weight).of_cell, ElementsAre(0, 0, 0, 1, 2));
  EXPECT_THAT(join_slivers(graph, all, 0).of_cell, ElementsAre(0, 1, 2, 3, 4));
}

TEST(JoinSlivers, ASmallPartOfItsOwnStays) {
  CellGraph graph;
  graph.volume = {1, 1e-9};
  const PieceLabels joined = join_slivers(graph, split_into_parts(graph, std::vector<std::int32_t>{0, 0}), 0.1);
  EXPECT_EQ(joined.num_pieces(), 2);
}

TEST(JoinSlivers, NothingSmallerRemainsAndVolumeIsKept) {
  const mesh::TetMesh box = test::kuhn_box(4, 4, 4, 1, 1, 1);
  const CellGraph graph = cell_graph(box);
  std::vector<std::int32_t> label(box.tets.size());
  for (std::size_t c = 0; c < label.size(); ++c) label[c] = static_cast<std::int32_t>(c * 7919 % 5);
  const PieceLabels scattered = split_into_parts(graph, label);
  const PieceLabels joined = join_slivers(graph, scattered, 0.05);
  ASSERT_GT(scattered.num_pieces(), 20);
  EXPECT_GE(piece_statistics(joined).smallest_share, 0.05);
  EXPECT_NEAR(std::accumulate(joined.volume.begin(), joined.volume.end(), 0.0), 1, 1e-12);
  EXPECT_THROW((void)join_slivers(graph, scattered, 1), core::Error);
}

TEST(PieceStatistics, CountsByVolume) {
  PieceLabels pieces;
  pieces.volume = {1, 0.0001, 1, 1, 1};
  const PieceStatistics s = piece_statistics(pieces);
  EXPECT_EQ(s.num_pieces, 5);
  EXPECT_EQ(s.num_above_permille, 4);
  EXPECT_NEAR(s.effective_pieces, 4, 1e-3);
  EXPECT_NEAR(s.median_share, 0.25, 1e-4);
}

}  // namespace
}  // namespace brisance::modes
