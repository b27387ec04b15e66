#include "brisance/contact/rigid/prescribed_path.hpp"

#include "mass_points.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using std::numbers::pi;

KeyFrame frame(double time, const Vec3& position, double angle) {
  const Vec3 axis = Vec3(1, 2, 2) / 3;
  return {time, position, Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis))};
}

const std::vector<KeyFrame> kFrames = {frame(1, Vec3(0, 0, 1), 0), frame(3, Vec3(4, 0, 0), 0.5 * pi),
                                       frame(4, Vec3(4, 1, 0), -0.5 * pi + 0.1)};

TEST(PrescribedPath, GoesStraightBetweenKeyFramesAndRestsOutside) {
  EXPECT_EQ(state_on_path(kFrames, 0).position, Vec3(0, 0, 1));
  EXPECT_EQ(state_on_path(kFrames, 0).velocity, Vec3::Zero());
  EXPECT_EQ(state_on_path(kFrames, 9).position, Vec3(4, 1, 0));
  EXPECT_EQ(state_on_path(kFrames, 9).angular_velocity, Vec3::Zero());
  const BodyState middle = state_on_path(kFrames, 1.5);
  EXPECT_NEAR((middle.position - Vec3(1, 0, 0.75)).norm(), 0, 1e-15);
  EXPECT_NEAR((middle.velocity - Vec3(2, 0, -0.5)).norm(), 0, 1e-15);
}

TEST(PrescribedPath, TurnsByTheSphericalInterpolationOfALibrary) {
  for (double time : {1.0, 1.3, 2.0, 2.9, 3.0, 3.25, 3.99}) {
    const int i = time < 3 ? 0 : 1;
    const double share = (time - kFrames[i].time_s) / (kFrames[i + 1].time_s - kFrames[i].time_s);
    const Eigen::Quaterniond expected = kFrames[i].orientation.slerp(share, kFrames[i + 1].orientation);
    EXPECT_LT(state_on_path(kFrames, time).orientation.angularDistance(expected), 1e-7) << time;
  }
}

// A point fixed to the body moves with v + ω × r.
TEST(PrescribedPath, VelocitiesAreTheRatesOfThePose) {
  const Vec3 in_body(0.3, -0.2, 0.5);
  const auto point = [&](double time) -> Vec3 {
    const BodyState s = state_on_path(kFrames, time);
    return s.position + s.orientation * in_body;
  };
  for (double time : {1.2, 2.5, 3.1, 3.8}) {
    const BodyState s = state_on_path(kFrames, time);
    const Vec3 rate = (point(time + 1e-6) - point(time - 1e-6)) / 2e-6;
    EXPECT_NEAR((rate - s.velocity - s.angular_velocity.cross(s.orientation * in_body)).norm(), 0, 1e-8) << time;
  }
}

/// A key frame of angles about x, then y, then z [°].
KeyFrame turned(double time, const Vec3& angles) { return {time, Vec3::Zero(), turned_about(angles), angles}; }

// By any angle about one axis, at a steady rate, in any initial orientation: 270° turn forwards, 360° are one turn.
TEST(PrescribedPath, TurnsAboutOneAxisAreAsWritten) {
  for (const double degrees : {180.0, 270.0, 360.0, 720.0, -270.0, -1000.0})
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 start = axis == 0 ? Vec3(10, 20, 30) : axis == 1 ? Vec3(15, 5, -40) : Vec3(25, -35, 12);
      const std::vector<KeyFrame> frames = {turned(0, start), turned(2, start + degrees * Vec3::Unit(axis))};
      const Vec3 expected = state_on_path(frames, 0).angular_velocity;
      EXPECT_NEAR(expected.norm(), std::abs(degrees) * pi / 180 / 2, 1e-12);
      Eigen::Quaterniond orientation = frames[0].orientation;
      for (double time : {0.2, 0.9, 1.0, 1.7, 1.9999}) {
        const BodyState state = state_on_path(frames, time);
        EXPECT_NEAR((state.angular_velocity - expected).norm(), 0, 1e-12);
        orientation = Eigen::AngleAxisd(time * expected.norm(), expected.normalized()) * frames[0].orientation;
        EXPECT_LT(state.orientation.angularDistance(orientation), 1e-7) << degrees << " about " << axis;
      }
    }
  const std::vector<KeyFrame> table = {turned(0, Vec3::Zero()), turned(1, Vec3(0, 0, 360))};
  EXPECT_NEAR((state_on_path(table, 0.3).angular_velocity - Vec3(0, 0, 2 * pi)).norm(), 0, 1e-12);
}

TEST(PrescribedPath, VelocitiesOfTurnsAboutSeveralAxesAreTheRatesOfThePose) {
  const std::vector<KeyFrame> frames = {turned(0, Vec3(0, 10, 0)), turned(1, Vec3(60, -30, 720))};
  const Vec3 in_body(0.3, -0.2, 0.5);
  const auto point = [&](double time) -> Vec3 { return state_on_path(frames, time).orientation * in_body; };
  for (double time : {0.01, 0.2, 0.5, 0.77}) {
    const Vec3 rate = (point(time + 1e-6) - point(time - 1e-6)) / 2e-6;
    EXPECT_NEAR((rate - state_on_path(frames, time).angular_velocity.cross(point(time))).norm(), 0, 1e-8) << time;
  }
  EXPECT_LT(state_on_path(frames, 1 - 1e-12).orientation.angularDistance(frames[1].orientation), 1e-7);
}

TEST(PrescribedPath, SmallerTurnsKeepTheirBits) {
  std::vector<KeyFrame> with = {turned(0, Vec3(5, 0, 0)), turned(1, Vec3(100, 20, 179.9))}, without = with;
  for (KeyFrame& frame : without) frame.angles_deg.reset();
  for (double time : {0.0, 0.1, 0.6})
    EXPECT_EQ(state_on_path(with, time).orientation.coeffs(), state_on_path(without, time).orientation.coeffs());
}

TEST(PrescribedPath, BodiesStandAtTheirExactPoseAfterManySteps) {
  ColliderParameters p;
  p.name = "piston";
  p.shape = ColliderShape::box;
  p.motion = ColliderMotion::path;
  p.size = Vec3::Ones();
  p.path = kFrames;
  RigidColliders colliders({p}, 0.5);
  EXPECT_EQ(colliders.states()[0].position, kFrames[0].position);
  for (int step = 1; step <= 3000; ++step) colliders.advance(core::Comm(), 0.5 + step * 1e-3, 1e-3, Vec3::Zero());
  EXPECT_EQ(colliders.states()[0].position, state_on_path(kFrames, 0.5 + 3000 * 1e-3).position);
  EXPECT_NEAR(colliders.states()[0].position.y(), 0.5, 1e-12);
}

// A piston that moves at speed V accelerates a resting mass to 2V: an elastic bounce in the frame of the piston.
TEST(PrescribedPath, APistonThrowsAMassAwayAtTwiceItsSpeed) {
  ColliderParameters p;
  p.name = "piston";
  p.motion = ColliderMotion::path;
  p.damping_ratio = 0;
  p.path = {KeyFrame{.time_s = 0, .position = Vec3(0, 0, -0.1)}, KeyFrame{.time_s = 1, .position = Vec3(0, 0, 1.9)}};
  RigidColliders colliders({p});
  testing::MassPoints points;
  const auto i = points.add(Vec3::Zero(), Vec3::Zero(), 0.4, 2000);
  for (int step = 1; step <= 20000; ++step) points.step(core::Comm(), colliders, step * 1e-5, 1e-5, Vec3::Zero());
  EXPECT_NEAR(points.velocity(i).z(), 4, 4e-4);
}

}  // namespace
}  // namespace brisance::contact
