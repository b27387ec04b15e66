#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"

#include "surface_files.hpp"

#include <algorithm>
#include <random>

namespace brisance::mesh {
namespace {

Surface cleaned(const Surface& surface) {
  CleanReport report;
  return clean(surface, report);
}

TEST(Clean, LeavesACleanSurfaceAsItIs) {
  const Surface ball = test::sphere(1);
  CleanReport report;
  const Surface result = clean(ball, report);
  EXPECT_EQ(result.triangles, ball.triangles);
  EXPECT_EQ(result.vertices, ball.vertices);
  EXPECT_EQ(report.num_welded + report.num_degenerate + report.num_duplicate + report.num_unused + report.num_turned,
            0);
}

TEST(Clean, WeldsASoupWithNoiseBelowTheTolerance) {
  Surface soup = test::exploded(test::sphere(3));
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> noise(-1e-10, 1e-10);
  for (auto& p : soup.vertices) p += Vec3(noise(generator), noise(generator), noise(generator));
  CleanReport report;
  const Surface ball = clean(soup, report);
  EXPECT_EQ(ball.vertices.size(), test::sphere(3).vertices.size());
  EXPECT_EQ(report.num_welded, static_cast<std::int64_t>(soup.vertices.size() - ball.vertices.size()));
  EXPECT_TRUE(check_surface(ball).meshable());
}

TEST(Clean, WeldingDoesNotDependOnTheOrderOfVertices) {
  Surface soup = test::exploded(test::sphere(1));
  std::mt19937 generator(6);
  std::uniform_real_distribution<double> noise(-1e-10, 1e-10);
  for (auto& p : soup.vertices) p += Vec3(noise(generator), noise(generator), noise(generator));
  Surface shuffled = soup;
  std::vector<std::int32_t> order(soup.vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
  std::shuffle(order.begin(), order.end(), generator);
  for (std::size_t i = 0; i < order.size(); ++i) shuffled.vertices[order[i]] = soup.vertices[i];
  for (auto& t : shuffled.triangles)
    for (auto& v : t) v = order[v];
  const Surface a = cleaned(soup), b = cleaned(shuffled);
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  for (std::size_t t = 0; t < a.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(a.vertices[a.triangles[t][i]], b.vertices[b.triangles[t][i]]);
}

TEST(Clean, TinyBodiesWeldLikeLargeOnes) {
  for (const double size : {1e-9, 1e6}) {
    const Surface ball = cleaned(test::exploded(test::sphere(size)));
    EXPECT_EQ(ball.vertices.size(), test::sphere(1).vertices.size()) << size;
    EXPECT_TRUE(check_surface(ball).meshable()) << size;
  }
}

TEST(Clean, TurnsMixedAndInsideOutSurfacesOutward) {
  Surface mixed = test::sphere(1), inside_out = test::sphere(1);
  for (std::size_t t = 0; t < mixed.triangles.size(); t += 7) std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
  for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
  const double volume = test::signed_volume(test::sphere(1));
  CleanReport report;
  EXPECT_NEAR(test::signed_volume(clean(mixed, report)), volume, 1e-12);
  EXPECT_EQ(report.num_turned, static_cast<std::int64_t>((mixed.triangles.size() + 6) / 7));
  EXPECT_NEAR(test::signed_volume(clean(inside_out, report)), volume, 1e-12);
  EXPECT_EQ(report.num_turned, static_cast<std::int64_t>(mixed.triangles.size()));
}

Surface turned(Surface surface) {
  for (auto& t : surface.triangles) std::swap(t[0], t[1]);
  return surface;
}

TEST(Clean, NestedShellsAlternateBetweenBodyAndCavity) {
  const Surface nested = test::joined(test::joined(test::sphere(1), test::sphere(3)),
                                      test::joined(turned(test::sphere(2)), test::sphere(1, Vec3(10, 0, 0))));
  CleanReport report;
  const Surface result = clean(nested, report);
  const double unit = test::signed_volume(test::sphere(1));
  EXPECT_EQ(report.num_cavities, 1);
  EXPECT_NEAR(test::signed_volume(result), unit * (27 - 8 + 1 + 1), 1e-10);
}

TEST(Clean, AShellInsideThatFacesAsTheOuterOneDoesIsNoCavity) {
  const Surface pair = test::joined(test::sphere(2), test::sphere(1));
  const double volume = test::signed_volume(test::sphere(2));
  for (const Surface& nested : {pair, turned(pair)}) {
    CleanReport report;
    const Surface result = clean(nested, report);
    EXPECT_EQ(report.num_swallowed, 1);
    EXPECT_EQ(report.num_cavities, 0);
    EXPECT_NEAR(test::signed_volume(result), volume, 1e-12);
    EXPECT_EQ(result.vertices.size(), test::sphere(2).vertices.size());
    EXPECT_EQ(result.source_face.size(), result.triangles.size());
  }
  CleanReport report;
  const Surface hollow = clean(turned(test::joined(test::sphere(2), turned(test::sphere(1)))), report);
  EXPECT_EQ(report.num_cavities, 1);  // all of it inside out, as some exporters write it
  EXPECT_NEAR(test::signed_volume(hollow), volume * 7 / 8, 1e-12);
}

TEST(Clean, DropsDoublesRepeatedCornersAndUnusedVertices) {
  Surface ball = test::sphere(1);
  const auto num_triangles = ball.triangles.size();
  ball.triangles.push_back(ball.triangles[3]);
  ball.triangles.push_back({ball.triangles[4][1], ball.triangles[4][0], ball.triangles[4][2]});
  ball.triangles.push_back({5, 5, 6});
  ball.source_face.insert(ball.source_face.end(), {-7, -7, -7});
  ball.vertices.emplace_back(0.5, 0.5, 0.5);
  CleanReport report;
  const Surface result = clean(ball, report);
  EXPECT_EQ(report.num_duplicate, 2);
  EXPECT_EQ(report.num_degenerate, 1);
  EXPECT_EQ(report.num_unused, 1);
  EXPECT_EQ(result.triangles.size(), num_triangles);
  EXPECT_EQ(std::count(result.source_face.begin(), result.source_face.end(), -7), 0);
}

TEST(Clean, FlatTriangleIsDissolvedWithoutLeavingAHole) {
  // A tetrahedron one edge of which carries a midpoint: on one side two triangles meet there, on the other a triangle
  // with its corners on a line fills the gap.
  Surface tet;
  tet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}};
  tet.triangles = {{0, 2, 1}, {0, 4, 3}, {4, 1, 3}, {1, 2, 3}, {2, 0, 3}, {0, 1, 4}};
  tet.source_face = {0, 1, 2, 3, 4, 5};
  ASSERT_GT(check_surface(tet).num_self_intersections, 0);
  CleanReport report;
  const Surface result = clean(tet, report);
  EXPECT_EQ(report.num_degenerate, 1);
  EXPECT_EQ(result.triangles.size(), 6u);
  const SurfaceReport check = check_surface(result);
  EXPECT_TRUE(check.meshable());
  EXPECT_NEAR(check.volume_m3, 1.0 / 6, 1e-15);
  EXPECT_EQ(std::count(result.source_face.begin(), result.source_face.end(), 5), 0);
  EXPECT_EQ(std::count(result.source_face.begin(), result.source_face.end(), 0), 2);
}

TEST(Clean, NothingStaysNothing) {
  CleanReport report;
  EXPECT_TRUE(clean(Surface{}, report).triangles.empty());
}

}  // namespace
}  // namespace brisance::mesh
