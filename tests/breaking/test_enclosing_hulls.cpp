#include "brisance/breaking/enclosing_hulls.hpp"

#include "breaking/hull_growth.hpp"
#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

bool contains(const mesh::ConvexHull& hull, const Vec3& x) {
  return std::ranges::all_of(hull.triangles, [&](const auto& t) {
    const Vec3 a = hull.vertices[t[0]];
    const Vec3 area = (hull.vertices[t[1]] - a).cross(hull.vertices[t[2]] - a);
    return area.norm() < 1e-7 || area.normalized().dot(x - a) <= 1e-9;  // needles between points of one plane aside
  });
}

/// Every tet lies in one of the hulls with all corners.
void expect_enclosed(const mesh::TetMesh& mesh, const std::vector<mesh::ConvexHull>& hulls) {
  for (const auto& tet : mesh.tets)
    EXPECT_TRUE(std::ranges::any_of(hulls, [&](const mesh::ConvexHull& hull) {
      return std::ranges::all_of(tet, [&](std::int32_t n) { return contains(hull, mesh.nodes[n]); });
    }));
  for (const mesh::ConvexHull& hull : hulls) EXPECT_LE(hull.vertices.size(), 60U);
}

double volume(const std::vector<mesh::ConvexHull>& hulls) {
  return std::transform_reduce(hulls.begin(), hulls.end(), 0.0, std::plus<>(),
                               [](const mesh::ConvexHull& hull) { return hull.volume_m3; });
}

TEST(NodeHull, GrowsByWhatAPointSees) {
  std::vector<Vec3> nodes;
  std::vector<std::int32_t> corners;
  for (int i = 0; i < 8; ++i) {
    nodes.emplace_back(i & 1, (i >> 1) & 1, i >> 2);
    corners.push_back(i);
  }
  nodes.emplace_back(0.5, 0.5, 2);    // 8: sees one side
  nodes.emplace_back(2, 2, 2);        // 9: sees three sides, and hides their common corner
  nodes.emplace_back(0.5, 0.5, 0.5);  // 10: inside
  const NodeHull cube(nodes, corners);
  EXPECT_NEAR(cube.volume(), 1, 1e-3);
  const auto with = [&](std::vector<std::int32_t> further) { return cube.with(nodes, further); };
  EXPECT_NEAR(with({8, 10, 3}).volume, 1 + 1.0 / 3, 1e-3);
  EXPECT_EQ(with({8, 10, 3}).num_corners, 9U);
  EXPECT_NEAR(with({9}).volume, 2, 1e-3);
  EXPECT_EQ(with({9}).num_corners, 8U);
  EXPECT_FALSE(with({9}).is_bound);
  EXPECT_EQ(with({10}).volume, cube.volume());
  EXPECT_TRUE(with({8, 9}).is_bound);
  EXPECT_NEAR(with({8, 9}).volume, 2, 1e-3);
  EXPECT_TRUE(cube.holds(nodes, std::vector<std::int32_t>{0, 7, 10}));
  EXPECT_FALSE(cube.holds(nodes, std::vector<std::int32_t>{10, 8}));
}

TEST(EnclosingHulls, OfABoxAreTheBox) {
  const mesh::TetMesh box = test::kuhn_box(3, 2, 2, 3, 1, 1);
  const auto hulls = enclosing_hulls(box.nodes, box.tets);
  ASSERT_EQ(hulls.size(), 1U);
  EXPECT_NEAR(hulls[0].volume_m3, 3, 1e-12);
  expect_enclosed(box, hulls);
}

/// Half a ring, whose one hull would have twice its volume.
TEST(EnclosingHulls, OfABentBarStayBelowTheBound) {
  mesh::TetMesh bar = test::kuhn_box(16, 2, 2, std::numbers::pi, 0.3, 0.3);
  double solid = 0;
  for (Vec3& x : bar.nodes) x = Vec3((1 + x[1]) * std::cos(x[0]), (1 + x[1]) * std::sin(x[0]), x[2]);
  for (auto& tet : bar.tets) {
    const auto& x = bar.nodes;
    if (mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[0], tet[1]);
    solid += mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
  }
  for (const double bound : {1.1, 1.3}) {
    EnclosingHullParameters parameters;
    parameters.volume_bound = bound;
    const auto hulls = enclosing_hulls(bar.nodes, bar.tets, parameters);
    expect_enclosed(bar, hulls);
    EXPECT_GT(hulls.size(), 1U);
    EXPECT_LT(hulls.size(), bound > 1.2 ? 10U : 40U) << bound;
    EXPECT_LE(volume(hulls), 1.001 * bound * solid);
  }
  EnclosingHullParameters one;
  one.most_hulls = 1;
  EXPECT_EQ(enclosing_hulls(bar.nodes, bar.tets, one).size(), 1U);
}

/// A bound on the vertices where the hull has many: a ball's.
TEST(EnclosingHulls, OfABallHaveFewVertices) {
  mesh::TetMesh ball = test::kuhn_box(8, 8, 8, 2, 2, 2);
  for (Vec3& x : ball.nodes) {
    x -= Vec3::Ones();
    if (const double longest = x.cwiseAbs().maxCoeff(); longest > 0) x *= longest / x.norm();
  }
  for (auto& tet : ball.tets) {
    const auto& x = ball.nodes;
    if (mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[0], tet[1]);
  }
  std::erase_if(ball.tets, [&](const auto& tet) {
    const auto& x = ball.nodes;
    return mesh::tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 1e-9;
  });
  expect_enclosed(ball, enclosing_hulls(ball.nodes, ball.tets));
}

}  // namespace
}  // namespace brisance::breaking
