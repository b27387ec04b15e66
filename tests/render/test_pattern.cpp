/// Patterns of materials: smooth, fixed to the matter, between 1 and their colour.
#include "brisance/core/error.hpp"

#include "render/materials/materials.hpp"
#include "render/materials/pattern.hpp"
#include "stages.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

core::Specification painted(const std::string& kind, const std::string& pattern) {
  return {"painted",
          kind,
          {{"colour", test::grey(0.8)},
           {"pattern", pattern},
           {"pattern_colour", Vec3(0.5, 0.25, 0)},
           {"pattern_size_m", 0.1}}};
}

Pattern pattern_of(const core::Specification& each) {
  return Pattern(Values(kind_named(material_kinds(), each.kind), each));
}

TEST(Pattern, NoiseIsSmoothAndHasNoMean) {
  double sum = 0, squares = 0, most = 0, steepest = 0;
  constexpr int kPoints = 20000;
  for (int i = 0; i < kPoints; ++i) {
    const Vec3f at(0.37F * static_cast<float>(i % 29), 0.83F * static_cast<float>(i % 31) - 7,
                   0.0137F * static_cast<float>(i));
    const float value = lattice_noise(at, 4);
    sum += value;
    squares += value * value;
    most = std::max(most, std::abs(static_cast<double>(value)));
    steepest = std::max(steepest, std::abs(static_cast<double>(lattice_noise(at + Vec3f(1e-3F, 0, 0), 4) - value)));
  }
  EXPECT_LT(std::abs(sum / kPoints), 0.02);
  EXPECT_GT(squares / kPoints, 0.03);
  EXPECT_LE(most, 1.1);
  EXPECT_LT(steepest, 5e-3);
  EXPECT_EQ(lattice_noise(Vec3f(3, -2, 5), 4), 0);  // at the lattice's points
}

TEST(Pattern, LiesBetweenOneAndItsColour) {
  for (const char* form : {"veins", "clouds", "speckles"}) {
    const Pattern pattern = pattern_of(painted("diffuse", form));
    float least = 1, most = 0;
    for (int i = 0; i < 4000; ++i) {
      const Rgb factor =
          pattern.factor(Vec3f(0.013F * static_cast<float>(i % 50), 0.017F * static_cast<float>(i / 50), 0.3F));
      EXPECT_TRUE((factor <= 1).all() && factor[0] >= 0.5F - 1e-6F && factor[1] >= 0.25F - 1e-6F &&
                  factor[2] >= -1e-6F);
      EXPECT_NEAR((1 - factor[0]) / 0.5F, 1 - factor[2], 1e-5);
      least = std::min(least, factor[2]);
      most = std::max(most, factor[2]);
    }
    EXPECT_LT(least, 0.3F) << form;  // some places are painted, some are not
    EXPECT_GT(most, 0.8F) << form;
  }
}

TEST(Pattern, ColoursMaterialsByThePositionAtRest) {
  for (const char* kind : {"diffuse", "glazed"}) {
    const auto plain = make_material({"plain", kind, {{"colour", test::grey(0.8)}}});
    const auto veined = make_material(painted(kind, "clouds"));
    EXPECT_FALSE(plain->needs().rest);
    EXPECT_TRUE(veined->needs().rest);
    const Vec3f wo = Vec3f::UnitZ(), wi = Vec3f(0.6F, 0, 0.8F);
    double largest = 0;
    for (int i = 0; i < 100; ++i) {
      const SurfacePoint at{.rest_position = Vec3f(0.02F * static_cast<float>(i), 0, 0), .relative_index = 1.5F};
      const Rgb with = veined->evaluate(at, wo, wi), without = plain->evaluate(at, wo, wi);
      EXPECT_TRUE((with <= without + 1e-6F).all());
      largest = std::max(largest, 1.0 - with[2] / without[2]);
    }
    EXPECT_GT(largest, 0.5) << kind;
  }
}

TEST(Pattern, TintsSubsurfaceOnBothWays) {
  const auto marble = make_material({"marble",
                                     "subsurface",
                                     {{"medium", std::string("marble")},
                                      {"pattern", std::string("clouds")},
                                      {"pattern_colour", test::grey(0.25)},
                                      {"pattern_size_m", 0.1}}});
  float least = 1;
  for (int i = 0; i < 200; ++i)
    least = std::min(least, marble->tint({.rest_position = Vec3f(0.02F * static_cast<float>(i), 0, 0)})[0]);
  EXPECT_GE(least, 0.5F - 1e-6F);  // the root of 0.25
  EXPECT_LT(least, 0.65F);
}

TEST(Pattern, GlazeInEvenLightLosesNothing) {
  // Ground of albedo 1: what the layer reflects and what it lets through add to 1, but for what facets throw at each
  // other, next to nothing where they are this flat.
  const auto glaze = make_material({"white", "glazed", {{"colour", test::grey(1)}, {"roughness", 0.05}}});
  for (const float cosine : {1.0F, 0.7F, 0.3F}) {
    const Vec3f wo(std::sqrt(1 - cosine * cosine), 0, cosine);
    double sum = 0;
    constexpr std::uint32_t kSamples = 16384;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      Sampler sampler(9, 0, i, kSamples);
      const Point2 random = sampler.next();
      if (const auto s = glaze->sample({}, wo, random, sampler.next().u)) sum += s->weight[0];
    }
    EXPECT_NEAR(sum / kSamples, 1, 5e-3) << cosine;
  }
}

}  // namespace
}  // namespace brisance::render
