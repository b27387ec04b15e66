#include "brisance/contact/rigid/rigid_contact.hpp"

#include "mass_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using std::numbers::pi;
using testing::MassPoints;

constexpr double kMass = 0.7, kStiffness = 2.8e5, kSpeed = 3;

ColliderParameters ground(double damping_ratio, double friction = 0) {
  ColliderParameters p;
  p.name = "ground";
  p.stiffness_n_per_m = kStiffness;
  p.damping_ratio = damping_ratio;
  p.friction = friction;
  return p;
}

struct Bounce {
  double restitution = 0, deepest = 0, duration = 0, impulse = 0, weakest_normal_force = 0;
};

// One mass thrown at the ground; it starts `phase` steps of free flight above it.
Bounce bounce(double damping_ratio, double dt, double phase) {
  RigidColliders colliders({ground(damping_ratio)});
  const core::Comm comm;
  MassPoints points;
  const auto i = points.add(Vec3(0, 0, phase * kSpeed * dt), Vec3(0, 0, -kSpeed), kMass);
  Bounce b;
  for (int step = 1; step <= 1 || points.position(i).z() < 0 || points.velocity(i).z() < 0; ++step) {
    points.step(comm, colliders, step * dt, dt, Vec3::Zero());
    b.duration += colliders.contacts().empty() ? 0 : dt;
    b.impulse += dt * points.force(i).z();
    b.weakest_normal_force = std::min(b.weakest_normal_force, points.force(i).z());
    b.deepest = std::max(b.deepest, -points.position(i).z());
  }
  b.restitution = points.velocity(i).z() / kSpeed;
  return b;
}

// VALIDATION E1: half a period of the spring, depth v √(m/k), no energy lost.
TEST(PenaltyLaw, UndampedBounceTakesHalfAPeriodAndReturnsAllEnergy) {
  const double omega = std::sqrt(kStiffness / kMass);
  const Bounce b = bounce(0, pi / omega / 1000, 0.5);
  EXPECT_NEAR(b.duration, pi / omega, 0.002 * pi / omega);
  EXPECT_NEAR(b.deepest, kSpeed / omega, 1e-3 * kSpeed / omega);
  EXPECT_NEAR(b.restitution, 1, 1e-5);
}

// VALIDATION E1: closed form of the bounce whose tension is cut off, from the moment the damper's pull balances the
// spring.
TEST(PenaltyLaw, DampedRestitutionIsThatOfASpringWithoutAdhesion) {
  const double omega = std::sqrt(kStiffness / kMass);
  const std::pair<double, double> expected[] = {{0.05, 0.85876}, {0.1, 0.74408}, {0.2, 0.57174}, {0.5, 0.29844}};
  for (const auto& [ratio, restitution] : expected) {
    const Bounce b = bounce(ratio, pi / omega / 4000, 0.5);
    EXPECT_NEAR(b.restitution, restitution, 1e-3) << "damping ratio " << ratio;
    EXPECT_EQ(b.weakest_normal_force, 0) << "it pulls";
  }
}

// VALIDATION E1: error by few steps in contact: .994, .9994, .99993 for 5, 10, 20 steps at one phase of the samples.
// Other phases lose less or gain as much; forward Euler would return 2.5, 1.6, 1.3 times the speed.
TEST(PenaltyLaw, RestitutionWithFewStepsInContact) {
  const double omega = std::sqrt(kStiffness / kMass);
  const std::pair<int, double> allowed[] = {{5, 0.018}, {10, 0.0025}, {20, 0.0003}};
  for (const auto& [steps, tolerance] : allowed)
    for (double phase = 0; phase < 1; phase += 0.0625) {
      const double e = bounce(0, pi / omega / steps, phase).restitution;
      EXPECT_NEAR(e, 1, tolerance) << steps << " steps, phase " << phase;
    }
}

// VALIDATION E8: the contact's impulse is the change of momentum.
TEST(PenaltyLaw, ImpulseIsTheChangeOfMomentum) {
  const Bounce b = bounce(0.1, 1e-5, 0.3);
  EXPECT_NEAR(b.impulse, kMass * kSpeed * (1 + b.restitution), 1e-12 * kMass * kSpeed);
}

TEST(PenaltyLaw, ChosenStiffnessFollowsMassAndWaveFrequency) {
  ColliderParameters p = ground(0);
  p.stiffness_n_per_m = 0;
  p.stiffness_scale = 0.5;
  RigidColliders colliders({p});
  MassPoints points;
  const auto light = points.add(Vec3(0, 0, -1e-3), Vec3::Zero(), 0.2, 3e3);
  const auto heavy = points.add(Vec3(1, 0, -1e-3), Vec3::Zero(), 5.0, 1e3);
  const auto outside = points.add(Vec3(2, 0, 1e-3), Vec3::Zero(), 5.0, 1e3);
  points.find_forces(colliders, 1e-5, Vec3::Zero());
  EXPECT_NEAR(points.force(light).z(), 0.5 * 0.2 * 9e6 * 1e-3, 1e-10);
  EXPECT_NEAR(points.force(heavy).z(), 0.5 * 5.0 * 1e6 * 1e-3, 1e-10);
  EXPECT_EQ(points.force(outside).norm(), 0);
}

// Two walls in a corner: each exerts a force along its own normal, and a node's friction never reverses its slip.
TEST(PenaltyLaw, SeveralBodiesPushTheSameNode) {
  ColliderParameters floor = ground(0, 50), wall = ground(0, 50);
  wall.normal = Vec3::UnitX();
  RigidColliders colliders({floor, wall});
  MassPoints points;
  const auto i = points.add(Vec3(-1e-3, 0, -2e-3), Vec3(0, 4, 0), kMass);
  const double dt = 1e-6;
  points.find_forces(colliders, dt, Vec3::Zero());
  ASSERT_EQ(colliders.contacts().size(), 2u);
  points.integrate(dt, Vec3::Zero());
  EXPECT_GE(points.velocity(i).y(), 0);
  EXPECT_LT(points.velocity(i).y(), 4);
  EXPECT_GT(points.velocity(i).x(), 0);
  EXPECT_GT(points.velocity(i).z(), 0);
}

}  // namespace
}  // namespace brisance::contact
