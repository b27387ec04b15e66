/// Rigid bodies: free flight and spin in closed form, momentum in collisions and when a body breaks.
#include "brisance/core/error.hpp"
#include "brisance/rigid/world.hpp"

#include "boxes.hpp"

#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

TEST(World, AFallIsTheOneOfSymplecticEuler) {
  WorldParameters p;
  p.length_m = 0.1;
  World world(p);
  const BodyNumber body = world.add_body(box({0.1, 0.2, 0.3}), at({1, 2, 3}));
  for (int i = 0; i < 100; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(body).velocity.z(), -9.81 * 0.1, 1e-12);
  EXPECT_NEAR(world.motion(body).position.z(), 3 - 9.81 * 1e-6 * 100 * 101 / 2, 1e-12);
  EXPECT_NEAR(world.motion(body).position.x(), 1, 1e-12);
}

TEST(World, SpinAboutAPrincipalAxisTurnsBySpeedTimesTime) {
  World world(weightless(0.1));
  Motion start = at({0, 0, 0});
  start.angular_velocity = {0, 0, 2};
  const BodyNumber body = world.add_body(box({0.1, 0.2, 0.3}), start);
  for (int i = 0; i < 500; ++i) world.step(1e-3);
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(1.0, Vec3::UnitZ()));
  EXPECT_NEAR(world.motion(body).orientation.angularDistance(turned), 0, 1e-6);
}

TEST(World, TwoBodiesThatMeetKeepTheirMomentumAndReportTheImpulse) {
  World world(weightless(0.1));
  const BodyShape small = box({0.1, 0.1, 0.1}), large = box({0.2, 0.1, 0.1});
  const BodyNumber a = world.add_body(small, at({-0.2, 0, 0}, {1, 0, 0}));
  const BodyNumber b = world.add_body(large, at({0.2, 0, 0}, {-1, 0, 0}));
  const Vec3 before = small.mass * Vec3(1, 0, 0) + large.mass * Vec3(-1, 0, 0);
  double impulse_on_a = 0, first = -1;
  for (int i = 0; i < 400; ++i) {
    world.step(1e-3);
    for (const ContactImpulse& c : world.contact_impulses(0))
      if (c.body == a) {
        EXPECT_EQ(c.other, b);
        EXPECT_LT(c.direction.x(), -0.99);
        if (first < 0) {
          first = c.impulse;
          EXPECT_NEAR(c.point.x(), 0.0, 0.06);
        }
        impulse_on_a += c.impulse;
      }
  }
  const Motion ma = world.motion(a), mb = world.motion(b);
  EXPECT_LT((small.mass * ma.velocity + large.mass * mb.velocity - before).norm(), 1e-10);
  EXPECT_LT(ma.velocity.x(), mb.velocity.x() + 1e-9) << "they no longer approach";
  EXPECT_NEAR(impulse_on_a, small.mass * (1 - ma.velocity.x()), 1e-4 * small.mass) << "all of its change";
}

TEST(World, ABoxComesToRestOnThePlaneAndPressesWithItsWeight) {
  for (const double size : {0.01, 1.0, 50.0}) {
    WorldParameters p;
    p.length_m = size;
    World world(p);
    const BodyNumber ground = world.add_obstacle({});
    const BodyShape shape = box({size, size, size});
    const BodyNumber body = world.add_body(shape, at({0, 0, 0.55 * size}));
    const double step = 2e-3 * std::sqrt(size);
    for (int i = 0; i < 200; ++i) world.step(step);
    EXPECT_NEAR(world.motion(body).position.z() / size, 0.5, 0.02);
    const auto contacts = world.contact_impulses(0);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].other, ground);
    EXPECT_NEAR(contacts[0].impulse / (shape.mass * 9.81 * step), 1, 0.05);
    EXPECT_GT(contacts[0].direction.z(), 0.999);
    EXPECT_TRUE(world.contact_impulses(2 * contacts[0].impulse).empty());
  }
}

TEST(World, TheSameCallsGiveTheSameBits) {
  const auto pile = [] {
    WorldParameters p;
    p.length_m = 0.1;
    World world(p);
    world.add_obstacle({.size = {0, 0.1, 1}});
    for (int i = 0; i < 12; ++i)
      world.add_body(box({0.1, 0.07, 0.05 + 0.01 * (i % 3)}), at({0.03 * (i % 4), 0.02 * (i % 3), 0.1 + 0.08 * i}));
    for (int i = 0; i < 500; ++i) world.step(2e-3);
    std::vector<double> state;
    for (int i = 0; i < 12; ++i) {
      const Motion m = world.motion(i);
      state.insert(state.end(), m.position.begin(), m.position.end());
      state.insert(state.end(), m.orientation.coeffs().begin(), m.orientation.coeffs().end());
    }
    return state;
  };
  const auto a = pile(), b = pile();
  EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(double)));
}

TEST(World, ABodySwappedForItsPiecesFliesOnAsBefore) {
  const BodyShape left = box({0.1, 0.2, 0.3}), right = box({0.25, 0.2, 0.3}, {0.1, 0, 0});
  BodyShape whole = box({0.35, 0.2, 0.3});
  World world(weightless(0.3));
  const BodyNumber body = world.add_body(whole, at({0, 0, 0}, {1, 0, 0}));
  for (int i = 0; i < 100; ++i) world.step(1e-3);
  const Motion before = world.motion(body);
  world.remove_body(body);
  const BodyNumber l = world.add_body(left, motion_of_piece(before, whole.centre, left.centre));
  const BodyNumber r = world.add_body(right, motion_of_piece(before, whole.centre, right.centre));
  for (int i = 0; i < 100; ++i) world.step(1e-3);
  // No force separates the pieces: no spurious energy from touching neighbours.
  EXPECT_NEAR(world.motion(l).velocity.x(), 1, 1e-3);
  EXPECT_NEAR(world.motion(r).velocity.x(), 1, 1e-3);
  EXPECT_NEAR((world.motion(r).position - world.motion(l).position).x(), right.centre.x() - left.centre.x(), 2e-3);
}

TEST(World, AStepTakenBackAndRepeatedGivesTheSameMotion) {
  World world(weightless(0.1));
  const BodyNumber a = world.add_body(box({0.1, 0.1, 0.1}), at({-0.2, 0, 0}, {1, 0, 0}));
  world.add_body(box({0.2, 0.1, 0.1}), at({0.2, 0.03, 0}, {-1, 0, 0}));
  while (world.contact_impulses(0).empty()) {
    const auto before = world.state();
    const Motion start = world.motion(a);
    world.step(1e-3);
    const Motion once = world.motion(a);
    world.return_to(*before);
    EXPECT_EQ(world.motion(a).position, start.position);
    EXPECT_EQ(world.motion(a).velocity, start.velocity);
    world.step(1e-3);
    EXPECT_LT((world.motion(a).velocity - once.velocity).norm(), 1e-12);
  }
  EXPECT_LT(world.motion(a).velocity.x(), 0.9) << "it was hit";
}

TEST(World, WhatIsLedMovesOthersAndIsFreeWhenReleased) {
  World world(weightless(0.1));
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber led = world.add_body(shape, at({0, 0, 0}), {.is_kinematic = true});
  const BodyNumber other = world.add_body(shape, at({0.2, 0, 0}));
  Motion pose = at({0, 0, 0});
  for (int i = 1; i <= 300; ++i) {
    pose.position.x() = 1e-3 * i;  // 1 m/s
    world.move_to(led, pose);
    world.step(1e-3);
    EXPECT_NEAR(world.motion(led).position.x(), pose.position.x(), 1e-12);
  }
  EXPECT_NEAR(world.motion(other).velocity.x(), 1.05, 0.06) << "pushed, with restitution of 0.1 at most";
  pose.velocity = {0, 2, 0};
  world.release(led, pose);
  for (int i = 0; i < 100; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(led).position.y(), 0.2, 1e-9);
}

TEST(World, SmallPiecesPassThroughEachOtherAndLandOnOthers) {
  WorldParameters p = weightless(0.1);
  World world(p);
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber a = world.add_body(shape, at({-0.2, 0, 0}, {1, 0, 0}), {.is_small = true});
  const BodyNumber b = world.add_body(shape, at({0.2, 0, 0}, {-1, 0, 0}), {.is_small = true});
  const BodyNumber wall = world.add_body(shape, at({0.6, 0, 0}));
  for (int i = 0; i < 400; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(b).position.x(), -0.2, 1e-9) << "through the other small piece";
  EXPECT_NEAR(world.motion(a).position.x(), 0.2, 1e-9);
  for (int i = 0; i < 400; ++i) world.step(1e-3);
  EXPECT_GT(world.motion(wall).velocity.x(), 0.4) << "hit by the small piece";
}

TEST(World, HullsSmallerThanTheRoundingAreTightWhereAskedFor) {
  for (const bool tight : {false, true}) {
    WorldParameters p;
    p.length_m = 1;
    p.has_tight_hulls = tight;
    p.resting_speed_m_s = 1e-4;
    World world(p);
    world.add_obstacle({});
    const double size = 0.004;  // a 250th of a length, less than the rounding of 0.01
    const BodyNumber body = world.add_body(box(Vec3::Constant(size)), at({0, 0, 0.02}));
    for (int i = 0; i < 2000; ++i) world.step(5e-4);
    const double gap = world.motion(body).position.z() - size / 2;
    if (tight) {
      EXPECT_NEAR(gap, 0, 0.1 * size);
    } else {
      EXPECT_GT(gap, size) << "it floats";
    }
  }
}

TEST(World, BodiesAndParametersThatMakeNoSenseAreRefused) {
  World world(weightless(1));
  BodyShape shape = box({1, 1, 1});
  shape.mass = 0;
  EXPECT_THROW(world.add_body(shape, {}), core::Error);
  shape = box({1, 1, 1});
  shape.hulls.clear();
  EXPECT_THROW(world.add_body(shape, {}), core::Error);
  EXPECT_THROW(World(weightless(0)), core::Error);
  EXPECT_THROW(world.add_obstacle({.size = {0, 0, 0}}), core::Error);
  EXPECT_THROW(world.add_obstacle({.mass = 1}), core::Error) << "a plane that moves";
  EXPECT_THROW(world.add_obstacle({.kind = Obstacle::Kind::ball, .size = {1, 0, 0}, .mass = 1, .is_kinematic = true}),
               core::Error);
  WorldParameters restless = weightless(1);
  restless.resting_speed_m_s = -1;
  EXPECT_THROW(World{restless}, core::Error);
  EXPECT_THROW(world.add_obstacle({.kind = Obstacle::Kind::ball, .size = {-1, 0, 0}}), core::Error);
  EXPECT_THROW(world.add_obstacle({.kind = Obstacle::Kind::mesh, .size = {1, 1, 1}}), core::Error);
  EXPECT_THROW(world.add_obstacle({.kind = Obstacle::Kind::box, .size = {1, 0, 1}}), core::Error);
}

}  // namespace
}  // namespace brisance::rigid
