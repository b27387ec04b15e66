#include "brisance/core/error.hpp"
#include "brisance/mesh/surface/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

/// Largest distance of a point outside a facet [m].
double farthest_outside(const ConvexHull& hull, const std::vector<Vec3>& points) {
  double farthest = -1e300;
  for (const auto& [a, b, c] : hull.triangles) {
    const Vec3 normal = (hull.vertices[b] - hull.vertices[a]).cross(hull.vertices[c] - hull.vertices[a]).normalized();
    for (const Vec3& x : points) farthest = std::max(farthest, normal.dot(x - hull.vertices[a]));
  }
  return farthest;
}

bool is_closed(const ConvexHull& hull) {
  std::map<std::pair<std::int32_t, std::int32_t>, int> edges;
  for (const auto& [a, b, c] : hull.triangles)
    for (const auto& [i, j] : {std::pair(a, b), {b, c}, {c, a}}) ++edges[{i, j}];
  return std::ranges::all_of(edges, [&](const auto& edge) {
    return edge.second == 1 && edges.contains({edge.first.second, edge.first.first});
  });
}

std::vector<Vec3> points_on_ellipsoid(int count, const Vec3& half_axes, const Vec3& centre) {
  std::mt19937 generator(1);
  std::normal_distribution<> normal;
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const Vec3 x(normal(generator), normal(generator), normal(generator));
    points.emplace_back(centre + half_axes.cwiseProduct(x.normalized()));
  }
  return points;
}

TEST(ConvexHull, OfACubeWithPointsInsideHasItsCornersAndVolume) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) points.emplace_back(i & 1, i >> 1 & 1, i >> 2 & 1);
  points.emplace_back(0.5, 0.5, 0.5);
  points.emplace_back(0.5, 0.5, 1);
  const ConvexHull hull = convex_hull(points);
  EXPECT_EQ(hull.vertices.size(), 8U);
  EXPECT_NEAR(hull.volume_m3, 1, 1e-15);
  EXPECT_TRUE(is_closed(hull));
  EXPECT_LE(farthest_outside(hull, points), 0);
}

TEST(ConvexHull, OfAPlaneIsRefused) {
  const std::vector<Vec3> flat{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  EXPECT_THROW(static_cast<void>(convex_hull(flat)), core::Error);
}

TEST(EnclosingHull, KeepsFewVerticesAndContainsAllPoints) {
  for (const double flatness : {1.0, 0.3, 0.02}) {
    const std::vector<Vec3> points = points_on_ellipsoid(500, {1, 1, flatness}, {100, -3, 4});
    const ConvexHull whole = convex_hull(points), few = enclosing_hull(points, 60);
    EXPECT_LE(few.vertices.size(), 60U);
    EXPECT_TRUE(is_closed(few));
    EXPECT_LE(farthest_outside(few, points), 1e-9) << flatness;
    EXPECT_LT(few.volume_m3, (flatness < 0.1 ? 1.6 : 1.25) * whole.volume_m3) << flatness;
    EXPECT_LE(enclosing_hull(points, 8).vertices.size(), 8U);
  }
}

TEST(EnclosingHull, IsTheHullWhereThatHasFewVertices) {
  const std::vector<Vec3> points = points_on_ellipsoid(30, {1, 1, 1}, {0, 0, 0});
  EXPECT_DOUBLE_EQ(enclosing_hull(points, 60).volume_m3, convex_hull(points).volume_m3);
}

}  // namespace
}  // namespace brisance::mesh
