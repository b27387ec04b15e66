/// Rigid bodies: free flight and spin in closed form, momentum in collisions and when a body breaks, obstacles.
#include "brisance/core/error.hpp"
#include "brisance/rigid/hull.hpp"
#include "brisance/rigid/world.hpp"

#include <cmath>
#include <cstring>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

/// A box [0,x]×[0,y]×[0,z] of density 1000 that is placed with its rest frame's origin at `corner`.
BodyShape box(const Vec3& size, const Vec3& corner = Vec3::Zero()) {
  BodyShape shape;
  shape.mass = 1000 * size.prod();
  shape.centre = corner + size / 2;
  const Vec3 squares = size.cwiseProduct(size);
  shape.inertia = (shape.mass / 12 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
  shape.hulls.emplace_back();
  for (int k = 0; k < 8; ++k) shape.hulls[0].push_back(corner + Vec3(k & 1, k >> 1 & 1, k >> 2 & 1).cwiseProduct(size));
  return shape;
}

Motion at(const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  Motion motion;
  motion.position = position;
  motion.velocity = velocity;
  return motion;
}

WorldParameters weightless(double length_m) {
  WorldParameters p;
  p.gravity = Vec3::Zero();
  p.length_m = length_m;
  return p;
}

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

TEST(Breaking, PiecesKeepMomentumSpinAndEnergyOfTheBody) {
  const BodyShape left = box({0.1, 0.2, 0.3}), right = box({0.25, 0.2, 0.3}, {0.1, 0, 0});
  const BodyShape whole = box({0.35, 0.2, 0.3});
  Motion motion = at({3, -1, 2}, {1, 2, -3});
  motion.orientation = Eigen::Quaterniond(0.3, 0.5, -0.2, 0.7).normalized();
  motion.angular_velocity = {5, -7, 11};
  const Motion l = motion_of_piece(motion, whole.centre, left.centre),
               r = motion_of_piece(motion, whole.centre, right.centre);
  const Vec3 about(0.3, 5, -2);
  const Momenta before = momenta(whole, motion, about);
  Momenta after = momenta(left, l, about);
  after += momenta(right, r, about);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-14 * before.linear_scale);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-14 * before.angular_scale);
  EXPECT_NEAR(after.energy, before.energy, 1e-14 * before.energy);
}

TEST(Breaking, ABodySwappedForItsPiecesFliesOnAsBefore) {
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

TEST(World, APieceThatIsThrownAgainstAWallAndLandsNamesBothContacts) {
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

TEST(World, ABallHandsItsMomentumToABoxAndABoxToABall) {
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

TEST(World, AFixedBoxStopsABody) {
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
  p.keeps_angular_momentum = p.has_tight_hulls = p.forgives_whole_bodies = p.lifts_what_sank = true;
  p.iterations = 25;
  return p;
}

// Hollow shapes stay hollow: a cube lies on the tread, inside the hull of the mesh, and moves along with a step on a
// prescribed path.
TEST(World, ABodyLiesInTheHollowOfAMesh) {
  Obstacle step = step_of_stone();
  ASSERT_NEAR(volume(step), 0.006, 1e-12);
  World world(debris_world());
  ASSERT_TRUE(is_fixed(world.add_obstacle(step)));
  const BodyNumber body = world.add_body(box({0.05, 0.05, 0.05}), at({0.05, 0, 0.1}));
  for (int i = 0; i < 960; ++i) world.step(1.0 / 480);
  EXPECT_NEAR(world.motion(body).position.z(), 0.025, 0.001);
  EXPECT_NEAR(world.motion(body).position.x(), 0.05, 0.01);

  step.is_led = true;
  World lift(debris_world());
  const BodyNumber led = lift.add_obstacle(step), cargo = lift.add_body(box({0.05, 0.05, 0.05}), at({0.05, 0, 0.03}));
  for (int i = 0; i < 480; ++i) {
    lift.lead(led, at({0, 0, 0.2 * (i + 1) / 480.0}));
    lift.step(1.0 / 480);
  }
  EXPECT_NEAR(lift.motion(cargo).position.z(), 0.225, 0.003);
  EXPECT_NEAR(lift.motion(led).position.z(), 0.2, 1e-9);
}

// A free wedge has its own inertia and takes up momentum.
TEST(World, AFreeMeshHandsOnItsMomentum) {
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

TEST(World, OverlapAtBirthIsForgivenAndPushesNothingApart) {
  World world(weightless(0.1));
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber a = world.add_body(shape, at({0, 0, 0})), b = world.add_body(shape, at({0.07, 0, 0}));
  for (int i = 0; i < 300; ++i) world.step(1e-3);
  EXPECT_NEAR(world.deepest_overlap(), 0.03, 0.002);
  EXPECT_LT(world.motion(a).position.norm(), 1e-6);
  EXPECT_LT((world.motion(b).position - Vec3(0.07, 0, 0)).norm(), 1e-6);
}

TEST(World, ForgivenPiecesMayPartButNotGoDeeper) {
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
          p.forgives_whole_bodies = true;
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

TEST(World, OverlapAtBirthDoesNotStopWhatMovesWhereItMayPart) {
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

TEST(World, PiecesThatHavePartedOrSlowedDownMeetAgain) {
  WorldParameters p = weightless(0.1);
  p.forgives_whole_bodies = true;
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

TEST(World, AnOverlapThatWasNotThereAtBirthIsPushedApart) {
  World world(weightless(0.1));
  const BodyShape shape = box({0.1, 0.1, 0.1});
  world.add_obstacle({Obstacle::Kind::box, {0, 0, -0.08}, {1, 1, 0.1}});
  const BodyNumber body = world.add_body(shape, at({0, 0, 0}));
  for (int i = 0; i < 300; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(body).position.z(), 0.02, 0.003) << "obstacles forgive nothing";
}

TEST(World, ATumblingSymmetricTopFollowsItsClosedFormAndKeepsItsAngularMomentum) {
  WorldParameters p = weightless(0.1);
  p.keeps_angular_momentum = true;
  const BodyShape shape = box({0.1, 0.1, 0.3});
  const Vec3 moments = shape.inertia.diagonal();
  Motion start = at({0, 0, 0});
  start.angular_velocity = {3, 1, 7};
  const Vec3 momentum = moments.cwiseProduct(start.angular_velocity);
  // The axis e₃ goes round L with |L|/I₁, the body round e₃ with ω₃ (1 − I₃/I₁).
  const double time_s = 1;
  const Eigen::Quaterniond exact =
      Eigen::AngleAxisd(momentum.norm() / moments[0] * time_s, momentum.normalized()) *
      Eigen::AngleAxisd(start.angular_velocity.z() * (1 - moments[2] / moments[0]) * time_s, Vec3::UnitZ());
  double last = 0;
  for (const int steps : {480, 960, 1920}) {
    World world(p);
    const BodyNumber body = world.add_body(shape, start);
    for (int i = 0; i < steps; ++i) world.step(time_s / steps);
    const Motion now = world.motion(body);
    const Momenta m = momenta(shape, now, Vec3::Zero());
    EXPECT_LT((m.angular - momentum).norm(), 1e-12 * momentum.norm());
    EXPECT_NEAR(m.energy / momenta(shape, start, Vec3::Zero()).energy, 1, 1e-4);
    const double error = now.orientation.angularDistance(exact);
    if (last > 0) {
      EXPECT_NEAR(error / last, 0.25, 0.03) << "second order";
    }
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

TEST(World, WhatIsLedMovesOthersAndIsFreeWhenReleased) {
  World world(weightless(0.1));
  const BodyShape shape = box({0.1, 0.1, 0.1});
  const BodyNumber led = world.add_body(shape, at({0, 0, 0}), {.is_led = true});
  const BodyNumber other = world.add_body(shape, at({0.2, 0, 0}));
  Motion pose = at({0, 0, 0});
  for (int i = 1; i <= 300; ++i) {
    pose.position.x() = 1e-3 * i;  // 1 m/s
    world.lead(led, pose);
    world.step(1e-3);
    EXPECT_NEAR(world.motion(led).position.x(), pose.position.x(), 1e-12);
  }
  EXPECT_NEAR(world.motion(other).velocity.x(), 1.05, 0.06) << "pushed, with restitution of 0.1 at most";
  pose.velocity = {0, 2, 0};
  world.release(led, pose);
  for (int i = 0; i < 100; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(led).position.y(), 0.2, 1e-9);
}

TEST(World, AnObstacleThatIsLedAndTurnedIsWhereItWasLed) {
  WorldParameters p;
  p.length_m = 0.1;
  World world(p);
  Obstacle lift;
  lift.is_led = true;
  const BodyNumber plane = world.add_obstacle(lift);
  const BodyNumber body = world.add_body(box({0.1, 0.1, 0.1}), at({0, 0, 0.051}));
  Motion pose = at({0, 0, 0});
  for (int i = 1; i <= 500; ++i) {
    pose.position.z() = 2e-3 * i * 0.5;
    world.lead(plane, pose);
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

TEST(World, AnObstacleHasItsOwnFriction) {
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

TEST(World, CrumbsPassThroughEachOtherAndLandOnOthers) {
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

TEST(World, ASmallBodyThatSpinsFastDoesNotSinkWhereAskedFor) {
  WorldParameters p;
  p.length_m = 0.05;
  p.has_tight_hulls = p.keeps_angular_momentum = p.lifts_what_sank = true;
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

TEST(World, OverlapWithAnObstacleAtBirthIsForgivenWhereAskedFor) {
  WorldParameters p = weightless(0.1);
  p.forgives_whole_bodies = true;
  World world(p);
  world.add_obstacle({Obstacle::Kind::box, {0, 0, -0.08}, {1, 1, 0.1}});
  const BodyNumber body = world.add_body(box({0.1, 0.1, 0.1}), at({0, 0, 0}));
  const BodyNumber falling = world.add_body(box({0.1, 0.1, 0.1}), at({0.3, 0, 0}, {0, 0, -1}));
  for (int i = 0; i < 50; ++i) world.step(1e-3);
  EXPECT_NEAR(world.motion(body).position.z(), 0, 1e-6) << "not pushed out";
  EXPECT_GT(world.motion(falling).position.z(), -0.002) << "not deeper than it came";
  EXPECT_LT(world.motion(falling).velocity.norm(), 0.15) << "no more than its bounce";
}

TEST(Hull, VolumesOfABoxAPrismAndASheet) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) points.emplace_back(7 + (k & 1), 2.0 * (k >> 1 & 1), 3.0 * (k >> 2 & 1));
  EXPECT_NEAR(hull_volume(points), 6, 1e-9);
  points.emplace_back(7.5, 1, 1);  // inside
  EXPECT_NEAR(hull_volume(points), 6, 1e-9);
  EXPECT_NEAR(hull_volume(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), 1.0 / 6, 1e-9);
  EXPECT_NEAR(hull_volume(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), 0, 1e-9);
  EXPECT_EQ(hull_volume(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 0);
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
  EXPECT_THROW(world.add_obstacle({.kind = Obstacle::Kind::ball, .size = {1, 0, 0}, .mass = 1, .is_led = true}),
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
