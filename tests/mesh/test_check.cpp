#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"

#include "surface_files.hpp"

#include <random>

#include <gmock/gmock.h>

namespace brisance::mesh {
namespace {

using test::error_of;
using ::testing::HasSubstr;

Surface cleaned(const Surface& surface) {
  CleanReport report;
  return clean(surface, report);
}

std::string refusal(const Surface& surface) {
  return error_of([&] { require_meshable(check_surface(surface), "body.obj"); });
}

TEST(Check, SphereIsMeshableWithItsVolumeAreaAndBox) {
  const SurfaceReport report = check_surface(test::sphere(2, Vec3(100, 0, 0), 48));
  EXPECT_TRUE(report.meshable());
  EXPECT_NO_THROW(require_meshable(report, "ball.obj"));
  EXPECT_EQ(report.num_components, 1);
  EXPECT_NEAR(report.volume_m3, 4.0 / 3 * std::numbers::pi * 8, 0.1);
  EXPECT_NEAR(report.area_m2, 4 * std::numbers::pi * 4, 0.1);
  EXPECT_NEAR(report.lower[0], 98, 1e-12);
  EXPECT_NEAR(report.upper[2], 2, 1e-12);
}

TEST(Check, HoleIsFoundWithItsEdges) {
  Surface ball = test::sphere(1);
  ball.triangles.pop_back();
  ball.source_face.pop_back();
  EXPECT_EQ(check_surface(ball).num_open_edges, 3);
  EXPECT_THAT(refusal(ball), HasSubstr("body.obj: the surface does not bound a solid: it is open: 3 edges"));
  EXPECT_THAT(refusal(ball), HasSubstr("mesh.repair = true"));
}

TEST(Check, ThirdTriangleOnAnEdgeIsFound) {
  Surface fin = test::sphere(1);
  const auto tip = static_cast<std::int32_t>(fin.vertices.size());
  fin.vertices.emplace_back(0, 0, 3);
  fin.triangles.push_back({fin.triangles[0][0], fin.triangles[0][1], tip});
  fin.source_face.push_back(0);
  const SurfaceReport report = check_surface(fin);
  EXPECT_EQ(report.num_nonmanifold_edges, 1);
  EXPECT_EQ(report.num_open_edges, 2);
  EXPECT_THAT(refusal(fin), HasSubstr("more than two triangles"));
}

TEST(Check, BodiesTouchingInOnePointAreFoundAsSuch) {
  Surface pair;
  pair.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  pair.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 4, 5}, {0, 6, 4}, {0, 5, 6}, {4, 6, 5}};
  pair.source_face = {0, 1, 2, 3, 4, 5, 6, 7};
  const SurfaceReport report = check_surface(cleaned(pair));
  EXPECT_EQ(report.num_nonmanifold_vertices, 1);
  EXPECT_EQ(report.nonmanifold_vertex, Vec3(0, 0, 0));
  EXPECT_EQ(report.num_self_intersections, 0);
  EXPECT_EQ(report.num_components, 2);
  EXPECT_NEAR(report.volume_m3, 1.0 / 3, 1e-15);
  EXPECT_THAT(refusal(cleaned(pair)), HasSubstr("parts touch in 1 single vertex"));
}

TEST(Check, OverlappingSpheresIntersect) {
  const Surface pair = cleaned(test::joined(test::sphere(1), test::sphere(1, Vec3(1, 0.1, 0.2))));
  const SurfaceReport report = check_surface(pair);
  EXPECT_TRUE(report.closed() && report.manifold());
  EXPECT_GT(report.num_self_intersections, 20);
  // The first place lies where both spheres are near.
  EXPECT_NEAR(report.self_intersection.norm(), 1, 0.35);
  EXPECT_NEAR((report.self_intersection - Vec3(1, 0.1, 0.2)).norm(), 1, 0.35);
  EXPECT_THAT(refusal(pair), HasSubstr("it intersects itself"));
}

TEST(Check, TouchingWithoutCrossingCountsToo) {
  // Two cubes stacked face to face, and a spike whose tip lies exactly in another's face.
  Surface pair = test::joined(test::sphere(1, Vec3::Zero(), 4), test::sphere(1, Vec3(0, 0, 2), 4));
  EXPECT_GT(check_surface(pair).num_self_intersections, 0);
  EXPECT_EQ(check_surface(test::joined(test::sphere(1), test::sphere(1, Vec3(0, 0, 2.0000001)))).num_self_intersections,
            0);
}

/// Brute force on random disjoint triangles: each pair by sampling would be inexact, so pairs are built with a known
/// answer.
TEST(Check, RandomPairsAreCountedExactly) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> unit(0, 1);
  Surface soup;
  int expected = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3 at(4.0 * (i % 20), 4.0 * (i / 20), 0);
    const bool meets = unit(generator) < 0.5;
    expected += meets ? 1 : 0;
    const auto first = static_cast<std::int32_t>(soup.vertices.size());
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}) soup.vertices.push_back(at + p);
    // A triangle upright through, or 1e-12 above, the plane of the first one.
    const double height = meets ? -unit(generator) : 1e-12;
    for (const Vec3& p : {Vec3(0.25, 0.25, height), Vec3(0.3, 0.25, 1), Vec3(0.2, 0.3, 1)})
      soup.vertices.push_back(at + p);
    soup.triangles.push_back({first, first + 1, first + 2});
    soup.triangles.push_back({first + 3, first + 4, first + 5});
    soup.source_face.insert(soup.source_face.end(), {2 * i, 2 * i + 1});
  }
  EXPECT_EQ(check_surface(soup).num_self_intersections, expected);
}

TEST(Check, FoldedAndFlatBodiesAreRefused) {
  Surface disk;  // a disk covered twice
  const int n = 12;
  disk.vertices.push_back(Vec3::Zero());
  for (int i = 0; i < n; ++i) disk.vertices.emplace_back(std::cos(i), std::sin(i), 0);
  for (int i = 0; i < n; ++i) {
    disk.triangles.push_back({0, 1 + i, 1 + (i + 1) % n});
    disk.triangles.push_back({0, 1 + (i + 1) % n, 1 + i});
    disk.source_face.insert(disk.source_face.end(), {2 * i, 2 * i + 1});
  }
  EXPECT_FALSE(check_surface(disk).meshable());
  EXPECT_FALSE(check_surface(cleaned(disk)).meshable());
  EXPECT_FALSE(refusal(cleaned(disk)).empty());
}

TEST(Check, MoebiusStripHasNoOutside) {
  Surface strip;
  const int n = 20;
  for (int i = 0; i < n; ++i) {
    const double turn = 2 * std::numbers::pi * i / n;
    for (const double side : {-0.3, 0.3})
      strip.vertices.emplace_back((1 + side * std::cos(turn / 2)) * std::cos(turn),
                                  (1 + side * std::cos(turn / 2)) * std::sin(turn), side * std::sin(turn / 2));
  }
  for (int i = 0; i < n; ++i) {
    const bool last = i == n - 1;
    const std::int32_t a = 2 * i, b = 2 * i + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    strip.triangles.push_back({a, c, b});
    strip.triangles.push_back({b, c, d});
    strip.source_face.insert(strip.source_face.end(), {i, i});
  }
  const SurfaceReport report = check_surface(cleaned(strip));
  EXPECT_GT(report.num_misoriented_edges, 0);
  EXPECT_EQ(report.num_nonmanifold_vertices, 0);
  EXPECT_THAT(refusal(cleaned(strip)), HasSubstr("no consistent outside"));
}

TEST(Check, NothingIsRefused) { EXPECT_THAT(refusal(Surface{}), HasSubstr("no triangle")); }

}  // namespace
}  // namespace brisance::mesh
