#include "brisance/contact/overlap_law.hpp"

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

TEST(OverlapLaw, GoesOnWithItsSlopeBeyondTheWholeTet) {
  const OverlapLaw law = softened_law(1, 1.0 / 8);
  EXPECT_NEAR(law.pressure(1.5), 1 + 0.5 * law.slope(1), 1e-12);
  EXPECT_EQ(law.slope(1.5), law.slope(1));
}

TEST(OverlapLaw, IsLinearUpToTheSoftShareAndWholeWhereATetIsInOthers) {
  const OverlapLaw law = softened_law(8e6, 1.0 / 64);
  EXPECT_DOUBLE_EQ(law.pressure(0.1), 0.1 * 8e6 / 64);
  EXPECT_DOUBLE_EQ(law.pressure(OverlapLaw::kSoftShare), OverlapLaw::kSoftShare * 8e6 / 64);
  EXPECT_DOUBLE_EQ(law.pressure(1), 8e6);
  const OverlapLaw heavy = softened_law(8e6, 1);
  EXPECT_EQ(heavy.hardening, 0);
  EXPECT_DOUBLE_EQ(heavy.pressure(0.7), 0.7 * 8e6);
}

// Differences of second order, and rounding over their steps, are some 1e-9 of κ₀.
TEST(OverlapLaw, PressureIsTheSlopeOfTheEnergyAndHasASlopeItself) {
  const OverlapLaw law = softened_law(1, 1.0 / 22);
  constexpr double kStep = 1e-4;
  for (const double share : {0.05, 0.2, 0.3, 0.6, 0.9, 1.1, 1.4}) {
    const auto slope = [&](const auto& of) { return (of(share + kStep) - of(share - kStep)) / (2 * kStep); };
    EXPECT_NEAR(slope([&](double q) { return law.energy_density(q); }), law.pressure(share), 1e-8);
    EXPECT_NEAR(slope([&](double q) { return law.pressure(q); }), law.slope(share), 1e-8);
    EXPECT_NEAR(slope([&](double q) { return law.hard_energy_density(q); }), law.hard_pressure(share), 1e-8);
    EXPECT_DOUBLE_EQ(law.soft_pressure(share) + law.hard_pressure(share), law.pressure(share));
  }
}

}  // namespace
}  // namespace brisance::contact
