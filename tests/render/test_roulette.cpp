/// Trees of specular rays: mean, variance and ray count of each method against closed forms.
#include "stages.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

/// A sheet that reflects and transmits fixed shares without bending light.
class Sheet : public Material {
public:
  Sheet(float reflected, float transmitted) : reflected_(reflected), transmitted_(transmitted) {}
  [[nodiscard]] Rgb evaluate(const SurfacePoint&, const Vec3f&, const Vec3f&) const override { return Rgb::Zero(); }
  [[nodiscard]] std::optional<Scattered> sample(const SurfacePoint& at, const Vec3f& wo, Point2,
                                                float choice) const override {
    return one_of(*branches(at, wo), 1, choice);
  }
  [[nodiscard]] float pdf(const SurfacePoint&, const Vec3f&, const Vec3f&) const override { return 0; }
  [[nodiscard]] std::optional<SpecularPair> branches(const SurfacePoint&, const Vec3f& wo) const override {
    const Scattered up{
        .wi = Vec3f(-wo.x(), -wo.y(), wo.z()), .weight = Rgb::Constant(reflected_), .pdf = 1, .is_specular = true};
    const Scattered down{
        .wi = -wo, .weight = Rgb::Constant(transmitted_), .pdf = 1, .is_specular = true, .is_transmission = true};
    return SpecularPair{.reflected = up, .transmitted = down};
  }
  [[nodiscard]] bool is_specular() const override { return true; }

private:
  float reflected_, transmitted_;
};

/// Parallel sheets at z = 0, −1, …; light of radiance 2 from straight above, 0.7 from below.
test::TestStage sheets(int count, float reflected, float transmitted, Transport transport) {
  Geometry geometry;
  for (int i = 0; i < count; ++i)
    test::add_solid(geometry, {Vec3(-1, -1, -i), Vec3(1, -1, -i), Vec3(1, 1, -i), Vec3(-1, 1, -i)},
                    {{0, 1, 2}, {0, 2, 3}}, 0);
  std::vector<std::unique_ptr<Material>> materials;
  materials.push_back(std::make_unique<Sheet>(reflected, transmitted));
  return {std::move(geometry),
          std::move(materials),
          {{"sky", "sky", {{"zenith", test::grey(2)}, {"horizon", test::grey(0.7)}}}},
          transport};
}

const Vec3f kAbove(0.1F, 0.2F, 1);

/// Of 20 repetitions at most one may miss by more than 3σ (which 1 of 370 does).
void expect_mean(test::TestStage& stage, const Vec3f& from, double mean, double variance) {
  constexpr int kSamples = 20000;
  int outside = 0;
  double variances = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto found = stage.mean(from, -Vec3f::UnitZ(), kSamples, seed);
    outside += std::abs(found.value - mean) >= 3 * std::sqrt(variance / kSamples) ? 1 : 0;
    variances += found.variance / 20;
  }
  EXPECT_LE(outside, 1);
  EXPECT_NEAR(variances, variance, 0.02 * variance);  // 4·10⁵ samples
}

TEST(Roulette, OneOfTwoRaysHasTheMeanOfBothAndTheKnownVariance) {
  // f_r L_r + f_t L_t and f_r f_t (L_r − L_t)²
  auto stage = sheets(1, 0.3F, 0.5F, {.method = Method::roulette, .branching_depth = 0});
  expect_mean(stage, kAbove, 0.3 * 2 + 0.5 * 0.7, 0.3 * 0.5 * 1.3 * 1.3);
}

TEST(Roulette, BothRaysHaveNoVariance) {
  auto stage = sheets(1, 0.3F, 0.5F, {.method = Method::roulette, .branching_depth = 1});
  const auto found = stage.mean(kAbove, -Vec3f::UnitZ(), 100, 1);
  EXPECT_NEAR(found.value, 0.95, 1e-6);
  EXPECT_NEAR(found.variance, 0, 1e-10);
}

TEST(Roulette, EndingRaysAtRandomKeepsTheMean) {
  // Two sheets that transmit all, of which the second may end the ray: L² P/(1 − P), P = 0.05
  auto stage = sheets(2, 0, 1, {.method = Method::roulette, .branching_depth = 0, .max_depth = 1});
  expect_mean(stage, kAbove, 0.7, 0.7 * 0.7 * 0.05 / 0.95);
}

TEST(Roulette, DroppedRaysMakeThePictureTooDark) {
  auto stage = sheets(2, 0, 1, {.method = Method::cutoff, .branching_depth = 0, .max_depth = 1});
  EXPECT_EQ(stage.mean(kAbove, -Vec3f::UnitZ(), 100, 1).value, 0);
  // many sheets: the bias is what is beyond the depth
  auto exact = sheets(3, 0.2F, 0.8F, {.method = Method::branching, .branching_depth = 0, .max_depth = 16});
  auto dropped = sheets(3, 0.2F, 0.8F, {.method = Method::cutoff, .branching_depth = 0, .max_depth = 4});
  const double bias =
      dropped.mean(kAbove, -Vec3f::UnitZ(), 10, 1).value - exact.mean(kAbove, -Vec3f::UnitZ(), 10, 1).value;
  EXPECT_LT(bias, -0.01);
}

TEST(Roulette, AllMethodsHaveOneMean) {
  const double expected = sheets(3, 0.2F, 0.7F, {.method = Method::branching, .branching_depth = 0, .max_depth = 18})
                              .mean(kAbove, -Vec3f::UnitZ(), 1, 1)
                              .value;
  for (const Method method : {Method::path, Method::roulette, Method::branching}) {
    auto stage = sheets(3, 0.2F, 0.7F, {.method = method, .branching_depth = 2, .max_depth = 4});
    int outside = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto found = stage.mean(kAbove, -Vec3f::UnitZ(), 5000, seed);
      outside += std::abs(found.value - expected) > 3 * found.error + 1e-6 ? 1 : 0;
    }
    EXPECT_LE(outside, 1) << static_cast<int>(method);
  }
}

TEST(Roulette, EachDepthDoublesTheRays) {
  // in the middle of many sheets every ray finds another: 1 + 2 + … + 2^depth
  for (int depth = 1; depth <= 7; ++depth) {
    auto stage = sheets(40, 0.3F, 0.5F, {.method = Method::cutoff, .branching_depth = 0, .max_depth = depth});
    (void)stage.mean(Vec3f(0.1F, 0.2F, -19.5F), -Vec3f::UnitZ(), 1, 1);
    EXPECT_EQ(stage.rays().paths, (1U << (depth + 1)) - 1);
  }
  const auto rays = [](int branching_depth) {
    auto stage =
        sheets(40, 0.3F, 0.5F, {.method = Method::roulette, .branching_depth = branching_depth, .max_depth = 12});
    (void)stage.mean(Vec3f(0.1F, 0.2F, -19.5F), -Vec3f::UnitZ(), 200, 1);
    return static_cast<double>(stage.rays().paths);
  };
  EXPECT_NEAR(rays(4) / rays(3), 2, 0.3);
  EXPECT_NEAR(rays(5) / rays(3), 4, 0.8);
}

}  // namespace
}  // namespace brisance::render
