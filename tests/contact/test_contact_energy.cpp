#include "mass_points.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using testing::MassPoints;

ColliderParameters ball(ColliderMotion motion) {
  ColliderParameters p;
  p.name = "ball";
  p.shape = ColliderShape::sphere;
  p.motion = motion;
  p.radius_m = 0.3;
  p.mass_kg = 0.8;
  p.damping_ratio = 0;
  p.friction = 0;
  return p;
}

MassPoints thrown_points() {
  MassPoints points;
  for (int i = 0; i < 6; ++i)
    points.add(Vec3(0.05 * i - 0.1, 0.02 * i, 0.31 + 0.001 * i), Vec3(0.4, 0, -2), 0.1 + 0.02 * i, 1500);
  return points;
}

// With symplectic Euler the change of ½ m v² in a step is exactly dt f·(v_old + v_new)/2.
TEST(ContactEnergy, WorkOnNodesAndBodiesIsTheirChangeOfKineticEnergy) {
  ColliderParameters law = ball(ColliderMotion::free);
  law.damping_ratio = 0.2;
  law.friction = 0.4;
  RigidColliders colliders({law});
  MassPoints points = thrown_points();
  const double of_nodes = points.kinetic_energy();
  ContactWork work;
  const double dt = 2e-5;
  for (int step = 1; step <= 2000; ++step) {
    points.step(core::Comm(), colliders, step * dt, dt, Vec3::Zero());
    colliders.add_work(points.motion, dt, work);
  }
  EXPECT_GT(of_nodes - points.kinetic_energy(), 0.1) << "nothing was hit";
  EXPECT_NEAR(work.on_nodes.value(), points.kinetic_energy() - of_nodes, 1e-12);
  EXPECT_NEAR(work.on_bodies.value(), kinetic_energy(colliders, 0), 1e-12);
  // all contacts are over, so the nodes' energy loss is in the ball or dissipated, up to the integrator's own error
  ASSERT_EQ(colliders.stored_energy(points.view(), points.offset).value(), 0);
  EXPECT_GT(work.dissipated.value(), 0.05);
  EXPECT_NEAR(work.on_nodes.value() + work.on_bodies.value() + work.dissipated.value(), 0, 2e-3 * of_nodes);
}

TEST(ContactEnergy, SpringForceIsTheGradientOfTheStoredEnergy) {
  ColliderParameters box = ball(ColliderMotion::fixed), sphere = box;
  box.shape = ColliderShape::box;
  box.size = Vec3(0.5, 0.6, 0.4);
  box.orientation = Eigen::Quaterniond(0.8, 0.3, -0.1, 0.4).normalized();
  RigidColliders colliders({sphere, box});
  MassPoints points;
  const auto i = points.add(Vec3(0.11, -0.07, 0.16), Vec3::Zero(), 0.2, 1500);
  points.offset[i] = 0.013;
  points.find_forces(colliders, 1e-5, Vec3::Zero());
  ASSERT_EQ(colliders.contacts().size(), 2u);
  const double step = 1e-6;
  for (int k = 0; k < 3; ++k) {
    const auto energy_at = [&](double shift) {
      MassPoints moved = points;
      moved.motion[i].position[k] += shift;
      return colliders.stored_energy(moved.view(), moved.offset).value();
    };
    const double slope = (energy_at(step) - energy_at(-step)) / (2 * step);
    EXPECT_NEAR(points.force(i)[k], -slope, 1e-6 * points.force(i).norm());
  }
}

// A mass that rests against a fixed spring oscillates without gain: total energy is constant during the elastic bounce.
TEST(ContactEnergy, UndampedTotalStaysWithinTheIntegratorsError) {
  RigidColliders colliders({ball(ColliderMotion::fixed)});
  MassPoints points = thrown_points();
  const double total = points.kinetic_energy();
  const double dt = 1e-6;
  double worst = 0;
  for (int step = 1; step <= 20000; ++step) {
    points.step(core::Comm(), colliders, step * dt, dt, Vec3::Zero());
    const double stored = colliders.stored_energy(points.view(), points.offset).value();
    worst = std::max(worst, std::abs(points.kinetic_energy() + stored - total));
  }
  EXPECT_LT(worst, 2e-3 * total);
  EXPECT_NEAR(points.kinetic_energy(), total, 1e-5 * total);
}

// The bound is sharp: a damped contact kept closed by its own law decays just below it and grows just above.
TEST(StepBound, IsTheLimitOfADampedSpring) {
  for (double ratio : {0.0, 0.1, 0.5, 1.0}) {
    const double omega = 700;
    const double bound = 2 / step_frequency({omega * omega, 2 * ratio * omega});
    EXPECT_NEAR(bound, 2 / omega * (std::sqrt(1 + ratio * ratio) - ratio), 1e-12);
    const auto amplitude = [&](double dt) {
      double x = 1, v = 0;
      for (int step = 0; step < 500; ++step) {
        v -= dt * (omega * omega * x + 2 * ratio * omega * v);
        x += dt * v;
      }
      return std::abs(x) + std::abs(v) * dt;
    };
    EXPECT_LT(amplitude(0.99 * bound), 30);
    EXPECT_GT(amplitude(1.01 * bound), 1e4);
  }
}

TEST(StepBound, OverlappingBodiesAddUpAndSeparateOnesDoNot) {
  const auto two_balls = [](double distance) {
    ColliderParameters other = ball(ColliderMotion::fixed);
    other.position = Vec3(distance, 0, 0);
    return max_frequency(RigidColliders({ball(ColliderMotion::fixed), other}), 1000, 1.0);
  };
  EXPECT_NEAR(two_balls(1.0), 1000, 1e-9);
  EXPECT_NEAR(two_balls(0.5), 1000 * std::numbers::sqrt2, 1e-9);
  ColliderParameters stiff = ball(ColliderMotion::fixed);
  stiff.stiffness_n_per_m = 4e8;
  EXPECT_NEAR(max_frequency(RigidColliders({stiff}), 1000, 0.01), 2e5, 1e-6);
}

}  // namespace
}  // namespace brisance::contact
