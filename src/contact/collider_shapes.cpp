#include "brisance/contact/collider_shapes.hpp"

#include <cmath>

namespace brisance::contact {
namespace {

SurfaceDistance plane_distance(const PlacedShape& plane, const Vec3& point) {
  return {plane.normal.dot(point - plane.centre), plane.normal};
}

SurfaceDistance sphere_distance(const PlacedShape& sphere, const Vec3& point) {
  const Vec3 out = point - sphere.centre;
  const double length = out.norm();
  return {length - sphere.radius, length > 0 ? Vec3(out / length) : Vec3::UnitZ()};
}

SurfaceDistance box_distance(const PlacedShape& box, const Vec3& point) {
  const Vec3 local = box.axes.transpose() * (point - box.centre);
  const Vec3 beyond = local.cwiseAbs() - box.half_size;  // past the face of each axis if positive
  const Vec3 outside = beyond.cwiseMax(0.0);
  Vec3 normal = Vec3::Zero();
  double distance = outside.norm();
  if (distance > 0) {
    for (int axis = 0; axis < 3; ++axis) normal[axis] = std::copysign(outside[axis], local[axis]) / distance;
  } else {
    int nearest = 0;
    for (int axis = 1; axis < 3; ++axis)
      if (beyond[axis] > beyond[nearest]) nearest = axis;
    distance = beyond[nearest];
    normal[nearest] = local[nearest] < 0 ? -1.0 : 1.0;
  }
  return {distance, box.axes * normal};
}

// Radius of a ball about the centre that holds all of the shape (planes have none).
double reach(const PlacedShape& shape) {
  return shape.kind == ColliderShape::sphere ? shape.radius : shape.half_size.norm();
}

}  // namespace

SurfaceDistance signed_distance(const PlacedShape& shape, const Vec3& point) {
  switch (shape.kind) {
    case ColliderShape::plane:
      return plane_distance(shape, point);
    case ColliderShape::sphere:
      return sphere_distance(shape, point);
    case ColliderShape::box:
      break;
  }
  return box_distance(shape, point);
}

PlacedShape placed_shape(const ColliderParameters& parameters, const Vec3& position,
                         const Eigen::Quaterniond& orientation) {
  const Mat3 axes = orientation.toRotationMatrix();
  const Vec3 normal = axes * parameters.normal.normalized();
  return {parameters.shape, position, axes, normal, parameters.radius_m, 0.5 * parameters.size};
}

Bounds bounds(const PlacedShape& shape) {
  Vec3 half = Vec3::Constant(shape.radius);
  if (shape.kind == ColliderShape::box) half = shape.axes.cwiseAbs() * shape.half_size;
  // Rounding may leave the computed box a hair too small; a part in 10^12 of the numbers involved is ample.
  half.array() += 1e-12 * (half.sum() + shape.centre.cwiseAbs().sum());
  return {shape.centre - half, shape.centre + half};
}

bool may_overlap(const PlacedShape& a, const PlacedShape& b) {
  const bool a_is_plane = a.kind == ColliderShape::plane, b_is_plane = b.kind == ColliderShape::plane;
  if (a_is_plane && b_is_plane) return true;
  if (a_is_plane) return plane_distance(a, b.centre).distance < reach(b);
  if (b_is_plane) return plane_distance(b, a.centre).distance < reach(a);
  return (a.centre - b.centre).norm() < reach(a) + reach(b);
}

}  // namespace brisance::contact
