/// State of the spring of a point in contact, and the source of its energy.
#include "brisance/contact/contact_spring.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

constexpr double kStiffness = 1e6;

double pressed(const ContactSpring& spring) { return spring.depth_m - spring.offset_m; }
double energy(const ContactSpring& spring) { return 0.5 * spring.stiffness_n_per_m * std::pow(pressed(spring), 2); }

PointPath path(double depth_m, double approach_m, double stiffness = kStiffness, std::int64_t facet = 7) {
  return {.facet = facet,
          .depth_m = depth_m,
          .last_approach_m = approach_m,
          .next_approach_m = approach_m,
          .stiffness_n_per_m = stiffness};
}

ContactSpring spring(double depth_m) { return followed(ContactSpring(), path(depth_m, depth_m)); }

TEST(ContactSpring, PointThatMovedThroughTheFacetIsPressedByItsWholeDepth) {
  const ContactSpring one = spring(1e-4);
  EXPECT_EQ(one.offset_m, 0);
  EXPECT_EQ(pressed(followed(one, path(3e-4, 2e-4))), 3e-4);
}

TEST(ContactSpring, DepthThatNoMotionExplainsPressesNothingAndIsNeverLarger) {
  ContactSpring one = followed(ContactSpring(), path(1e-3, 0));
  EXPECT_EQ(one.offset_m, 1e-3);
  one = followed(one, path(4e-4, -6e-4));
  EXPECT_EQ(one.offset_m, 4e-4);
  EXPECT_EQ(pressed(followed(one, path(6e-4, 2e-4))), 6e-4 - 4e-4);
}

// On one facet depth changes by motion alone, for any velocities at the step's end.
TEST(ContactSpring, AnotherFacetThatIsDeeperPutsInNoEnergy) {
  const ContactSpring one = spring(1e-4);
  EXPECT_NEAR(pressed(followed(one, path(9e-4, 0, kStiffness, 8))), 1e-4, 1e-18);
  EXPECT_NEAR(pressed(followed(one, path(9e-4, 0))), 9e-4, 1e-18);
  EXPECT_EQ(pressed(followed(one, path(2e-5, 0, kStiffness, 8))), 2e-5);
}

TEST(ContactSpring, StiffeningKeepsTheEnergy) {
  ContactSpring one = spring(1e-4);
  one.slip_m = {3e-5, 0, -1e-5};
  const ContactSpring stiffer = followed(one, path(1e-4, 0, 4 * kStiffness));
  EXPECT_EQ(stiffer.stiffness_n_per_m, 4 * kStiffness);
  EXPECT_NEAR(energy(stiffer), energy(one), 1e-12 * energy(one));
  EXPECT_NEAR(stiffer.slip_m[0], 0.5 * one.slip_m[0], 1e-18);
}

TEST(ContactSpring, SofteningKeepsTheDepthThatPresses) {
  const ContactSpring softer = followed(spring(1e-4), path(1e-4, 0, 0.6 * kStiffness));
  EXPECT_EQ(softer.stiffness_n_per_m, 0.6 * kStiffness);
  EXPECT_EQ(pressed(softer), 1e-4);
}

}  // namespace
}  // namespace brisance::contact
