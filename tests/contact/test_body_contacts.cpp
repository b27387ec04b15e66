// Contact between rigid bodies: bounces, collisions and rest, with energy accounts that close.
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/error.hpp"

#include "rigid_bodies.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using testing::advance, testing::total_energy;

constexpr double kWaveFrequency = 1e4;  // the pair's spring: 1e3 1/s, a contact lasts π ms

ColliderParameters ground() {
  ColliderParameters plane;
  plane.name = "ground";
  plane.damping_ratio = 0;
  return plane;
}

ColliderParameters ball(const Vec3& position, const Vec3& velocity) {
  ColliderParameters sphere;
  sphere.name = "ball";
  sphere.shape = ColliderShape::sphere;
  sphere.motion = ColliderMotion::free;
  sphere.radius_m = 0.1;
  sphere.mass_kg = 2;
  sphere.position = position;
  sphere.velocity = velocity;
  sphere.damping_ratio = 0;
  sphere.friction = 0;
  return sphere;
}

ColliderParameters crate(const Vec3& position) {
  ColliderParameters box;
  box.name = "crate";
  box.shape = ColliderShape::box;
  box.motion = ColliderMotion::free;
  box.size = Vec3(0.2, 0.3, 0.1);
  box.mass_kg = 3;
  box.position = position;
  box.damping_ratio = 0.3;
  return box;
}

TEST(BodyContacts, BallBouncesOffTheGroundWithoutLoss) {
  RigidColliders bodies({ground(), ball({0, 0, 0.15}, {0, 0, -2})});
  bodies.let_bodies_touch(kWaveFrequency);
  advance(bodies, 0.06, Vec3::Zero());
  EXPECT_NEAR(bodies.states()[1].velocity.z(), 2, 2e-2);  // symplectic Euler, 150 steps in the contact
  EXPECT_GT(bodies.states()[1].position.z(), 0.1);
}

// VALIDATION E1, a damper without adhesion: a mass returns with 0.744 of its speed at ζ = 0.1.
TEST(BodyContacts, DampedBounceReturnsWhatTheLawSays) {
  auto sphere = ball({0, 0, 0.15}, {0, 0, -2});
  sphere.damping_ratio = 0.1;
  RigidColliders bodies({ground(), sphere});
  bodies.let_bodies_touch(kWaveFrequency);
  // The pair's effective mass is less than the sphere's mass (its mobility includes rotation), so that the spring is
  // softer for the mass it stops and damps less: m_pair = m/3.5, ζ_eff = ζ √(m_pair/m).
  const double effective = 0.1 / std::sqrt(3.5);
  advance(bodies, 0.1, Vec3::Zero());
  const double returned = bodies.states()[1].velocity.z() / 2;
  // Without adhesion: between exp(−πζ/√(1−ζ²)) and exp(−2ζ·π/2) of the linear law, a few thousandths apart here.
  EXPECT_NEAR(returned, std::exp(-std::numbers::pi * effective / std::sqrt(1 - effective * effective)), 0.01);
  EXPECT_NEAR(total_energy(bodies, Vec3::Zero()), 0.5 * 2 * 4, 0.02 * 4);
}

TEST(BodyContacts, EqualBallsSwapTheirVelocities) {
  auto second = ball({0.25, 0, 0}, {-1, 0, 0});
  second.name = "second";
  RigidColliders bodies({ball({0, 0, 0}, {3, 0, 0}), second});
  bodies.let_bodies_touch(kWaveFrequency);
  advance(bodies, 0.06, Vec3::Zero());
  EXPECT_NEAR(bodies.states()[0].velocity.x(), -1, 0.03);
  EXPECT_NEAR(bodies.states()[1].velocity.x(), 3, 0.03);
  EXPECT_NEAR((bodies.states()[0].velocity + bodies.states()[1].velocity - Vec3(2, 0, 0)).norm(), 0, 1e-12);
}

TEST(BodyContacts, CrateFallsOnTheGroundAndComesToRest) {
  const Vec3 gravity(0, 0, -9.81);
  auto box = crate({0, 0, 0.2});
  box.angular_velocity = Vec3(1, 2, 0);
  RigidColliders bodies({ground(), box});
  bodies.let_bodies_touch(kWaveFrequency);
  const double before = total_energy(bodies, gravity);
  advance(bodies, 3, gravity);
  const BodyState& state = bodies.states()[1];
  EXPECT_LT(state.velocity.norm(), 1e-3);
  EXPECT_LT(state.angular_velocity.norm(), 1e-2);
  EXPECT_NEAR(state.position.z(), 0.05, 1e-3);  // on its largest face
  EXPECT_NEAR(total_energy(bodies, gravity), before, 0.02 * before);
}

TEST(BodyContacts, ABodyOnAPathPushesAFreeOneAndTheWorkIsBooked) {
  ColliderParameters piston;
  piston.name = "piston";
  piston.shape = ColliderShape::box;
  piston.size = Vec3(0.2, 1, 1);
  piston.motion = ColliderMotion::path;
  piston.path = {{0, Vec3(-0.3, 0, 0), Eigen::Quaterniond::Identity()},
                 {1, Vec3(0.7, 0, 0), Eigen::Quaterniond::Identity()}};
  piston.damping_ratio = 0;
  RigidColliders bodies({piston, ball({0, 0, 0}, {0, 0, 0})});
  bodies.let_bodies_touch(kWaveFrequency);
  advance(bodies, 0.3, Vec3::Zero());
  EXPECT_NEAR(bodies.states()[1].velocity.x(), 2, 0.02);  // elastic: twice the piston's speed
  EXPECT_NEAR(bodies.between_bodies().energies().supplied, 0.5 * 2 * 4, 0.05);
  EXPECT_NEAR(total_energy(bodies, Vec3::Zero()), 0, 0.05);
}

TEST(BodyContacts, AFreeBodyInsideAnotherIsRefused) {
  RigidColliders bodies({ground(), ball({0, 0, 0.05}, {0, 0, 0})});
  EXPECT_THROW(bodies.let_bodies_touch(kWaveFrequency), core::Error);
}

}  // namespace
}  // namespace brisance::contact
