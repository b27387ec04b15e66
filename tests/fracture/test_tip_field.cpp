// The fitted field around a tip, and the angle of largest hoop stress, against closed forms (VALIDATION C3).
#include "brisance/core/random.hpp"
#include "brisance/fracture/criteria/tip_field.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

/// Samples of a field written out by angles here, at places and weights drawn at random.
std::vector<TipSample> drawn(double k1, double k2, double t, int count, std::uint64_t seed) {
  std::vector<TipSample> samples;
  for (int i = 0; i < count; ++i) {
    const auto draw = [&](int purpose) {
      return core::hash_uniform(seed, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(purpose));
    };
    const double r = 1e-3 * (0.1 + draw(1)), a = (2 * draw(2) - 1) * 0.97 * std::numbers::pi;
    const double q = 1 / std::sqrt(2 * std::numbers::pi * r), c = std::cos(a / 2), s = std::sin(a / 2),
                 c3 = std::cos(1.5 * a), s3 = std::sin(1.5 * a);
    samples.push_back({r * std::cos(a), r * std::sin(a), q * (k1 * c * (1 - s * s3) - k2 * s * (2 + c * c3)) + t,
                       q * (k1 * c * (1 + s * s3) + k2 * s * c * c3), q * (k1 * s * c * c3 + k2 * c * (1 - s * s3)),
                       0.1 + draw(3)});
  }
  return samples;
}

TEST(TipField, TheFitReturnsWhatTheSamplesAreMadeOf) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TipField f = fit_tip_field(drawn(3e5, -1e5, 2e6, 6, seed));
    EXPECT_NEAR(f.opening, 3e5, 1e-4) << seed;
    EXPECT_NEAR(f.sliding, -1e5, 1e-4) << seed;
    EXPECT_NEAR(f.along, 2e6, 1e-2) << seed;
  }
}

TEST(TipField, NothingFromNothing) {
  const TipField f = fit_tip_field({});
  EXPECT_EQ(f.opening, 0);
  EXPECT_EQ(hoop_direction(f), std::pair(1.0, 0.0));
  const TipSample at_the_tip{0, 0, 1, 1, 1, 1};
  EXPECT_EQ(fit_tip_field({&at_the_tip, 1}).opening, 0);
}

double degrees(double k1, double k2) {
  const auto [cosine, sine] = hoop_direction({k1, k2, 0});
  return std::atan2(sine, cosine) * 180 / std::numbers::pi;
}

TEST(TipField, C3ClosedFormsOfTheKink) {
  EXPECT_EQ(degrees(1, 0), 0);
  EXPECT_NEAR(degrees(0, 1), -70.528779, 1e-6);  // −arccos(1/3)
  EXPECT_NEAR(degrees(0, -1), 70.528779, 1e-6);
  EXPECT_NEAR(degrees(1, 1), -53.130102, 1e-6);
  EXPECT_NEAR(degrees(-1, 1), -70.528779, 1e-6);  // shut
  EXPECT_EQ(degrees(-1, 0), 0);
}

// The angle is where the singular hoop stress cos(θ/2) (K_I cos²(θ/2) − 3/2 K_II sin θ) is largest.
TEST(TipField, NoOtherDirectionHasMoreHoopStress) {
  for (const auto& [k1, k2] : {std::pair(1.0, 0.2), std::pair(0.3, -1.0), std::pair(2.0, 1.5), std::pair(0.0, 1.0)}) {
    const auto hoop = [&](double a) {
      const double c = std::cos(a / 2);
      return c * (k1 * c * c - 1.5 * k2 * std::sin(a));
    };
    const double best = hoop(degrees(k1, k2) * std::numbers::pi / 180);
    for (int d = -179; d < 180; ++d) EXPECT_LE(hoop(d * std::numbers::pi / 180), best + 1e-12) << d;
  }
}

}  // namespace
}  // namespace brisance::fracture
