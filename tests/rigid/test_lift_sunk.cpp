/// A body inside an obstacle is moved out.
#include "brisance/rigid/world.hpp"

#include "boxes.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

TEST(LiftSunk, ASmallBodyThatSpinsFastDoesNotSinkWhereAskedFor) {
  WorldParameters p;
  p.length_m = 0.05;
  p.has_tight_hulls = p.keeps_angular_momentum = p.lifts_sunk_bodies = true;
  World world(p);
  Obstacle ground;
  ground.friction = 0.3;
  world.add_obstacle(ground);
  Motion fast = at({0, 0, 0.02}, {1, 0, -3});
  fast.angular_velocity = {700, -900, 400};
  const BodyNumber body = world.add_body(box({0.01, 0.006, 0.002}), fast);
  double deepest = 0;
  for (int i = 0; i < 1920; ++i) {
    world.step(1.0 / 480);
    deepest = std::min(deepest, world.motion(body).position.z());
  }
  EXPECT_GT(deepest, -0.009) << "a step and a half of its fall";
  EXPECT_NEAR(world.motion(body).position.z(), 0.001, 5e-4) << "lies flat on the ground";
  EXPECT_LT(world.motion(body).velocity.norm(), 1e-3);
}

}  // namespace
}  // namespace brisance::rigid
