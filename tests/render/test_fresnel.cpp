/// Reflectances at interfaces against closed forms.
#include "render/materials/fresnel.hpp"

#include <cmath>
#include <complex>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

constexpr float kDegree = static_cast<float>(M_PI / 180);

TEST(Fresnel, PerpendicularLightReflectsTheSquareOfItsIndexRatio) {
  EXPECT_NEAR(fresnel_dielectric(1, 1.3F), 0.017013F, 1e-6);  // ((η − 1)/(η + 1))²
  EXPECT_NEAR(fresnel_dielectric(1, 1.5F), 0.04F, 1e-6);
  EXPECT_NEAR(fresnel_dielectric(1, 1 / 1.5F), 0.04F, 1e-6);
  EXPECT_EQ(fresnel_dielectric(1, 1), 0);
}

TEST(Fresnel, AtBrewstersAngleOnlyTheOtherPolarisationIsReflected) {
  for (const auto& [index, angle] : {std::pair(1.3F, 52.431F), std::pair(1.5F, 56.310F)}) {
    const float cosine = std::cos(angle * kDegree), beyond = refracted_cosine(cosine, index);
    const float parallel = (index * cosine - beyond) / (index * cosine + beyond);
    EXPECT_NEAR(parallel, 0, 1e-5);  // angles have three decimals
    const float perpendicular = (cosine - index * beyond) / (cosine + index * beyond);
    EXPECT_NEAR(fresnel_dielectric(cosine, index), 0.5F * perpendicular * perpendicular, 1e-6);
  }
}

TEST(Fresnel, LightIsTotallyReflectedBeyondTheCriticalAngleAndAtGrazing) {
  for (const auto& [index, angle] : {std::pair(1.3F, 50.285F), std::pair(1.5F, 41.810F)}) {
    EXPECT_LT(fresnel_dielectric(std::cos((angle - 0.01F) * kDegree), 1 / index), 0.97F);
    EXPECT_EQ(fresnel_dielectric(std::cos((angle + 0.01F) * kDegree), 1 / index), 1);
    EXPECT_NEAR(fresnel_dielectric(1e-4F, index), 1, 2e-3);
  }
}

TEST(Fresnel, IsTheSameInBothDirections) {
  for (float cosine = 0.05F; cosine < 1; cosine += 0.05F)
    EXPECT_NEAR(fresnel_dielectric(cosine, 1.5F), fresnel_dielectric(refracted_cosine(cosine, 1.5F), 1 / 1.5F), 2e-5);
}

TEST(Fresnel, DiffuseLightIsReflectedAsMuchAsTheKnownMeans) {
  // 2 ∫ F(μ) μ dμ: .061132 for 1.3 and .091778 for 1.5; inside, 1 − (1 − F)/η²
  const auto mean = [](float index) {
    double sum = 0;
    constexpr int kSteps = 20000;
    for (int i = 0; i < kSteps; ++i) {
      const float mu = (static_cast<float>(i) + 0.5F) / kSteps;
      sum += 2.0 * mu * fresnel_dielectric(mu, index) / kSteps;
    }
    return sum;
  };
  EXPECT_NEAR(mean(1.3F), 0.061132, 2e-6);
  EXPECT_NEAR(mean(1.5F), 0.091778, 2e-6);
  EXPECT_NEAR(mean(1 / 1.3F), 0.444457, 2e-5);  // the kink at the critical angle costs the midpoint rule a digit
  EXPECT_NEAR(mean(1 / 1.5F), 0.596346, 2e-5);
}

TEST(Fresnel, AConductorWithoutAbsorptionIsADielectric) {
  for (float cosine = 0.05F; cosine <= 1; cosine += 0.05F)
    EXPECT_NEAR(fresnel_conductor(cosine, 1.5F, 0), fresnel_dielectric(cosine, 1.5F), 1e-5);
}

TEST(Fresnel, AMetalReflectsWhatComplexNumbersSay) {
  // Fresnel's amplitudes with a complex index m: cos θt = √(1 − sin²θ/m²)
  const std::complex<double> index(0.2, 3.9);
  for (double cosine = 0; cosine <= 1; cosine += 0.05) {
    const auto beyond = std::sqrt(1.0 - (1 - cosine * cosine) / (index * index));
    const auto perpendicular = (cosine - index * beyond) / (cosine + index * beyond);
    const auto parallel = (index * cosine - beyond) / (index * cosine + beyond);
    EXPECT_NEAR(fresnel_conductor(static_cast<float>(cosine), 0.2F, 3.9F),
                0.5 * (std::norm(perpendicular) + std::norm(parallel)), 1e-5);
  }
}

}  // namespace
}  // namespace brisance::render
