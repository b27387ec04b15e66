// VALIDATION E7: a plane tilted by θ, and mass points on it.
#include "mass_points.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using testing::MassPoints;

constexpr double kTilt = 0.5, kMass = 0.3, kGravity = 9.81, kFrequency = 400, kDt = 2e-4;
const Vec3 kDown(0, 0, -kGravity);
const Vec3 kNormal(std::sin(kTilt), 0, std::cos(kTilt));
const Vec3 kDownhill(std::cos(kTilt), 0, -std::sin(kTilt));
const double kRestDepth = kGravity * std::cos(kTilt) / (kFrequency * kFrequency);

RigidColliders incline(double friction) {
  ColliderParameters p;
  p.name = "incline";
  p.normal = kNormal;
  p.friction = friction;
  p.damping_ratio = 0.3;
  return RigidColliders({p});
}

// Starts at the equilibrium depth and slides for a quarter of a second; returns its velocity.
Vec3 velocity_after_quarter_second(double friction, const Vec3& start_velocity) {
  RigidColliders colliders = incline(friction);
  MassPoints points;
  const auto i = points.add(-kRestDepth * kNormal, start_velocity, kMass, kFrequency);
  for (int step = 1; step <= 1250; ++step) points.step(core::Comm(), colliders, step * kDt, kDt, kDown);
  return points.velocity(i);
}

TEST(Incline, WithoutFrictionItSlidesWithGSinTheta) {
  const Vec3 v = velocity_after_quarter_second(0, Vec3::Zero());
  EXPECT_NEAR(v.dot(kDownhill), 0.25 * kGravity * std::sin(kTilt), 1e-6);
}

TEST(Incline, FrictionBelowTheTangentSlowsTheSlide) {
  const Vec3 v = velocity_after_quarter_second(0.3, Vec3::Zero());
  EXPECT_NEAR(v.dot(kDownhill), 0.25 * kGravity * (std::sin(kTilt) - 0.3 * std::cos(kTilt)), 1e-6);
}

TEST(Incline, FrictionAboveTheTangentStopsASlideAndHoldsStill) {
  const double braking = kGravity * (0.9 * std::cos(kTilt) - std::sin(kTilt));
  ASSERT_GT(braking, 0);
  EXPECT_LT(velocity_after_quarter_second(0.9, 0.2 * braking * kDownhill).norm(), 1e-9);
  EXPECT_LT(velocity_after_quarter_second(0.9, Vec3::Zero()).norm(), 1e-9);
}

// Two boxes side by side are one floor: deeper than it is far from the seam, a point is not pushed out of a side.
TEST(Incline, WithoutFrictionAPointSlidesOverTheSeamOfTwoBoxes) {
  std::vector<ColliderParameters> tiles(2);
  for (int side = 0; side < 2; ++side) {
    ColliderParameters& tile = tiles[static_cast<std::size_t>(side)];
    tile.name = side == 0 ? "left" : "right";
    tile.shape = ColliderShape::box;
    tile.size = Vec3(1, 1, 0.2);
    tile.position = Vec3(side - 0.5, 0, -0.1);
    tile.friction = 0;
    tile.damping_ratio = 0.3;
  }
  RigidColliders colliders(tiles);
  MassPoints points;
  const double speed = 0.1, rest_depth = kGravity / (kFrequency * kFrequency);
  ASSERT_GT(rest_depth, speed * kDt);  // some steps end nearer to the seam than to the top
  const auto i = points.add(Vec3(-0.0102, 0, -rest_depth), Vec3(speed, 0, 0), kMass, kFrequency);
  for (int step = 1; step <= 1000; ++step) points.step(core::Comm(), colliders, step * kDt, kDt, kDown);
  EXPECT_GT(points.position(i).x(), 0.009);
  EXPECT_EQ(points.velocity(i).x(), speed);
  EXPECT_NEAR(points.position(i).z(), -rest_depth, 1e-9);
}

TEST(Incline, ARestingBlockSinksInByItsWeightOverTheStiffnessOfItsNodes) {
  ColliderParameters p;
  p.name = "ground";
  p.damping_ratio = 0.5;
  RigidColliders colliders({p});
  MassPoints points;
  for (int i = 0; i < 4; ++i) points.add(Vec3(i, 0, 0), Vec3::Zero(), kMass, kFrequency);
  for (int step = 1; step <= 2000; ++step) points.step(core::Comm(), colliders, step * kDt, kDt, kDown);
  const double stiffness = kMass * kFrequency * kFrequency;
  for (const auto i : points.owned) EXPECT_NEAR(points.position(i).z(), -4 * kMass * kGravity / (stiffness * 4), 1e-9);
}

}  // namespace
}  // namespace brisance::contact
