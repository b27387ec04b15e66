/// Rigid colliders of a frame as geometry.
#include "render/geometry/colliders.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

TEST(Colliders, APlaneThatWasTurnedIsDrawnWhereItIs) {
  // The frame has the normal as it is in the world, and the rotation beside it.
  const Vec3 normal = Vec3(0, -std::sin(0.5), std::cos(0.5));
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.5, Vec3::UnitX()));
  const io::Collider plane{.name = "slope",
                           .kind = "plane",
                           .centre = Vec3(0, 1, 2),
                           .size = normal,
                           .orientation = {turn.w(), turn.x(), 0, 0}};
  Geometry geometry;
  geometry.origin = Vec3(0, 0, 1);
  add_colliders(geometry, std::span(&plane, 1), Rgb::Ones(), 0);
  ASSERT_EQ(geometry.planes.size(), 1U);
  EXPECT_LT((geometry.planes[0].normal.cast<double>() - normal).norm(), 1e-6);
  EXPECT_NEAR(geometry.planes[0].offset, normal.dot(plane.centre - geometry.origin), 1e-6);
}

TEST(Colliders, ABoxThatWasTurnedIsDrawnWhereItIs) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));
  const io::Collider box{.name = "block",
                         .kind = "box",
                         .centre = Vec3(1, 0, 0),
                         .size = Vec3(4, 2, 1),
                         .orientation = {turn.w(), 0, 0, turn.z()}};
  Geometry geometry;
  add_colliders(geometry, std::span(&box, 1), Rgb::Ones(), 0);
  Eigen::AlignedBox3f bounds;
  for (const Triangle& triangle : geometry.triangles)
    for (const Vec3f& x : triangle.position) bounds.extend(x);
  EXPECT_LT((bounds.sizes() - Vec3f(2, 4, 1)).norm(), 1e-5);
  EXPECT_LT((bounds.center() - Vec3f(1, 0, 0)).norm(), 1e-5);
}

}  // namespace
}  // namespace brisance::render
