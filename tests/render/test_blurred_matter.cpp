/// Solids that scatter light inside, while the shutter is open.
#include "stages.hpp"

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::TestStage;

/// Mean grey of a ball of milk that has moved by `shift`, seen along a ray through the middle of where it is then.
TestStage::Mean moving_ball(const std::string& inside, float shift, float time) {
  Geometry geometry;
  test::add_ball(geometry, 24, 0);
  geometry.shutter_s = 1;
  const Vec3f velocity(time == 0.5F ? 0 : shift / (time - 0.5F), 0, 0);
  geometry.velocity.assign(geometry.triangles.size(), {velocity, velocity, velocity});
  TestStage scene(std::move(geometry),
                  test::materials_of({{"milk",
                                       "subsurface",
                                       {{"reduced_scattering_per_m", Vec3(40, 40, 40)},
                                        {"absorption_per_m", Vec3(0.4, 0.4, 0.4)},
                                        {"index", 1.3},
                                        {"inside", inside}}}}),
                  {{"sun", "sun", {{"direction", Vec3(0, -1, 1)}}}});
  RayCount rays;
  double sum = 0, squares = 0;
  constexpr int kSamples = 3000;
  for (int i = 0; i < kSamples; ++i) {
    Sampler sampler(7, static_cast<std::uint64_t>(i), 0, 1);
    const Ray ray{.origin = Vec3f(shift, -4, 0.2F), .direction = Vec3f::UnitY(), .time = time};
    const double x = PathTracer(scene.stage(), sampler, {rays}).radiance(ray).mean();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kSamples;
  return {mean, std::sqrt((squares / kSamples - mean * mean) / kSamples), 0};
}

TEST(BlurredMatter, IsAsBrightAsAtRest) {
  for (const char* inside : {"dipole", "random_walk"}) {
    const auto still = moving_ball(inside, 0, 0.5F), moved = moving_ball(inside, 3, 0.9F);
    EXPECT_GT(still.value, 0.2);
    EXPECT_NEAR(moved.value, still.value, 4 * std::hypot(moved.error, still.error)) << inside;
  }
}

}  // namespace
}  // namespace brisance::render
