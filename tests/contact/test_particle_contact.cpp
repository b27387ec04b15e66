/// Round particles against rigid bodies: bouncing, sliding, rolling and rest, and the reaction on free bodies.
#include "brisance/contact/rigid/particle_contact.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

const Vec3 kGravity(0, 0, -9.81);

Particle ball(double radius = 0.01, double density = 1000) {
  Particle p;
  p.radius = p.contact_radius = radius;
  p.mass = density * 4 / 3 * std::numbers::pi * radius * radius * radius;
  p.inertia = 0.4 * p.mass * radius * radius;
  return p;
}

ColliderParameters ground(const Vec3& normal, double friction, double damping_ratio) {
  ColliderParameters body;
  body.name = "ground";
  body.normal = normal;
  body.friction = friction;
  body.damping_ratio = damping_ratio;
  return body;
}

/// Steps until `seconds` are over.
void move(const RigidColliders& colliders, double seconds, double dt_s, Particle& p) {
  std::vector<ParticleImpulse> impulses;
  for (double t = 0; t < seconds; t += dt_s) move_particle(colliders, dt_s, kGravity, p, impulses);
}

TEST(ParticleContact, FreeFlightIsExactWhateverTheSteps) {
  const RigidColliders none({});
  Particle p = ball();
  p.velocity = Vec3(3, 0, 5);
  std::vector<ParticleImpulse> impulses;
  double t = 0;
  for (int i = 0; i < 100; ++i) {
    const double dt_s = 1e-3 * (1 + i % 7);
    EXPECT_FALSE(move_particle(none, dt_s, kGravity, p, impulses));
    t += dt_s;
  }
  EXPECT_NEAR(p.position.x(), 3 * t, 1e-12);
  EXPECT_NEAR(p.position.z(), 5 * t - 0.5 * 9.81 * t * t, 1e-12);
  EXPECT_TRUE(impulses.empty());
}

TEST(ParticleContact, BouncesWithTheBodysRestitution) {
  for (const double damping_ratio : {0.0, 0.1, 0.5}) {
    const RigidColliders colliders({ground(Vec3::UnitZ(), 0, damping_ratio)});
    Particle p = ball();
    p.position.z() = 0.02;
    p.velocity.z() = -4;
    std::vector<ParticleImpulse> impulses;
    double before = 0;
    while (impulses.empty()) {
      before = -p.velocity.z();
      move_particle(colliders, 1e-5, kGravity, p, impulses);
    }
    EXPECT_NEAR(p.velocity.z() / before, restitution_of(colliders, 0), 1e-4) << damping_ratio;
  }
}

TEST(ParticleContact, RestsWhereItLiesAndDoesNotCreep) {
  const double angle = 20 * std::numbers::pi / 180;
  const RigidColliders colliders({ground(Vec3(std::sin(angle), 0, std::cos(angle)), 0.6, 0.5)});
  Particle p = ball();
  p.position = 0.0101 * Vec3(std::sin(angle), 0, std::cos(angle));
  move(colliders, 1, 1e-4, p);
  const Vec3 at = p.position;
  move(colliders, 1, 1e-4, p);
  // The couple against rolling, 0.3 r N, holds up to tan θ = 0.3; at 20° it rolls.
  EXPECT_GT((p.position - at).norm(), 0.01);
  const double gentle = 10 * std::numbers::pi / 180;
  const RigidColliders hill({ground(Vec3(std::sin(gentle), 0, std::cos(gentle)), 0.6, 0.5)});
  Particle q = ball();
  q.position = 0.0101 * Vec3(std::sin(gentle), 0, std::cos(gentle));
  move(hill, 1, 1e-4, q);
  const Vec3 rest = q.position;
  move(hill, 1, 1e-4, q);
  EXPECT_LT((q.position - rest).norm(), 1e-9);
}

TEST(ParticleContact, SlidesDownAsCoulombSays) {
  const double angle = 45 * std::numbers::pi / 180, friction = 0.1;
  const Vec3 normal(std::sin(angle), 0, std::cos(angle)), down(std::cos(angle), 0, -std::sin(angle));
  const RigidColliders colliders({ground(normal, friction, 0.9)});
  Particle p = ball();
  p.position = p.radius * normal;
  move(colliders, 0.2, 1e-5, p);
  // It keeps slipping: rolling would need friction above 2/7 tan θ and more with the couple.
  const double expected = 9.81 * (std::sin(angle) - friction * std::cos(angle)) * 0.2;
  EXPECT_NEAR(p.velocity.dot(down), expected, 0.01 * expected);
}

TEST(ParticleContact, TakesUpLessRoomUntilItHasLeftTheBody) {
  const RigidColliders colliders({ground(Vec3::UnitZ(), 0.5, 0.5)});
  Particle p = ball();
  p.position.z() = 0.002;  // starts with four fifths of its radius in the ground
  p.contact_radius = room_between(colliders, p);
  EXPECT_EQ(p.contact_radius, 0.002);
  const double energy = -p.mass * kGravity.dot(p.position);
  move(colliders, 0.1, 1e-4, p);
  EXPECT_LE(p.kinetic_energy() - p.mass * kGravity.dot(p.position), energy * (1 + 1e-12));
  p.position.z() = 0.05;  // away from it the contact radius is the full one
  move(colliders, 1, 1e-4, p);
  EXPECT_NEAR(p.position.z(), 0.01, 1e-5);
}

TEST(ParticleContact, AFreeBodyTakesTheReaction) {
  ColliderParameters body;
  body.name = "ball";
  body.shape = ColliderShape::sphere;
  body.motion = ColliderMotion::free;
  body.radius_m = 0.1;
  body.mass_kg = 0.5;
  body.friction = 0.4;
  RigidColliders colliders({body});
  Particle p = ball(0.01, 8000);
  p.position = 0.10999 * Vec3(0.2, 0, std::sqrt(0.96));
  p.velocity = Vec3(1, 0.5, -5);
  const Vec3 linear = p.mass * p.velocity;
  const Vec3 angular = p.position.cross(linear);
  const double dt_s = 1e-5, energy = p.kinetic_energy();
  std::vector<ParticleImpulse> impulses;
  const ContactNodes no_nodes;
  std::vector<double> offset;
  std::vector<dist::NodeForce> forces;
  colliders.add_forces(no_nodes, dt_s, Vec3::Zero(), offset, forces);
  ASSERT_TRUE(move_particle(colliders, dt_s, Vec3::Zero(), p, impulses));
  ASSERT_EQ(impulses.size(), 1U);
  colliders.push(0, -impulses[0].impulse / dt_s, -impulses[0].couple / dt_s, impulses[0].point);
  colliders.advance(core::Comm(), dt_s, dt_s, Vec3::Zero());
  const BodyState& state = colliders.states()[0];
  EXPECT_LT((p.mass * p.velocity + 0.5 * state.velocity - linear).norm(), 1e-13 * linear.norm());
  // It was pushed out by the depth, a ten thousandth of the distance.
  EXPECT_LT((p.position.cross(p.mass * p.velocity) + p.angular_momentum + state.angular_momentum +
             state.position.cross(0.5 * state.velocity) - angular)
                .norm(),
            2e-4 * angular.norm());
  EXPECT_GT(state.velocity.norm(), 0.1);
  EXPECT_LT(p.kinetic_energy() + kinetic_energy(colliders, 0), energy);
}

}  // namespace
}  // namespace brisance::contact
