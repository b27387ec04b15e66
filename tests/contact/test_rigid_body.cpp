#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/error.hpp"

#include "contact/rigid/rigid_body.hpp"
#include "mass_points.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using testing::MassPoints;

ColliderParameters free_box() {
  ColliderParameters p;
  p.name = "box";
  p.shape = ColliderShape::box;
  p.motion = ColliderMotion::free;
  p.size = Vec3(0.3, 0.2, 0.1);
  p.mass_kg = 4;
  p.position = Vec3(0, 0, 5);
  p.orientation = Eigen::Quaterniond(0.9, 0.1, -0.4, 0.2).normalized();
  return p;
}

ColliderParameters free_ball(const Vec3& position, const Vec3& velocity, double mass) {
  ColliderParameters p;
  p.name = "ball";
  p.shape = ColliderShape::sphere;
  p.motion = ColliderMotion::free;
  p.radius_m = 0.25;
  p.mass_kg = mass;
  p.position = position;
  p.velocity = velocity;
  return p;
}

// Inertia by summing m r² over a fine grid of the box.
TEST(RigidBody, InertiaIsThatOfTheSolid) {
  const ColliderParameters box = free_box();
  const int n = 40;
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 x = ((Vec3(i, j, k).array() + 0.5) / n - 0.5).matrix().cwiseProduct(box.size);
        sum += box.mass_kg / (n * n * n) * (x.squaredNorm() * Vec3::Ones() - x.cwiseAbs2());
      }
  EXPECT_NEAR((make_shape(box)->inertia(box.mass_kg).principal - sum).norm(), 0, 1e-3 * sum.norm());
  EXPECT_NEAR(make_shape(free_ball(Vec3::Zero(), Vec3::Zero(), 3))->inertia(3).principal.y(), 0.4 * 3 * 0.0625, 1e-15);
}

TEST(RigidBody, FreeFallFollowsSymplecticEulersOwnParabola) {
  RigidColliders colliders({free_box()});
  const double dt = 1e-3;
  const Vec3 gravity(0, 0, -9.81);
  for (int step = 1; step <= 1000; ++step) {
    MassPoints nothing;
    nothing.step(core::Comm(), colliders, step * dt, dt, gravity);
  }
  EXPECT_NEAR(colliders.states()[0].position.z(), 5 - 0.5 * 9.81 * 1 * (1 + dt), 1e-11);
  EXPECT_NEAR(colliders.states()[0].velocity.z(), -9.81, 1e-12);
}

TEST(RigidBody, ATumblingBoxKeepsItsAngularMomentumAndItsEnergy) {
  ColliderParameters box = free_box();
  box.angular_velocity = Vec3(1, 20, 2);  // near the middle axis once turned: it flips over and over
  RigidColliders colliders({box});
  const Vec3 momentum = colliders.states()[0].angular_momentum;
  const double energy = kinetic_energy(colliders, 0);
  const double dt = 1e-4;
  double worst = 0;
  for (int step = 1; step <= 20000; ++step) {
    colliders.add_forces({}, dt, Vec3::Zero(), {}, {});
    colliders.advance(core::Comm(), step * dt, dt, Vec3::Zero());
    worst = std::max(worst, std::abs(kinetic_energy(colliders, 0) / energy - 1));
    const Vec3 found = angular_momentum(make_shape(box)->inertia(box.mass_kg), colliders.states()[0].orientation,
                                        colliders.states()[0].angular_velocity);
    ASSERT_LT((found - momentum).norm(), 1e-13 * momentum.norm());
  }
  EXPECT_EQ(colliders.states()[0].angular_momentum, momentum);
  EXPECT_LT(worst, 1e-5);
}

TEST(RigidBody, ABallTurnsByItsAngularVelocityExactly) {
  ColliderParameters ball = free_ball(Vec3::Zero(), Vec3::Zero(), 2);
  ball.angular_velocity = Vec3(0, 0, 3);
  RigidColliders colliders({ball});
  for (int step = 1; step <= 100; ++step) {
    colliders.add_forces({}, 0.01, Vec3::Zero(), {}, {});
    colliders.advance(core::Comm(), step * 0.01, 0.01, Vec3::Zero());
  }
  const Vec3 turned = colliders.states()[0].orientation * Vec3::UnitX();
  EXPECT_NEAR((turned - Vec3(std::cos(3.0), std::sin(3.0), 0)).norm(), 0, 1e-13);
}

// VALIDATION E2: mass points and a spinning free ball and box hit each other, with damping and friction.
TEST(RigidBody, MomentumAndAngularMomentumAreKeptInAnImpact) {
  ColliderParameters ball = free_ball(Vec3(-0.3, 0, 0), Vec3(2, 0.1, 0), 1.5);
  ball.angular_velocity = Vec3(3, -8, 5);
  ColliderParameters box = free_box();
  box.position = Vec3(0.42, 0.03, 0.01);
  box.velocity = Vec3(-1, 0, 0.2);
  RigidColliders colliders({ball, box});
  MassPoints points;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      points.add(Vec3(0.1 + 0.013 * i, 0.04 * (i - 2), 0.04 * (j - 2)), Vec3(0.1 * j, 0, 0), 0.05 + 0.01 * j, 900);

  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (const auto i : points.owned) sum += points.mass[i] * points.velocity(i);
    for (std::size_t b = 0; b < 2; ++b) sum += colliders.parameters(b).mass_kg * colliders.states()[b].velocity;
    return sum;
  };
  const auto spin = [&] {
    Vec3 sum = Vec3::Zero();
    for (const auto i : points.owned) sum += points.mass[i] * points.position(i).cross(points.velocity(i));
    for (std::size_t b = 0; b < 2; ++b) {
      const BodyState& s = colliders.states()[b];
      sum += colliders.parameters(b).mass_kg * s.position.cross(s.velocity) + s.angular_momentum;
    }
    return sum;
  };
  const Vec3 p = momentum(), l = spin();
  const Vec3 v = colliders.states()[0].velocity, w = colliders.states()[1].velocity;
  const double dt = 1e-4;
  for (int step = 1; step <= 2000; ++step) points.step(core::Comm(), colliders, step * dt, dt, Vec3::Zero());
  EXPECT_LT((momentum() - p).norm(), 1e-12 * p.norm());
  EXPECT_LT((spin() - l).norm(), 1e-10 * l.norm());
  EXPECT_GT((colliders.states()[0].velocity - v).norm(), 0.1) << "the ball hit nothing";
  EXPECT_GT((colliders.states()[1].velocity - w).norm(), 0.1) << "the box hit nothing";
}

// A light ball on many heavy nodes has a higher frequency than any of them; the bound must include that.
TEST(RigidBody, ALightBallOnHeavyNodesIsStableAtTheStatedStep) {
  ColliderParameters ball = free_ball(Vec3(0, 0, 0.2499), Vec3::Zero(), 0.01);
  ball.damping_ratio = 0.2;
  RigidColliders colliders({ball});
  MassPoints points;
  for (int i = 0; i < 9; ++i) points.add(1e-3 * Vec3(i % 3 - 1, i / 3 - 1, 0), Vec3::Zero(), 1.0, 1000);
  points.find_forces(colliders, 1e-9, Vec3::Zero());  // the bound needs the contacts
  colliders.advance(core::Comm(), 0, 1e-9, Vec3::Zero());
  const double omega = max_frequency(colliders, 1000, 1.0);
  EXPECT_GT(omega, 1000 * std::sqrt(9 / 0.01));
  const double dt = 0.95 * 2 / omega;
  const double stored = colliders.stored_energy(points.view(), points.offset).value();
  for (int step = 1; step <= 20000; ++step) points.step(core::Comm(), colliders, step * dt, dt, Vec3::Zero());
  EXPECT_LT(kinetic_energy(colliders, 0) + points.kinetic_energy(), stored);
}

// An elastic impact on a held node of four sub-steps: without losses the ball leaves as fast as it came. Impulses that
// reached it half a step late would add πωτ = 6 % to its energy, τ = 3/8 of the step.
TEST(RigidBody, ABallOnSubCycledNodesLeavesAsFastAsItCame) {
  ColliderParameters ball = free_ball(Vec3(0, 0, 0.251), Vec3(0, 0, -5), 100);
  ball.damping_ratio = 0;
  RigidColliders colliders({ball});
  MassPoints points;
  const std::int32_t node = points.add(Vec3::Zero(), Vec3::Zero(), 10, 1000);
  const double stiffness = ball.stiffness_scale * 10 * 1000 * 1000;
  const double dt = 0.05 / std::sqrt(stiffness / ball.mass_kg);
  for (int step = 1; step <= 100; ++step) {
    points.forces[node] = {};
    colliders.add_forces(points.view(), dt, Vec3::Zero(), points.offset, points.forces, [](std::int32_t) {
      return core::StepShares{0.25, 0.25, 0.25};
    });
    colliders.advance(core::Comm(), step * dt, dt, Vec3::Zero());
    ContactWork work;
    for (std::size_t i = 0; i < colliders.short_contacts().size(); ++i)
      for (const double elapsed : {0.25, 0.5, 0.75}) {
        colliders.press_again(i, {.position = Vec3::Zero(),
                                  .velocity = Vec3::Zero(),
                                  .expected_velocity = Vec3::Zero(),
                                  .elapsed = elapsed,
                                  .step_s = 0.25 * dt});
        colliders.book_short_step(i, Vec3::Zero(), 0.25 * dt, work);
      }
    colliders.finish_short_steps(core::Comm());
  }
  EXPECT_NEAR(colliders.states()[0].velocity.z(), 5, 5 * 2e-3);  // (ωΔt)²
  EXPECT_GT(colliders.states()[0].position.z(), 0.26) << "the ball has not left";
}

TEST(RigidBody, SavedStatesComeBackToTheBit) {
  ColliderParameters box = free_box();
  box.angular_velocity = Vec3(1, 2, 3);
  RigidColliders first({box, free_ball(Vec3::Zero(), Vec3(1, 0, 0), 2)}),
      second({box, free_ball(Vec3::Zero(), Vec3(1, 0, 0), 2)});
  const auto run = [](RigidColliders& colliders, int from, int to) {
    for (int step = from; step < to; ++step) {
      colliders.add_forces({}, 1e-3, Vec3::Zero(), {}, {});
      colliders.advance(core::Comm(), step * 1e-3, 1e-3, Vec3(0, 0, -9.81));
    }
  };
  run(first, 0, 50);
  second.restore(first.save());
  run(first, 50, 80);
  run(second, 50, 80);
  EXPECT_EQ(first.save(), second.save());
  EXPECT_THROW(second.restore(std::vector<double>(5)), core::Error);
}

TEST(RigidColliders, BadParametersAreRefusedByName) {
  const auto message = [](auto change) -> std::string {
    ColliderParameters p = free_ball(Vec3::Zero(), Vec3::Zero(), 1);
    change(p);
    try {
      RigidColliders colliders({p});
    } catch (const core::Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message([](auto& p) { p.radius_m = -1; }).find("collider \"ball\": a sphere needs collider.radius_m"),
            std::string::npos);
  EXPECT_NE(message([](auto& p) { p.mass_kg = 0; }).find("mass_kg"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.mass_kg = std::nan(""); }).find("mass_kg"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.friction = -0.1; }).find("friction"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.stiffness_scale = 0; }).find("stiffness_scale"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.shape = ColliderShape::plane; }).find("plane cannot move"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.shape = ColliderShape::box; }).find("size"), std::string::npos);
  EXPECT_NE(message([](auto& p) { p.motion = ColliderMotion::path; }).find("key frame"), std::string::npos);
  EXPECT_NE(message([](auto& p) {
              p.motion = ColliderMotion::path;
              p.path.assign(2, KeyFrame{.time_s = 1});
            }).find("must come later"),
            std::string::npos);
  EXPECT_EQ(message([](auto&) {}), "accepted");
}

}  // namespace
}  // namespace brisance::contact
