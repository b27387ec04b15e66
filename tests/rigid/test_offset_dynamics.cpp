/// Bodies that overlap when they are created: a contact offset, which decays.
#include "brisance/rigid/world.hpp"

#include "boxes.hpp"

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

TEST(OffsetDynamics, OverlapAtBirthIsAContactOffsetAndSeparatesNothing) {
  World world(weightless(0.1));
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber a = world.add_body(shape, at({0, 0, 0})), b = world.add_body(shape, at({0.07, 0, 0}));
  for (int i = 0; i < 300; ++i) world.step(1e-3);
  EXPECT_NEAR(world.deepest_overlap(), 0.03, 0.002);
  EXPECT_LT(world.motion(a).position.norm(), 1e-6);
  EXPECT_LT((world.motion(b).position - Vec3(0.07, 0, 0)).norm(), 1e-6);
}

TEST(OffsetDynamics, OverlappingPiecesMayPartButNotGoDeeper) {
  World world(weightless(0.1));
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber a = world.add_body(shape, at({0, 0, 0})), b = world.add_body(shape, at({0.09, 0, 0}, {-1, 0, 0}));
  for (int i = 0; i < 20; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(b).position.x() - world.motion(a).position.x(), 0.09, 1e-3) << "they move on together";
  EXPECT_GT(world.motion(a).position.x(), -0.02);
  EXPECT_LT(world.motion(a).velocity.x(), -0.3);
  World apart(weightless(0.1));
  const BodyNumber c = apart.add_body(shape, at({0, 0, 0})), d = apart.add_body(shape, at({0.09, 0, 0}, {1, 0, 0}));
  for (int i = 0; i < 100; ++i) apart.step(1e-3);
  EXPECT_NEAR(apart.motion(d).position.x(), 0.19, 1e-3);
  EXPECT_LT(apart.motion(c).position.norm(), 1e-3);
  EXPECT_EQ(apart.deepest_overlap(), 0);
}

/// Two boxes that overlap by 3 cm when they are created and move into each other, sideways as well.
struct Crossing {
  World world;
  BodyShape shape = box({0.1, 0.1, 0.1});
  BodyNumber a, b;

  explicit Crossing(double parting_time_s, bool with_restitution = false)
      : world([&] {
          WorldParameters p = weightless(0.1);
          p.offsets_whole_bodies = true;
          p.parting_time_s = parting_time_s;
          p.restitution = with_restitution ? 0.5 : 0;
          return p;
        }()) {
    a = world.add_body(shape, at({0, 0, 0}, {1, 0.3, 0}));
    b = world.add_body(shape, at({0.07, 0.02, 0.01}, {-1, 0, 0}));
  }
  [[nodiscard]] Momenta momenta() const {
    Momenta sum = rigid::momenta(shape, world.motion(a), Vec3::Zero());
    return sum += rigid::momenta(shape, world.motion(b), Vec3::Zero());
  }
};

TEST(OffsetDynamics, OverlapAtBirthDoesNotStopWhatMovesWhereItMayPart) {
  for (const bool bounces : {false, true}) {
    Crossing stopped(0, bounces), free(0.1, bounces);
    const Momenta before = free.momenta();
    for (int i = 0; i < 4; ++i) {
      stopped.world.step(1.0 / 480);
      free.world.step(1.0 / 480);
    }
    EXPECT_LT(stopped.momenta().energy, 0.4 * before.energy) << "what it is about";
    EXPECT_GT(free.momenta().energy, 0.85 * before.energy);
    EXPECT_LE(free.momenta().energy, before.energy * (1 + 1e-12));
    EXPECT_LT((free.momenta().linear - before.linear).norm(), 1e-12);
  }
}

TEST(OffsetDynamics, PiecesThatHavePartedOrSlowedDownMeetAgain) {
  WorldParameters p = weightless(0.1);
  p.offsets_whole_bodies = true;
  p.parting_time_s = 0.1;
  World world(p);
  const BodyShape shape = box({0.1, 0.1, 0.1});
  // The first separates from the second at 1 m/s and comes back from a wall: no contact offset is left.
  const BodyNumber a = world.add_body(shape, at({0, 0, 0}, {-1, 0, 0})), b = world.add_body(shape, at({0.09, 0, 0}));
  for (int i = 0; i < 96; ++i) world.step(1.0 / 480);
  world.release(a, at({-0.1, 0, 0}, {1, 0, 0}));
  for (int i = 0; i < 480; ++i) world.step(1.0 / 480);
  EXPECT_GT(world.motion(b).position.x() - world.motion(a).position.x(), 0.098);
  EXPECT_GT(world.motion(b).velocity.x(), 0.4);
  EXPECT_LT(world.deepest_overlap(), 0.005);
}

TEST(OffsetDynamics, AnOverlapThatWasNotThereAtBirthIsPushedApart) {
  World world(weightless(0.1));
  const BodyShape shape = box({0.1, 0.1, 0.1});
  world.add_obstacle({Obstacle::Kind::box, {0, 0, -0.08}, {1, 1, 0.1}});
  const BodyNumber body = world.add_body(shape, at({0, 0, 0}));
  for (int i = 0; i < 300; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(body).position.z(), 0.02, 0.003) << "obstacles have no contact offset";
}

TEST(OffsetDynamics, OverlapWithAnObstacleAtBirthIsAContactOffsetWhereAskedFor) {
  WorldParameters p = weightless(0.1);
  p.offsets_whole_bodies = true;
  World world(p);
  world.add_obstacle({Obstacle::Kind::box, {0, 0, -0.08}, {1, 1, 0.1}});
  const BodyNumber body = world.add_body(box({0.1, 0.1, 0.1}), at({0, 0, 0}));
  const BodyNumber falling = world.add_body(box({0.1, 0.1, 0.1}), at({0.3, 0, 0}, {0, 0, -1}));
  for (int i = 0; i < 50; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(body).position.z(), 0, 1e-6) << "not pushed out";
  EXPECT_GT(world.motion(falling).position.z(), -0.002) << "not deeper than it came";
  EXPECT_LT(world.motion(falling).velocity.norm(), 0.15) << "no more than its bounce";
}

}  // namespace
}  // namespace brisance::rigid
