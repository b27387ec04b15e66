// The law of one cohesive link between crack faces: work to tear it, unloading, and a softer slope.
#include "brisance/fracture/cohesive/cohesive.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::fracture {
namespace {

/// G = 0.02 J, F = 10 N: tears at 4 mm.
Tie tie_with_slope(double slope) {
  Tie tie{.partner = GlobalNode(7), .area = 1e-3, .energy = 0.02, .peak = 10};
  return softened_to(tie, slope);
}

/// Work of an opening that goes from one value to another in small steps, with the damage on the way.
double work(Tie& tie, double from, double to) {
  constexpr int kSteps = 200000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double opening = from + (to - from) * (i + 0.5) / kSteps;
    tie.damage = damage_at(tie, opening);
    sum += secant_stiffness(tie, tie.damage) * opening * (to - from) / kSteps;
  }
  return sum;
}

TEST(Cohesive, TearingTakesTheEnergyWhateverTheSlope) {
  for (const double slope : {1e5, 1e4, 5.1e3}) {
    Tie tie = tie_with_slope(slope);
    EXPECT_DOUBLE_EQ(tie.peak, 10);
    EXPECT_DOUBLE_EQ(tearing_opening(tie), 0.004);
    EXPECT_NEAR(work(tie, 0, 0.0045), 0.02, 1e-9);
    EXPECT_EQ(tie.damage, 1);
    EXPECT_EQ(secant_stiffness(tie, tie.damage), 0);
  }
}

TEST(Cohesive, ForceRisesToThePeakAndFallsLinearly) {
  const Tie tie = tie_with_slope(1e4);  // peak at 1 mm
  const auto force = [&](double opening) { return secant_stiffness(tie, damage_at(tie, opening)) * opening; };
  EXPECT_DOUBLE_EQ(force(0.0005), 5);
  EXPECT_DOUBLE_EQ(force(0.001), 10);
  EXPECT_NEAR(force(0.002), 10 * 2.0 / 3, 1e-12);
  EXPECT_NEAR(force(0.003), 10 / 3.0, 1e-12);
  EXPECT_NEAR(force(0.004), 0, 1e-12);
}

// Unloading and reloading follow one line through the origin, and the energy spent by then is G d.
TEST(Cohesive, UnloadsToTheOriginAndComesBack) {
  Tie tie = tie_with_slope(1e4);
  const double up = work(tie, 0, 0.002), damage = tie.damage;
  EXPECT_NEAR(damage, 1.0 / 3, 1e-5);
  const double stored = 0.5 * secant_stiffness(tie, damage) * 0.002 * 0.002;
  EXPECT_NEAR(up, 0.02 * damage + stored, 1e-9);
  const double down = work(tie, 0.002, 0);
  EXPECT_NEAR(down, -stored, 1e-9);
  EXPECT_EQ(tie.damage, damage);
  EXPECT_NEAR(work(tie, 0, 0.002), stored, 1e-9);
  EXPECT_NEAR(up + down + work(tie, 0, 0) + work(tie, 0.002, 0.0041), 0.02 - stored, 1e-8);
}

// If the stable slope does not reach the peak in time, the peak falls and the energy stays.
TEST(Cohesive, ASlopeThatIsTooLowLowersThePeak) {
  Tie tie = tie_with_slope(1e3);
  EXPECT_NEAR(tie.peak, std::sqrt(0.02 * 1e3), 1e-12);
  EXPECT_NEAR(peak_opening(tie), 0.5 * tearing_opening(tie), 1e-15);
  EXPECT_NEAR(work(tie, 0, 0.01), 0.02, 1e-8);
}

TEST(Cohesive, SofteningKeepsTheDamageAndNeverStiffens) {
  Tie tie = tie_with_slope(1e4);
  tie.damage = 0.4;
  const Tie softer = softened_to(tie, 6e3);
  EXPECT_EQ(softer.damage, 0.4);
  EXPECT_LT(secant_stiffness(softer, 0.4), secant_stiffness(tie, 0.4));
  EXPECT_EQ(softened_to(softer, 1e5).slope, 6e3);
}

}  // namespace
}  // namespace brisance::fracture
