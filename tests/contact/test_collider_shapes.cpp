#include "brisance/contact/shapes/shape_kinds.hpp"
#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

constexpr std::uint64_t kSeed = 7;
const Vec3 kHalfSize(0.5, 0.3, 0.2);  ///< of boxes

Vec3 random_vector(std::uint64_t id) {
  return 2 * Vec3(core::hash_uniform(kSeed, id, 0), core::hash_uniform(kSeed, id, 1),
                  core::hash_uniform(kSeed, id, 2)) -
         Vec3::Ones();
}

Eigen::Quaterniond some_turn() { return Eigen::Quaterniond(0.3, -0.5, 0.7, 0.2).normalized(); }

ColliderParameters collider(ColliderShape shape) {
  ColliderParameters p;
  p.shape = shape;
  p.radius_m = 0.4;
  p.length_m = 1.2;
  p.size = 2 * kHalfSize;
  p.normal = Vec3(1, 2, -2);
  return p;
}

PlacedShape placed(ColliderShape shape) { return placed_shape(collider(shape), Vec3(0.1, -0.2, 0.05), some_turn()); }

PlacedShape upright_box() {
  return placed_shape(collider(ColliderShape::box), Vec3::Zero(), Eigen::Quaterniond::Identity());
}

// Points of the box's surface on a regular grid, in the world.
std::vector<Vec3> surface_samples(const PlacedShape& box, int n) {
  std::vector<Vec3> points;
  for (int axis = 0; axis < 3; ++axis)
    for (int side : {-1, 1})
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
          Vec3 unit;
          unit[axis] = side;
          unit[(axis + 1) % 3] = 2.0 * i / n - 1;
          unit[(axis + 2) % 3] = 2.0 * j / n - 1;
          points.push_back(box.centre + box.axes * unit.cwiseProduct(kHalfSize));
        }
  return points;
}

TEST(ColliderShapes, PlaneDistanceIsTheHeightAlongTheTurnedNormal) {
  const PlacedShape plane = placed(ColliderShape::plane);
  const Vec3 normal = some_turn() * Vec3(1. / 3, 2. / 3, -2. / 3);
  for (double height : {-0.7, 0.0, 2.5}) {
    const Vec3 along = normal.cross(Vec3(0.3, 0.8, -0.1));
    const SurfaceDistance found = signed_distance(plane, plane.centre + height * normal + along);
    EXPECT_NEAR(found.distance, height, 1e-15);
    EXPECT_NEAR((found.normal - normal).norm(), 0, 1e-15);
  }
}

TEST(ColliderShapes, SphereDistanceInsideOutsideAndAtItsCentre) {
  const PlacedShape sphere = placed(ColliderShape::sphere);
  const Vec3 out = Vec3(2, -1, 2) / 3;
  for (double r : {0.1, 0.4, 3.0}) {
    const SurfaceDistance found = signed_distance(sphere, sphere.centre + r * out);
    EXPECT_NEAR(found.distance, r - 0.4, 1e-15);
    EXPECT_NEAR((found.normal - out).norm(), 0, 2e-15);
  }
  EXPECT_EQ(signed_distance(sphere, sphere.centre).distance, -0.4);
  EXPECT_EQ(signed_distance(sphere, sphere.centre).normal, Vec3::UnitZ());
}

TEST(ColliderShapes, CapsuleDistanceIsThatOfItsLineLessTheRadius) {
  const PlacedShape capsule = placed(ColliderShape::capsule);
  const auto expect = [&](const Vec3& local, double distance, const Vec3& normal) {
    const SurfaceDistance found = signed_distance(capsule, capsule.centre + capsule.axes * local);
    EXPECT_NEAR(found.distance, distance, 1e-15);
    EXPECT_NEAR((found.normal - capsule.axes * normal).norm(), 0, 1e-14);
  };
  expect(Vec3(0.3, -0.4, 0.55), 0.1, Vec3(0.6, -0.8, 0));  // beside the line
  expect(Vec3(0.2, 0, -0.6), -0.2, Vec3::UnitX());         // beside its end
  expect(Vec3(0.3, 0, 1.0), 0.1, Vec3(0.6, 0, 0.8));       // beyond its end
}

TEST(ColliderShapes, CapsuleNormalOnItsLineIsAnAxis) {
  const PlacedShape upright =
      placed_shape(collider(ColliderShape::capsule), Vec3::Zero(), Eigen::Quaterniond::Identity());
  EXPECT_EQ(signed_distance(upright, Vec3(0, 0, 0.1)).distance, -0.4);
  EXPECT_EQ(signed_distance(upright, Vec3(0, 0, 0.1)).normal, Vec3::UnitX());
}

// On the ground a lying capsule has the stiffness of a box's four corners, a standing one that of one.
TEST(ColliderShapes, CapsuleStandsOnOnePointAndLiesOnALine) {
  ColliderParameters ground = collider(ColliderShape::plane);
  ground.normal = Vec3::UnitZ();
  const PlacedShape floor = placed_shape(ground, Vec3::Zero(), Eigen::Quaterniond::Identity());
  const auto contact = [&](const Vec3& centre, const Eigen::Quaterniond& turn) {
    const PlacedShape capsule = placed_shape(collider(ColliderShape::capsule), centre, turn);
    return capsule.shape->points_inside(capsule, floor);
  };
  const auto standing = contact(Vec3(0, 0, 0.99), Eigen::Quaterniond::Identity());
  ASSERT_EQ(standing.size(), 1U);
  EXPECT_NEAR(standing[0].depth, 0.01, 1e-15);
  EXPECT_EQ(standing[0].weight, 1);
  EXPECT_NEAR((standing[0].point - Vec3(0, 0, -0.01)).norm(), 0, 1e-15);
  const auto lying = contact(Vec3(0, 0, 0.39), Eigen::Quaterniond(std::sqrt(0.5), std::sqrt(0.5), 0, 0));
  double weight = 0, torque = 0;
  for (const InsidePoint& point : lying) {
    EXPECT_NEAR(point.depth, 0.01, 1e-15);
    weight += point.weight;
    torque += point.weight * point.point.y();
  }
  EXPECT_NEAR(weight, 4, 1e-14);
  EXPECT_NEAR(torque, 0, 1e-14);
}

TEST(ColliderShapes, BoxDistanceEqualsTheNearestOfManySurfacePoints) {
  const PlacedShape box = placed(ColliderShape::box);
  const int n = 200;
  const std::vector<Vec3> samples = surface_samples(box, n);
  const double spacing = 1.0 / n;  // half a cell's diagonal is less than this
  for (std::uint64_t id = 0; id < 60; ++id) {
    const Vec3 point = box.centre + random_vector(id);
    double nearest = 1e9;
    for (const Vec3& s : samples) nearest = std::min(nearest, (s - point).norm());
    const SurfaceDistance found = signed_distance(box, point);
    const Vec3 local = (box.axes.transpose() * (point - box.centre)).cwiseAbs() - kHalfSize;
    EXPECT_EQ(found.distance < 0, local.maxCoeff() < 0);
    EXPECT_LE(std::abs(found.distance), nearest + 1e-14);
    EXPECT_GE(std::abs(found.distance), nearest - spacing);
    EXPECT_NEAR(found.normal.norm(), 1, 1e-14);
  }
}

// A point just past a side against which a flush body lies, below the top: it leaves through the top. By the nearest
// side where the other body is higher or lower, or all around it.
TEST(ColliderShapes, BoxSidesThatAnotherBodyCoversDoNotCount) {
  const PlacedShape box = placed(ColliderShape::box);
  const auto in_world = [&](const Vec3& local) { return Vec3(box.centre + box.axes * local); };
  const Vec3 point = in_world(Vec3(0.499, 0.1, 0.18));
  const auto distance = [&](const IsInOtherBody& is_in_other) {
    return box.shape->distance_to_free_side(box, point, is_in_other).value_or(signed_distance(box, point));
  };
  const SurfaceDistance alone = distance([](const Vec3&) { return false; });
  EXPECT_EQ(alone.distance, signed_distance(box, point).distance);
  EXPECT_EQ(alone.normal, signed_distance(box, point).normal);
  const auto beside_to = [&](double height) {
    return distance([&, height](const Vec3& image) {
      const Vec3 local = box.axes.transpose() * (image - box.centre);
      return local.x() > kHalfSize.x() && local.z() < height;
    });
  };
  const SurfaceDistance beside = beside_to(kHalfSize.z());
  EXPECT_NEAR(beside.distance, -0.02, 1e-15);
  EXPECT_NEAR((beside.normal - box.axes.col(2)).norm(), 0, 1e-15);
  for (const double height : {kHalfSize.z() + 0.01, kHalfSize.z() - 0.01})
    EXPECT_EQ(beside_to(height).distance, alone.distance);
  EXPECT_EQ(distance([](const Vec3&) { return true; }).distance, alone.distance);
}

TEST(ColliderShapes, NormalIsTheGradientOfTheDistance) {
  for (ColliderShape kind : {ColliderShape::plane, ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule}) {
    const PlacedShape shape = placed(kind);
    for (std::uint64_t id = 0; id < 200; ++id) {
      const Vec3 point = shape.centre + random_vector(id);
      const double step = 1e-6;
      Vec3 gradient;
      for (int k = 0; k < 3; ++k)
        gradient[k] = (signed_distance(shape, point + step * Vec3::Unit(k)).distance -
                       signed_distance(shape, point - step * Vec3::Unit(k)).distance) /
                      (2 * step);
      EXPECT_NEAR((gradient - signed_distance(shape, point).normal).norm(), 0, 2e-5)
          << "seed " << kSeed << " id " << id;
    }
  }
}

TEST(ColliderShapes, BoxEdgesAndCornersHaveTheStatedNormals) {
  const PlacedShape box = upright_box();
  const SurfaceDistance beyond_edge = signed_distance(box, Vec3(0.5 + 3e-3, -0.3 - 4e-3, 0.1));
  EXPECT_NEAR(beyond_edge.distance, 5e-3, 1e-16);
  EXPECT_NEAR((beyond_edge.normal - Vec3(0.6, -0.8, 0)).norm(), 0, 1e-12);
  const SurfaceDistance beyond_corner = signed_distance(box, Vec3(-0.5 - 1e-3, 0.3 + 2e-3, -0.2 - 2e-3));
  EXPECT_NEAR(beyond_corner.distance, 3e-3, 1e-16);
  EXPECT_NEAR((beyond_corner.normal - Vec3(-1, 2, -2) / 3).norm(), 0, 1e-12);
  // exactly on a corner, equally near two faces, and at the centre plane of the thinnest direction
  EXPECT_EQ(signed_distance(box, Vec3(0.5, 0.3, 0.2)).distance, 0);
  EXPECT_EQ(signed_distance(box, Vec3(0.5, 0.3, 0.2)).normal, Vec3::UnitX());
  EXPECT_EQ(signed_distance(box, Vec3(0.5, -0.3, 0)).normal, Vec3::UnitX());
  EXPECT_EQ(signed_distance(box, Vec3::Zero()).normal, Vec3::UnitZ());
  EXPECT_EQ(signed_distance(box, Vec3::Zero()).distance, -0.2);
}

TEST(ColliderShapes, BoundsHoldEveryInsidePoint) {
  for (ColliderShape kind : {ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule}) {
    const PlacedShape shape = placed(kind);
    const Box b = bounds(shape);
    int inside = 0;
    for (std::uint64_t id = 0; id < 5000; ++id) {
      const Vec3 point = shape.centre + random_vector(id);
      if (signed_distance(shape, point).distance >= 0) continue;
      ++inside;
      EXPECT_TRUE((point.array() > b.low.array()).all() && (point.array() < b.high.array()).all());
    }
    EXPECT_GT(inside, 50);
  }
}

TEST(ColliderShapes, OverlapTestNeverMissesASharedPoint) {
  const PlacedShape box = placed(ColliderShape::box), plane = placed(ColliderShape::plane);
  int shared = 0;
  for (std::uint64_t id = 0; id < 200; ++id) {
    const PlacedShape ball = placed_shape(collider(ColliderShape::sphere), 2 * random_vector(id), some_turn());
    for (const PlacedShape* other : {&box, &plane})
      for (std::uint64_t k = 0; k < 50; ++k) {
        const Vec3 point = ball.centre + 0.4 * random_vector(1000 + k);
        if (signed_distance(ball, point).distance >= 0 || signed_distance(*other, point).distance >= 0) continue;
        ++shared;
        EXPECT_TRUE(may_overlap(ball, *other) && may_overlap(*other, ball));
      }
  }
  EXPECT_GT(shared, 100);
  EXPECT_FALSE(may_overlap(box, placed_shape(collider(ColliderShape::sphere), Vec3(3, 0, 0), some_turn())));
}

}  // namespace
}  // namespace brisance::contact
