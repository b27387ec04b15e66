#include "brisance/contact/shapes/collider_shapes.hpp"

#include "brisance/contact/shapes/rigid_mesh.hpp"

#include <cmath>
#include <limits>

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

/// A point in the frame of a mesh.
Vec3 local(const PlacedShape& mesh, const Vec3& point) { return mesh.axes.transpose() * (point - mesh.centre); }

SurfaceDistance mesh_distance(const PlacedShape& mesh, const Vec3& local) {
  Vec3 normal;
  const double distance = mesh.mesh->signed_distance(local, normal);
  return {distance, mesh.axes * normal};
}

/// Half the edge lengths of a mesh's bounds in its own frame, and their middle in the world [m].
Vec3 half_edges(const PlacedShape& mesh) { return 0.5 * (mesh.mesh->bounds().high - mesh.mesh->bounds().low); }
Vec3 middle(const PlacedShape& mesh) {
  return mesh.centre + mesh.axes * (0.5 * (mesh.mesh->bounds().high + mesh.mesh->bounds().low));
}

bool bounds_overlap(const PlacedShape& a, const PlacedShape& b) {
  const Bounds x = bounds(a), y = bounds(b);
  return (x.low.array() < y.high.array()).all() && (y.low.array() < x.high.array()).all();
}

bool plane_may_overlap(const PlacedShape& plane, const PlacedShape& mesh) {
  const double reach = (mesh.axes.transpose() * plane.normal).cwiseAbs().dot(half_edges(mesh));
  return plane_distance(plane, middle(mesh)).distance < (1 + 1e-12) * reach;
}

/// May a mesh overlap a shape that lies in a ball about its centre?
bool mesh_may_overlap(const PlacedShape& mesh, const PlacedShape& other) {
  return bounds_overlap(mesh, other) && signed_distance(mesh, other.centre).distance < reach(other);
}

}  // namespace

double reach(const PlacedShape& shape) {
  if (shape.kind == ColliderShape::mesh) return shape.mesh->reach();
  return shape.kind == ColliderShape::sphere ? shape.radius : shape.half_size.norm();
}

SurfaceDistance signed_distance(const PlacedShape& shape, const Vec3& point) {
  switch (shape.kind) {
    case ColliderShape::plane:
      return plane_distance(shape, point);
    case ColliderShape::sphere:
      return sphere_distance(shape, point);
    case ColliderShape::mesh:
      return mesh_distance(shape, local(shape, point));
    case ColliderShape::box:
      break;
  }
  return box_distance(shape, point);
}

SurfaceDistance distance_inside(const PlacedShape& shape, const Vec3& point) {
  if (shape.kind != ColliderShape::mesh) return signed_distance(shape, point);
  const Vec3 there = local(shape, point);
  if (!shape.mesh->may_hold(there)) return {std::numeric_limits<double>::infinity(), Vec3::UnitZ()};
  return mesh_distance(shape, there);
}

PlacedShape placed_shape(const ColliderParameters& parameters, const Vec3& position,
                         const Eigen::Quaterniond& orientation) {
  const Mat3 axes = orientation.toRotationMatrix();
  const Vec3 normal = axes * parameters.normal.normalized();
  return {parameters.shape,          position, axes, normal, parameters.radius_m, 0.5 * parameters.size,
          parameters.mesh.mesh.get()};
}

Bounds bounds(const PlacedShape& shape) {
  if (shape.kind == ColliderShape::mesh) {
    const Vec3 centre = middle(shape);
    Vec3 half = shape.axes.cwiseAbs() * half_edges(shape);
    half.array() += 1e-12 * (half.sum() + shape.centre.cwiseAbs().sum());
    return {centre - half, centre + half};
  }
  Vec3 half = Vec3::Constant(shape.radius);
  if (shape.kind == ColliderShape::box) half = shape.axes.cwiseAbs() * shape.half_size;
  // Rounding may leave the computed box a hair too small; a part in 10^12 of the numbers involved is ample.
  half.array() += 1e-12 * (half.sum() + shape.centre.cwiseAbs().sum());
  return {shape.centre - half, shape.centre + half};
}

bool may_overlap(const PlacedShape& a, const PlacedShape& b) {
  const bool a_is_plane = a.kind == ColliderShape::plane, b_is_plane = b.kind == ColliderShape::plane;
  if (a_is_plane && b_is_plane) return true;
  const bool a_is_mesh = a.kind == ColliderShape::mesh, b_is_mesh = b.kind == ColliderShape::mesh;
  if (a_is_mesh && b_is_mesh) return mesh_may_overlap(a, b) && mesh_may_overlap(b, a);
  if (a_is_mesh) return b_is_plane ? plane_may_overlap(b, a) : mesh_may_overlap(a, b);
  if (b_is_mesh) return a_is_plane ? plane_may_overlap(a, b) : mesh_may_overlap(b, a);
  if (a_is_plane) return plane_distance(a, b.centre).distance < reach(b);
  if (b_is_plane) return plane_distance(b, a.centre).distance < reach(a);
  return (a.centre - b.centre).norm() < reach(a) + reach(b);
}

}  // namespace brisance::contact
