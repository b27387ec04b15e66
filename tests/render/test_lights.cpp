/// Lights: densities that integrate to 1, samples that the light itself confirms, and irradiances in closed form.
#include "brisance/core/error.hpp"
#include "brisance/render/image.hpp"

#include "render/lights/environment.hpp"
#include "render/sampling/warp.hpp"
#include "stages.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

using test::grey;

const LightPlace kPlace{.axes = {.right = Vec3::UnitX(), .up = Vec3::UnitZ(), .forward = Vec3::UnitY()},
                        .up = Vec3::UnitZ(),
                        .origin = Vec3::Zero()};

Point2 point(std::uint64_t i, std::uint64_t purpose) {
  return {static_cast<float>(core::hash_uniform(5, i, 2 * purpose)) * (1 - 0x1p-24F),
          static_cast<float>(core::hash_uniform(5, i, 2 * purpose + 1)) * (1 - 0x1p-24F)};
}

std::unique_ptr<Light> only_light(core::Specification specification) {
  Options options;
  options.appearance.lights = {std::move(specification)};
  return std::move(make_lights(options, kPlace).front());
}

/// A dim image with a bright patch near the horizon.
Image patchy_image() {
  Image image(32, 16, Rgb::Constant(0.05F));
  for (int y = 6; y < 9; ++y)
    for (int x = 20; x < 23; ++x) image.at(x, y) = Rgb(1, 0.9F, 0.5F);
  return image;
}

std::vector<std::unique_ptr<Light>> sampled_lights() {
  std::vector<std::unique_ptr<Light>> lights;
  lights.push_back(only_light({"sun", "sun", {{"radius_deg", 20.0}, {"direction", Vec3(1, 2, 3)}}}));
  lights.push_back(
      only_light({"panel", "rectangle", {{"centre_m", Vec3(1, 0.5, 2)}, {"width_m", 2.0}, {"height_m", 1.0}}}));
  lights.push_back(only_light({"bulb", "sphere", {{"centre_m", Vec3(0, 1, 2)}, {"radius_m", 0.8}}}));
  lights.push_back(only_light({"around", "sphere", {{"centre_m", Vec3(0, 1, 2)}, {"radius_m", 8.0}}}));
  lights.push_back(std::make_unique<Environment>(patchy_image(), 1, Vec3f::UnitZ(), 0.7F));
  return lights;
}

TEST(Lights, DensitiesIntegrateToOne) {
  // Mean over 4·10⁵ uniform directions times 4π. The relative error of the small lights is about 1/√(N share).
  constexpr int kSamples = 400000;
  for (const auto& light : sampled_lights()) {
    double sum = 0, squares = 0;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      const double x = 4 * M_PI * light->pdf({Vec3f::Zero(), on_sphere(point(i, 0))});
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kSamples, error = std::sqrt(std::max(0.0, squares / kSamples - mean * mean) / kSamples);
    EXPECT_NEAR(mean, 1, 3 * error + 1e-3);
    EXPECT_LT(error, 0.03);
  }
}

TEST(Lights, SamplesMeetTheLightWithTheirDensityAndRadiance) {
  for (const auto& light : sampled_lights()) {
    int met = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const auto sample = light->sample(Vec3f::Zero(), point(i, 1));
      ASSERT_TRUE(sample);
      const auto emission = light->emitted({Vec3f::Zero(), sample->direction});
      if (!emission) continue;  // rounding at the rim
      ++met;
      EXPECT_NEAR(emission->pdf, sample->pdf, 2e-2F * sample->pdf);  // at the image's poles and pixel borders
      EXPECT_LT((emission->radiance - sample->radiance).abs().maxCoeff(), 1e-2F * sample->radiance.maxCoeff() + 1e-3F);
      EXPECT_EQ(emission->distance < kFar, sample->distance < kFar);
      if (emission->distance < kFar) {
        EXPECT_NEAR(emission->distance, sample->distance, 1e-3F * sample->distance);
      }
    }
    EXPECT_GE(met, 990);
  }
}

TEST(Lights, AnEnvironmentIsSampledWhereItIsBright) {
  const Environment light(patchy_image(), 1, Vec3f::UnitZ(), 0);
  int bright = 0;
  for (std::uint64_t i = 0; i < 2000; ++i)
    bright += light.sample(Vec3f::Zero(), point(i, 2))->radiance[0] > 0.5F ? 1 : 0;
  // The patch has 9 of 512 pixels; with its neighbours, which may be as bright, 25 are preferred.
  EXPECT_GT(bright, 300);
  EXPECT_THROW(Environment(Image(8, 4), 1, Vec3f::UnitZ(), 0), core::Error);
}

TEST(Lights, AnEnvironmentStandsUpright) {
  Image image(8, 4, Rgb::Constant(0.1F));
  for (int x = 0; x < 8; ++x) image.at(x, 0) = Rgb(0, 0, 1);
  image.at(4, 1) = image.at(4, 2) = image.at(3, 1) = image.at(3, 2) = Rgb(1, 0, 0);  // in the middle
  image.at(6, 1) = image.at(6, 2) = image.at(5, 1) = image.at(5, 2) = Rgb(0, 1, 0);  // right of it
  const Environment light(image, 2, Vec3f::UnitZ(), 0);
  const auto seen = [&](const Vec3f& direction) { return light.emitted({Vec3f::Zero(), direction})->radiance; };
  EXPECT_NEAR(seen(Vec3f::UnitZ())[2], 2, 1e-4);
  EXPECT_NEAR(seen(Vec3f::UnitX())[0], 2, 1e-4);
  EXPECT_NEAR(seen(-Vec3f::UnitY())[1], 2, 1e-4);  // a camera along x has −y on its right
}

/// A Lambert slab of albedo 0.5 with its top at z = 0, seen from above under one light.
test::TestStage slab_under(core::Specification light) {
  Geometry geometry;
  test::add_box(geometry, Vec3(-2, -2, -1), Vec3(2, 2, 0), 0);
  return {std::move(geometry), test::materials_of({{"grey", "diffuse", {{"colour", grey(0.5)}}}}), {std::move(light)}};
}

void expect_radiance(core::Specification light, double expected) {
  auto stage = slab_under(std::move(light));
  int outside = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto mean = stage.mean(Vec3f(0.9F, 0.3F, 1), Vec3f(-0.9F, -0.3F, -1), 20000, seed);
    EXPECT_LT(mean.error, 0.02 * expected);
    outside += std::abs(mean.value - expected) > 3 * mean.error + 1e-4 * expected ? 1 : 0;
  }
  EXPECT_LE(outside, 1) << expected;  // 3σ fails once in 370
}

TEST(Lights, ASphericalLampLightsByTheSquareOfItsDistance) {
  // E = π L (r/d)² cos θ, so the radiance is albedo · L (r/d)² cos θ
  expect_radiance({"bulb", "sphere", {{"colour", grey(8)}, {"centre_m", Vec3(0, 0, 2)}, {"radius_m", 0.5}}},
                  0.5 * 8 * 0.25 / 4);
  expect_radiance({"bulb", "sphere", {{"colour", grey(8)}, {"centre_m", Vec3(0, 1.5, 2)}, {"radius_m", 0.5}}},
                  0.5 * 8 * 0.25 / 6.25 * 0.8);
}

TEST(Lights, ARectangleLightsByItsViewFactor) {
  // from an element below the common corner of four equal rectangles a × b at height c
  const double a = 0.5, b = 0.75, c = 1.2, x = a / c, y = b / c;
  const double factor = 4 / (2 * M_PI) *
                        (x / std::sqrt(1 + x * x) * std::atan(y / std::sqrt(1 + x * x)) +
                         y / std::sqrt(1 + y * y) * std::atan(x / std::sqrt(1 + y * y)));
  expect_radiance({"panel",
                   "rectangle",
                   {{"colour", grey(3)},
                    {"centre_m", Vec3(0, 0, c)},
                    {"target_m", Vec3(0, 0, 0)},
                    {"width_m", 2 * a},
                    {"height_m", 2 * b}}},
                  0.5 * 3 * factor);
}

TEST(Lights, ASoftSunLightsLikeAPoint) {
  expect_radiance({"sun", "sun", {{"colour", grey(2)}, {"direction", Vec3(0, 0.6, 0.8)}, {"radius_deg", 0.5}}},
                  0.5 * 2 * 0.8);
}

}  // namespace
}  // namespace brisance::render
