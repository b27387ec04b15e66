/// Coefficients of media, and means of the Fresnel reflectance.
#include "brisance/core/error.hpp"

#include "render/media/fresnel_moments.hpp"
#include "render/media/medium.hpp"
#include "render/media/smooth_boundary.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::render::media {
namespace {

/// ∫ f over [0, 1] by the midpoint rule.
template <class F>
double integral(const F& f, int num_nodes = 200000) {
  double sum = 0;
  for (int i = 0; i < num_nodes; ++i) sum += f((i + 0.5) / num_nodes);
  return sum / num_nodes;
}

TEST(Medium, MarbleIsGivenPerMetre) {
  const Medium marble = medium_named("marble");
  EXPECT_DOUBLE_EQ(marble.reduced_scattering[0], 2190);
  EXPECT_DOUBLE_EQ(marble.absorption[2], 7.1);
  EXPECT_NEAR(1000 / effective_transport(marble)[0], 8.51, 0.005);  // [mm], three printed digits
}

TEST(Medium, ScalingKeepsTheAlbedoAndStretchesLengths) {
  const Medium skin = medium_named("skin1"), larger = scaled(skin, 10);
  EXPECT_TRUE(reduced_albedo(larger).isApprox(reduced_albedo(skin), 1e-14));
  EXPECT_TRUE(mean_free_path(larger).isApprox(10 * mean_free_path(skin), 1e-14));
}

TEST(Medium, WrongCoefficientsAreRefused) {
  Medium medium = medium_named("marble");
  EXPECT_NO_THROW(check(medium, "here"));
  medium.absorption[1] = -1;
  EXPECT_THROW(check(medium, "here"), core::Error);
  medium = medium_named("marble");
  medium.reduced_scattering[0] = 0;
  EXPECT_THROW(check(medium, "here"), core::Error);
  medium = medium_named("marble");
  for (const double index : {0.99, 5.0, std::nan("")}) {
    medium.index = index;
    EXPECT_THROW(check(medium, "here"), core::Error);
  }
}

TEST(Medium, UnknownNamesAreAnsweredWithTheChoices) {
  try {
    (void)medium_named("marbel");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_NE(std::string(error.what()).find("marble"), std::string::npos);
  }
}

TEST(SmoothBoundary, FresnelHasItsClosedForms) {
  constexpr double kDegree = std::numbers::pi / 180;
  EXPECT_NEAR(fresnel_reflectance(1, 1.3), 0.017013, 5e-7);  // ((η − 1)/(η + 1))²
  EXPECT_NEAR(fresnel_reflectance(1, 1.5), 0.04, 1e-12);
  EXPECT_NEAR(fresnel_reflectance(1e-9, 1.5), 1, 1e-7);
  // Beyond the critical angles of 50.285° and 41.810° all is reflected.
  EXPECT_LT(fresnel_reflectance(std::cos(50.28 * kDegree), 1 / 1.3), 1);
  EXPECT_EQ(fresnel_reflectance(std::cos(50.29 * kDegree), 1 / 1.3), 1);
  EXPECT_LT(fresnel_reflectance(std::cos(41.80 * kDegree), 1 / 1.5), 1);
  EXPECT_EQ(fresnel_reflectance(std::cos(41.82 * kDegree), 1 / 1.5), 1);
  // At Brewster's angle 56.310° only the perpendicular half is reflected: ½ cos²(2θ_B) for tan θ_B = η.
  const double brewster = std::atan(1.5);
  EXPECT_NEAR(fresnel_reflectance(std::cos(brewster), 1.5), 0.5 * std::pow(std::cos(2 * brewster), 2), 1e-12);
}

TEST(SmoothBoundary, ReflectanceIsTheSameBothWays) {
  for (const double cosine : {0.1, 0.5, 0.9}) {
    const double inside = refracted_cosine(cosine, 1.5);
    EXPECT_NEAR(fresnel_reflectance(cosine, 1.5), fresnel_reflectance(inside, 1 / 1.5), 1e-12);
  }
}

TEST(SmoothBoundary, RefractionFollowsSnell) {
  const Vec3 direction = Vec3(0.6, 0, -0.8), normal = Vec3::UnitZ();
  for (const Vec3& side : {normal, Vec3(-normal)}) {
    const auto inside = refracted(direction, side, 1.5);
    ASSERT_TRUE(inside);
    EXPECT_NEAR(inside->x(), 0.6 / 1.5, 1e-12);
    EXPECT_LT(inside->z(), 0);
    EXPECT_NEAR(inside->norm(), 1, 1e-12);
    const auto back = refracted(*inside, side, 1 / 1.5);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back->isApprox(direction, 1e-12));
  }
  EXPECT_FALSE(refracted(Vec3(0.8, 0, 0.6), normal, 1 / 1.5));
  EXPECT_TRUE(reflected(direction, normal).isApprox(Vec3(0.6, 0, 0.8), 1e-12));
}

TEST(FresnelMoments, ExternalReflectanceIsTheIntegral) {
  for (const double index : {1.00005, 1.01, 1.3, 1.5, 2.4}) {
    const double numeric = integral([&](double mu) { return 2 * mu * fresnel_reflectance(mu, index); });
    EXPECT_NEAR(external_reflectance(index), numeric, 2e-6) << index;  // the midpoint rule near grazing, 200,000 nodes
  }
  EXPECT_NEAR(external_reflectance(1.3), 0.061132, 5e-7);
  EXPECT_NEAR(external_reflectance(1.5), 0.091778, 5e-7);
  EXPECT_EQ(external_reflectance(1), 0);
}

TEST(FresnelMoments, InternalReflectanceIsTheIntegralAndNearThePolynomial) {
  for (const double index : {1.3, 1.33, 1.5}) {
    const double numeric = integral([&](double mu) { return 2 * mu * fresnel_reflectance(mu, 1 / index); });
    EXPECT_NEAR(internal_reflectance(index), numeric, 1e-5) << index;  // a kink at the critical angle
    EXPECT_NEAR(internal_reflectance_fit(index), internal_reflectance(index), 5e-4) << index;  // the fit's own error
  }
  EXPECT_NEAR(internal_reflectance_fit(1.3), 0.444763, 5e-7);
  EXPECT_NEAR(internal_reflectance(1.3), 0.444457, 5e-7);
  EXPECT_NEAR(internal_reflectance_fit(1.33), 0.472357, 5e-7);
  EXPECT_NEAR(internal_reflectance_fit(1.5), 0.596733, 5e-7);
  EXPECT_NEAR(internal_reflectance(1.5), 0.596346, 5e-7);
}

TEST(FresnelMoments, MismatchHasItsPrintedDigits) {
  EXPECT_NEAR(boundary_mismatch(1.3), 2.602064, 5e-7);
  EXPECT_NEAR(boundary_mismatch(1.33), 2.790444, 5e-7);
  EXPECT_NEAR(boundary_mismatch(1.5), 3.959497, 5e-7);
  EXPECT_EQ(boundary_mismatch(1), 1);
}

}  // namespace
}  // namespace brisance::render::media
