/// Obstacles of all shapes, fixed, free and on a path: momentum, rest, friction.
#include "brisance/rigid/world.hpp"

#include "boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

TEST(Obstacles, APieceThatIsThrownAgainstAWallAndLandsNamesBothContacts) {
  WorldParameters p;
  p.length_m = 0.1;
  World world(p);
  const BodyNumber ground = world.add_obstacle({});
  const BodyNumber wall = world.add_obstacle({.centre = {0.3, 0, 0}, .size = {-1, 0, 0}});
  const BodyNumber body = world.add_body(box({0.1, 0.1, 0.1}), at({0.1, 0, 0.06}, {2, 0, 0}));
  bool met_wall = false, met_ground = false;
  for (int i = 0; i < 300; ++i) {
    world.step(1e-3);
    for (const ContactImpulse& c : world.contact_impulses(0)) {
      EXPECT_EQ(c.body, body) << "fixed obstacles are not bodies";
      met_wall |= c.other == wall && c.direction.x() < -0.9;
      met_ground |= c.other == ground && c.direction.z() > 0.9;
    }
    EXPECT_LT(world.motion(body).position.x(), 0.26);
  }
  EXPECT_TRUE(met_wall && met_ground);
}

TEST(Obstacles, ABallHandsItsMomentumToABoxAndABoxToABall) {
  World world(weightless(0.1));
  const Obstacle ball{Obstacle::Kind::ball, {-0.3, 0, 0}, {0.05, 0, 0}, 0.5, {2, 0, 0}};
  const Obstacle brick{Obstacle::Kind::box, {0.3, 0.02, 0}, {0.1, 0.2, 0.1}, 3, {-1, 0, 0}};
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber b = world.add_obstacle(ball), k = world.add_obstacle(brick),
                   s = world.add_body(shape, at({0, 0, 0}));
  const auto total = [&] {
    Momenta sum = momenta(body_shape(ball), world.motion(b), Vec3::Zero());
    sum += momenta(body_shape(brick), world.motion(k), Vec3::Zero());
    sum += momenta(shape, world.motion(s), Vec3::Zero());
    return sum;
  };
  const Momenta before = total();
  for (int i = 0; i < 400; ++i) world.step(1e-3);
  EXPECT_LT((total().linear - before.linear).norm(), 1e-12 * before.linear_scale);
  EXPECT_LT(total().energy, before.energy);
  EXPECT_LT(world.motion(b).velocity.x(), 1.9) << "the ball met something";
  EXPECT_GT(world.motion(k).velocity.x(), -0.99) << "the brick too";
  EXPECT_NEAR(body_shape(ball).inertia(1, 1), 0.4 * 0.5 * 0.05 * 0.05, 1e-15);
  EXPECT_NEAR(body_shape(brick).inertia(1, 1), 3 * (0.01 + 0.01) / 12, 1e-15);
}

TEST(Obstacles, AFixedBoxStopsABody) {
  World world(weightless(0.1));
  const BodyNumber block = world.add_obstacle({Obstacle::Kind::box, {0.3, 0, 0}, {0.1, 1, 1}});
  EXPECT_TRUE(is_fixed(block));
  const BodyNumber body = world.add_body(box({0.1, 0.1, 0.1}), at({0, 0, 0}, {3, 0, 0}));
  double furthest = 0;
  for (int i = 0; i < 200; ++i) {
    world.step(1e-3);
    furthest = std::max(furthest, world.motion(body).position.x());
  }
  EXPECT_NEAR(furthest, 0.2, 0.005);
  EXPECT_NEAR(world.motion(body).velocity.x(), -0.3, 1e-3) << "restitution 0.1";
}

/// A step with its tread at z = 0, where x > 0, and a riser up to z = 0.1. The tread is inside its hull.
Obstacle step_of_stone() {
  Obstacle step;
  step.kind = Obstacle::Kind::mesh;
  step.size = {0.2, 0.2, 0.2};
  const std::array<std::array<double, 2>, 6> outline{
      {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0}, {0, 0}, {0, 0.1}, {-0.1, 0.1}}};  // x, z
  for (const double y : {-0.1, 0.1})
    for (const auto& [x, z] : outline) step.vertices.emplace_back(x, y, z);
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    step.triangles.push_back({j, i, i + 6});
    step.triangles.push_back({j, i + 6, j + 6});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    step.triangles.push_back({a, b, c});
    step.triangles.push_back({a + 6, c + 6, b + 6});
  }
  return step;
}

/// Volume of the inside, if triangles face outwards.
double volume(const Obstacle& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) sum += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c]));
  return sum / 6;
}

WorldParameters debris_world() {
  WorldParameters p;
  p.length_m = 0.05;
  p.keeps_angular_momentum = p.has_tight_hulls = p.offsets_whole_bodies = p.lifts_sunk_bodies = true;
  p.iterations = 25;
  return p;
}

// Hollow shapes stay hollow: a cube lies on the tread, inside the hull of the mesh, and moves along with a step on a
// prescribed path.
TEST(Obstacles, ABodyLiesInTheHollowOfAMesh) {
  Obstacle step = step_of_stone();
  ASSERT_NEAR(volume(step), 0.006, 1e-12);
  World world(debris_world());
  ASSERT_TRUE(is_fixed(world.add_obstacle(step)));
  const BodyNumber body = world.add_body(box({0.05, 0.05, 0.05}), at({0.05, 0, 0.1}));
  for (int i = 0; i < 960; ++i) world.step(1.0 / 480);
  EXPECT_NEAR(world.motion(body).position.z(), 0.025, 0.001);
  EXPECT_NEAR(world.motion(body).position.x(), 0.05, 0.01);

  step.is_kinematic = true;
  World lift(debris_world());
  const BodyNumber led = lift.add_obstacle(step), cargo = lift.add_body(box({0.05, 0.05, 0.05}), at({0.05, 0, 0.03}));
  for (int i = 0; i < 480; ++i) {
    lift.move_to(led, at({0, 0, 0.2 * (i + 1) / 480.0}));
    lift.step(1.0 / 480);
  }
  EXPECT_NEAR(lift.motion(cargo).position.z(), 0.225, 0.003);
  EXPECT_NEAR(lift.motion(led).position.z(), 0.2, 1e-9);
}

// A free wedge has its own inertia and takes up momentum.
TEST(Obstacles, AFreeMeshHandsOnItsMomentum) {
  WorldParameters p = weightless(0.1);
  p.keeps_angular_momentum = p.has_tight_hulls = true;
  World world(p);
  Obstacle brick;  // a box, turned against its axes
  brick.kind = Obstacle::Kind::mesh;
  brick.size = {0.1, 0.2, 0.1};
  const Mat3 turn = Eigen::AngleAxisd(0.4, Vec3::UnitZ()).toRotationMatrix();
  for (int c = 0; c < 8; ++c)
    brick.vertices.emplace_back(turn * Vec3(c & 1 ? 0.05 : -0.05, c & 2 ? 0.1 : -0.1, c & 4 ? 0.05 : -0.05));
  for (const auto& [a, b, c, d] :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    brick.triangles.push_back({a, b, c});
    brick.triangles.push_back({a, c, d});
  }
  brick.mass = 3;
  brick.centre = {0.3, 0.02, 0};
  brick.velocity = {-1, 0, 0};
  brick.inertia = turn * Vec3(3 * 0.05 / 12, 3 * 0.02 / 12, 3 * 0.05 / 12).asDiagonal() * turn.transpose();
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber b = world.add_obstacle(brick), s = world.add_body(shape, at({0, 0, 0}));
  const auto total = [&] {
    Momenta sum = momenta(body_shape(brick), world.motion(b), Vec3::Zero());
    sum += momenta(shape, world.motion(s), Vec3::Zero());
    return sum;
  };
  const Momenta before = total();
  EXPECT_NEAR(before.linear.x(), -3, 1e-12);
  for (int i = 0; i < 400; ++i) world.step(1e-3);
  EXPECT_LT((total().linear - before.linear).norm(), 1e-12 * before.linear_scale);
  EXPECT_LT(total().energy, before.energy);
  EXPECT_LT(world.motion(s).velocity.x(), -0.5);
  EXPECT_GT(world.motion(b).angular_velocity.norm(), 0.01) << "it met a corner first";
}

TEST(Obstacles, AnObstacleThatIsLedAndTurnedIsWhereItWasLed) {
  WorldParameters p;
  p.length_m = 0.1;
  World world(p);
  Obstacle lift;
  lift.is_kinematic = true;
  const BodyNumber plane = world.add_obstacle(lift);
  const BodyNumber body = world.add_body(box({0.1, 0.1, 0.1}), at({0, 0, 0.051}));
  Motion pose = at({0, 0, 0});
  for (int i = 1; i <= 500; ++i) {
    pose.position.z() = 2e-3 * i * 0.5;
    world.move_to(plane, pose);
    world.step(2e-3);
  }
  EXPECT_NEAR(world.motion(body).position.z(), 0.5 + 0.05, 0.003);
  EXPECT_NEAR(world.motion(body).velocity.z(), 0.5, 0.01);
  // A fixed box turned by 45 degrees: its edge is up.
  World other(p);
  other.add_obstacle({.kind = Obstacle::Kind::box,
                      .size = {1, 1, 1},
                      .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitY()))});
  const BodyNumber on_edge = other.add_body(box({0.1, 0.1, 0.1}), at({0, 0, 0.8}));
  for (int i = 0; i < 50; ++i) other.step(2e-3);
  EXPECT_NEAR(other.motion(on_edge).position.z(), std::sqrt(0.5) + 0.05, 0.005);
}

TEST(Obstacles, AnObstacleHasItsOwnFriction) {
  for (const double friction : {0.05, 0.4}) {
    WorldParameters p;
    p.length_m = 0.1;
    World world(p);
    Obstacle ground;
    ground.friction = friction;
    world.add_obstacle(ground);
    const BodyNumber body = world.add_body(box({0.2, 0.2, 0.05}), at({0, 0, 0.025}, {1, 0, 0}));
    for (int i = 0; i < 100; ++i) world.step(1e-3);
    EXPECT_NEAR(world.motion(body).velocity.x(), 1 - friction * 9.81 * 0.1, 0.02);
  }
}

}  // namespace
}  // namespace brisance::rigid
