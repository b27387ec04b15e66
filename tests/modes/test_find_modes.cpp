/// Modes of bodies in several parts.
#include "brisance/core/error.hpp"
#include "brisance/modes/find_modes.hpp"

#include "support/kuhn.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

/// A box of 240 tets, one of 162 tets far away from it, and a lone tet; their tets take turns.
mesh::TetMesh three_parts() {
  mesh::TetMesh mesh = brisance::test::kuhn_box(5, 4, 2, 1, 0.8, 0.4), parts;
  mesh::TetMesh other = brisance::test::kuhn_box(3, 3, 3, 0.6, 0.6, 0.6);
  const auto first = static_cast<std::int32_t>(mesh.nodes.size());
  parts.nodes = mesh.nodes;
  for (const Vec3& x : other.nodes) parts.nodes.emplace_back(x + Vec3(5, 0, 0));
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    parts.tets.push_back(mesh.tets[e]);
    if (e >= other.tets.size()) continue;
    for (std::int32_t& corner : other.tets[e]) corner += first;
    parts.tets.push_back(other.tets[e]);
  }
  const auto lone = static_cast<std::int32_t>(parts.nodes.size());
  for (const Vec3& x : {Vec3(9, 0, 0), Vec3(10, 0, 0), Vec3(9, 1, 0), Vec3(9, 0, 1)}) parts.nodes.push_back(x);
  parts.tets.push_back({lone, lone + 1, lone + 2, lone + 3});
  return parts;
}

TEST(FindModes, EachPartGetsItsOwnAndTheyAreOrthonormal) {
  const mesh::TetMesh mesh = three_parts();
  const CellGraph graph = cell_graph(mesh);
  const auto weight = face_weights(graph, Weighting::area);
  const auto part_of = connected_parts(graph);
  FindModesSettings settings;
  settings.count = 4;
  EXPECT_EQ(modes_of_parts(mesh, graph, 4), (std::vector<std::int32_t>{4, 4, 1}));
  ModeSet set;
  int calls = 0;
  EXPECT_TRUE(find_modes(mesh, graph, weight, settings, set, [&](const ModeSet&, double) { return ++calls > 0; }));
  EXPECT_EQ(calls, 6);
  ASSERT_EQ(set.modes.size(), 9u);
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    const Mode& mode = set.modes[i];
    EXPECT_EQ(mode.energy == 0, i < 3);
    for (std::int32_t c = 0; c < graph.num_cells(); ++c)
      if (part_of[c] != mode.part) {
        ASSERT_EQ(mode.value[c], 0);
      }
    for (std::size_t j = 0; j <= i; ++j) {
      double dot = 0;
      for (std::int32_t c = 0; c < graph.num_cells(); ++c)
        dot += graph.volume[c] * mode.value[c] * set.modes[j].value[c];
      EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-10);
    }
  }
}

TEST(FindModes, StopsWhenToldAndGoesOnFromThere) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(6, 4, 3, 1.2, 0.9, 0.5);
  const CellGraph graph = cell_graph(mesh);
  const auto weight = face_weights(graph, Weighting::area);
  FindModesSettings settings;
  settings.count = 6;
  ModeSet straight, in_two;
  EXPECT_TRUE(find_modes(mesh, graph, weight, settings, straight, [](const ModeSet&, double) { return true; }));
  EXPECT_FALSE(
      find_modes(mesh, graph, weight, settings, in_two, [](const ModeSet& m, double) { return m.modes.size() < 3; }));
  ASSERT_EQ(in_two.modes.size(), 3u);
  EXPECT_TRUE(find_modes(mesh, graph, weight, settings, in_two, [](const ModeSet&, double) { return true; }));
  ASSERT_EQ(in_two.modes.size(), 6u);
  for (int i = 1; i < 6; ++i)
    EXPECT_NEAR(in_two.modes[i].convex_energies.front(), straight.modes[i].convex_energies.front(), 1e-7);
}

TEST(FindModes, MoreModesThanTheLargestPartAllowsIsAnError) {
  const mesh::TetMesh mesh = brisance::test::kuhn_box(1, 1, 1, 1, 1, 1);  // 6 tets, 8 nodes
  const CellGraph graph = cell_graph(mesh);
  EXPECT_EQ(modes_of_parts(mesh, graph, 6), std::vector<std::int32_t>{6});
  EXPECT_THROW((void)modes_of_parts(mesh, graph, 7), core::Error);
}

}  // namespace
}  // namespace brisance::modes
