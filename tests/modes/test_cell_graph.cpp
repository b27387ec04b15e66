/// Cells and faces of a tet mesh: counts and areas of shapes known in closed form.
#include "brisance/core/error.hpp"
#include "brisance/modes/body/cell_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

/// Two corner tets of the unit cube that share the face x + y + z = 1 … with apexes (0,0,0) and (1,1,1).
mesh::TetMesh two_tets() {
  mesh::TetMesh m;
  m.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  m.tets = {{0, 1, 2, 3}, {4, 1, 3, 2}};
  return m;
}

TEST(CellGraph, TwoTetsShareOneFaceOfKnownArea) {
  const CellGraph g = cell_graph(two_tets());
  ASSERT_EQ(g.faces.size(), 1u);
  EXPECT_EQ(g.faces[0].a, 0);
  EXPECT_EQ(g.faces[0].b, 1);
  EXPECT_NEAR(g.faces[0].area, std::sqrt(3.0) / 2, 1e-15);
  EXPECT_NEAR(g.volume[0], 1.0 / 6, 1e-15);
  EXPECT_NEAR(g.volume[1], 1.0 / 3, 1e-15);
}

TEST(CellGraph, PartsAreNumberedByTheirLowestCell) {
  CellGraph g;
  g.volume = {1, 1, 1, 1, 1};
  g.faces = {{1, 3, 1.0}, {2, 4, 1.0}};
  EXPECT_THAT(connected_parts(g), testing::ElementsAre(0, 1, 2, 1, 2));
}

TEST(CellGraph, ThreeTetsAtAFaceAreAnError) {
  mesh::TetMesh m = two_tets();
  m.nodes.push_back({2, 2, 2});
  m.tets.push_back({5, 1, 3, 2});
  EXPECT_THROW((void)cell_graph(m), core::Error);
}

}  // namespace
}  // namespace brisance::modes
