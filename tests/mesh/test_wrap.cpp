#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/repair.hpp"

#include "surface_files.hpp"

#include <set>

namespace brisance::mesh {
namespace {

using test::error_of;

TEST(Wrap, ClosesASphereWithAHoleSmallerThanAlpha) {
  Surface ball = test::sphere(1, Vec3::Zero(), 16);
  ball.triangles.erase(ball.triangles.begin(), ball.triangles.begin() + 1);
  ball.source_face.erase(ball.source_face.begin());
  WrapReport report;
  const Surface wrapped = wrap(ball, 1.0 / 10, 1.0 / 300, report);
  EXPECT_TRUE(check_surface(wrapped).meshable());
  EXPECT_FALSE(report.input_closed);
  EXPECT_NEAR(report.volume_ratio, 1, 0.05);
  EXPECT_NEAR(report.volume_m3, test::signed_volume(test::sphere(1, Vec3::Zero(), 16)), 0.2);
}

TEST(Wrap, UnitesOverlappingSpheresAndKeepsTheirFaces) {
  const Surface pair = test::joined(test::sphere(1), test::sphere(1, Vec3(1.2, 0, 0)));
  WrapReport report;
  const Surface wrapped = wrap(pair, 1.0 / 20, 1.0 / 1000, report);
  const SurfaceReport check = check_surface(wrapped);
  EXPECT_TRUE(check.meshable());
  EXPECT_EQ(check.num_components, 1);
  // The lens of two unit spheres at distance d has volume pi (4 + d)(2 - d)^2 / 12; the wrap lies an offset outside.
  const double lens = std::numbers::pi * 5.2 * 0.64 / 12, both = 8.0 / 3 * std::numbers::pi, offset = 4.26 / 1000;
  EXPECT_NEAR(report.volume_ratio, (1 - lens / both) * (1 + 3 * offset), 0.015);
  ASSERT_EQ(wrapped.source_face.size(), wrapped.triangles.size());
  const auto half = static_cast<std::int32_t>(pair.triangles.size() / 2);
  for (std::size_t t = 0; t < wrapped.triangles.size(); ++t) {
    Vec3 middle = Vec3::Zero();
    for (const auto v : wrapped.triangles[t]) middle += wrapped.vertices[v] / 3;
    if (middle[0] < 0.3) {
      EXPECT_LT(wrapped.source_face[t], half);
    }
    if (middle[0] > 0.9) {
      EXPECT_GE(wrapped.source_face[t], half);
    }
  }
}

TEST(Wrap, ReportsThatItWentInThroughAHole) {
  Surface bowl = test::sphere(1, Vec3::Zero(), 16);  // cut off at z = 0.6: an opening of radius 0.8
  std::vector<std::array<std::int32_t, 3>> kept;
  for (const auto& t : bowl.triangles)
    if (bowl.vertices[t[0]][2] + bowl.vertices[t[1]][2] + bowl.vertices[t[2]][2] < 0.6 * 3) kept.push_back(t);
  bowl.triangles = kept;
  bowl.source_face.resize(kept.size());
  WrapReport coarse, fine;
  (void)wrap(bowl, 1.0, 1.0 / 100, coarse);
  (void)wrap(bowl, 1.0 / 5, 1.0 / 100, fine);  // alpha 0.65
  EXPECT_GT(coarse.volume_ratio, 0.9);
  EXPECT_LT(fine.volume_ratio, 0.5);
}

TEST(Wrap, KnowsTheVolumeOfTheInputItself) {
  Surface ball = test::sphere(1, Vec3::Zero(), 16);
  const double whole = test::signed_volume(ball);
  ball.triangles.erase(ball.triangles.begin(), ball.triangles.begin() + 3);
  ball.source_face.erase(ball.source_face.begin(), ball.source_face.begin() + 3);
  for (Vec3& x : ball.vertices) x += Vec3(100, -50, 30);  // far from the origin, which lids must not see
  WrapReport report;
  (void)wrap(ball, 1.0 / 10, 1.0 / 50, report);
  ASSERT_TRUE(report.input_volume_m3.has_value());
  EXPECT_NEAR(*report.input_volume_m3 / whole, 1, 2e-3);
  EXPECT_GT(report.volume_m3 / *report.input_volume_m3, 1.05);  // the offset alone: a fiftieth of 3.5 m all around
  (void)wrap(test::joined(test::sphere(1), test::sphere(1, Vec3(1.2, 0, 0))), 1.0 / 20, 1.0 / 300, report);
  EXPECT_FALSE(report.input_volume_m3.has_value());  // it crosses itself
}

TEST(Wrap, RefusesWhatCannotBeWrapped) {
  EXPECT_FALSE(error_of([] { (void)wrap(Surface{}); }).empty());
  EXPECT_FALSE(error_of([] { (void)wrap(test::sphere(1), 0, 0.01); }).empty());
  EXPECT_FALSE(error_of([] { (void)wrap(test::sphere(1), 0.1, -1); }).empty());
}

}  // namespace
}  // namespace brisance::mesh
