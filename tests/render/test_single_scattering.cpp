/// Light scattered once: closed form, its estimator, and what it adds to the dipole.
#include "render/media/dipole.hpp"
#include "render/media/fresnel_moments.hpp"
#include "render/media/single_scattering.hpp"
#include "render/media/smooth_boundary.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace brisance::render::media {
namespace {

constexpr double kPi = std::numbers::pi;

Medium lossless(double index) { return {.reduced_scattering = Channels::Constant(1000), .index = index}; }

/// Radiance leaving in even light of radiance 1: ∫ f 2π μ_i dμ_i by the midpoint rule.
double in_even_light(const Medium& medium, double cosine_out) {
  constexpr int kNumNodes = 2000;
  double sum = 0;
  for (int i = 0; i < kNumNodes; ++i) {
    const double in = (i + 0.5) / kNumNodes;
    sum += 2 * kPi * in * single_scattering(medium, in, cosine_out)[0] / kNumNodes;
  }
  return sum;
}

TEST(SingleScattering, IsReciprocal) {
  const Medium marble = medium_named("marble");
  const Channels there = single_scattering(marble, 0.3, 0.8), back = single_scattering(marble, 0.8, 0.3);
  EXPECT_TRUE(there.isApprox(back, 1e-14));
}

TEST(SingleScattering, AlbedoOfAMatchedBoundaryIsTheClosedForm) {
  // α' ∫∫ μ μ'/(μ + μ') dμ dμ' = α' ⅔ (1 − ln 2)
  const double expected = 2.0 / 3 * (1 - std::log(2));
  EXPECT_NEAR(single_scattering_albedo(lossless(1))[1], expected, 1e-4 * expected);
  Medium grey = lossless(1);
  grey.absorption = grey.reduced_scattering;
  EXPECT_NEAR(single_scattering_albedo(grey)[1], 0.5 * expected, 1e-4 * expected);
}

TEST(SingleScattering, AlbedoIsTheIntegralOfTheRadianceInEvenLight) {
  for (const double index : {1.3, 1.5}) {
    constexpr int kNumNodes = 200;
    double sum = 0;
    for (int o = 0; o < kNumNodes; ++o) {
      const double out = (o + 0.5) / kNumNodes;
      sum += 2 * out * in_even_light(lossless(index), out) / kNumNodes;
    }
    const double entered = 1 - external_reflectance(index);
    EXPECT_NEAR(single_scattering_albedo(lossless(index))[0], sum / entered, 1e-4);  // 64 nodes against 200 and 2000
  }
}

TEST(SingleScattering, SampledDistancesGiveTheClosedForm) {
  // One sample: a distance along the refracted ray out, then straight to a distant light.
  constexpr int kNumSamples = 200000;
  const Medium medium = medium_named("skin1");
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const auto& [in, out] : {std::pair{0.9, 0.7}, std::pair{0.2, 0.5}}) {
    Channels sum = Channels::Zero(), squares = Channels::Zero();
    const double leaving = 1 - fresnel_reflectance(out, medium.index);
    for (int i = 0; i < kNumSamples; ++i) {
      const double u = uniform(engine), v = uniform(engine);
      const ScatteringPoint point = sample_scattering_point(medium, u, v);
      const double depth = point.distance * refracted_cosine(out, medium.index);
      const Channels value = leaving * point.weight / (4 * kPi) * light_through_surface(medium, in, depth / in);
      sum += value;
      squares += value.square();
    }
    const Channels mean = sum / kNumSamples;
    const Channels sigma = ((squares / kNumSamples - mean.square()) / kNumSamples).sqrt();
    const Channels expected = in * single_scattering(medium, in, out);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(mean[c], expected[c], 3 * sigma[c]) << c;
    EXPECT_LT((sigma / mean).maxCoeff(), 0.01);
  }
}

TEST(SingleScattering, AddedToTheWholeDipoleCreatesLight) {
  // A lossless half space in even light of radiance 1, seen along its normal. With the exit factor F_t(ω_o) alone the
  // dipole loses light at the surface a second time; the sum with single scattering is 1 at best by accident.
  const auto radiance = [](double index) {
    const double reflected = fresnel_reflectance(1, index);
    return reflected + (1 - reflected) * (1 - external_reflectance(index)) * Dipole(lossless(index)).total()[0];
  };
  EXPECT_NEAR(radiance(1.3), 0.9399, 5e-5);
  EXPECT_NEAR(radiance(1.5), 0.9119, 5e-5);
  EXPECT_NEAR(radiance(1.3) + in_even_light(lossless(1.3), 1), 1.0143, 1e-4);
  EXPECT_NEAR(radiance(1.5) + in_even_light(lossless(1.5), 1), 0.9634, 1e-4);
}

TEST(SingleScattering, TakenOutOfTheDipoleItKeepsTheFurnace) {
  // With the exit factor F_t(ω_o)/(1 − F_ext) the dipole alone gives 1 at every angle; replacing its share of single
  // scattering changes the angles, not the sum.
  for (const double index : {1.3, 1.5}) {
    constexpr int kNumNodes = 400;
    const double once = single_scattering_albedo(lossless(index))[0];
    double flux = 0;
    for (int o = 0; o < kNumNodes; ++o) {
      const double out = (o + 0.5) / kNumNodes, reflected = fresnel_reflectance(out, index);
      const double radiance = reflected + (1 - reflected) * (1 - once) + in_even_light(lossless(index), out);
      EXPECT_NEAR(radiance, 1, 0.012);  // the largest change is at grazing angles, index 1.3
      flux += 2 * out * radiance / kNumNodes;
    }
    EXPECT_NEAR(flux, 1, 2e-4);
  }
}

}  // namespace
}  // namespace brisance::render::media
