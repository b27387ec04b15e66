/// Rigid shapes placed in the world: distance of a point from the surface, and outward normal.
#pragma once

#include "brisance/contact/bounds.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/core/types.hpp"

namespace brisance::contact {

/// A shape at one instant. `kind` determines which members are used.
struct PlacedShape {
  ColliderShape kind = ColliderShape::plane;
  Vec3 centre = Vec3::Zero();       ///< of a plane: a point on it; of a mesh: its centre of mass [m]
  Mat3 axes = Mat3::Identity();     ///< columns: the box's edge directions in the world
  Vec3 normal = Vec3::UnitZ();      ///< plane: unit outward normal in the world
  double radius = 0;                ///< sphere [m]
  Vec3 half_size = Vec3::Zero();    ///< box: half edge lengths [m]
  const RigidMesh* mesh = nullptr;  ///< mesh: the mesh of its parameters, which must outlive the shape
};

/// Distance of a point from the surface.
struct SurfaceDistance {
  double distance = 0;          ///< negative inside [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit outward normal of the nearest surface point
};

/// Signed distance and outward normal. Ties have a fixed choice, so that every rank finds the same bits: at a sphere's
/// centre the normal is +z; inside a box the nearest face counts, of equally near faces that of the lowest axis, and of
/// opposite ones the positive one; outside a box's edge or corner the normal points from the nearest point of the box
/// to the query. For a mesh the first of equally near triangles counts (rigid_mesh.hpp). Inside, the depth is that to
/// the nearest side: a point beyond the middle leaves on the other side. Local; does not throw.
[[nodiscard]] SurfaceDistance signed_distance(const PlacedShape& shape, const Vec3& point);

/// The same if only the inside matters: for a point that is clearly outside a mesh the distance is infinite.
[[nodiscard]] SurfaceDistance distance_inside(const PlacedShape& shape, const Vec3& point);

/// Shape of `parameters` with its body at `position`, turned by `orientation`. Local; does not throw.
[[nodiscard]] PlacedShape placed_shape(const ColliderParameters& parameters, const Vec3& position,
                                       const Eigen::Quaterniond& orientation);

/// Axis-aligned box that contains the whole inside; not of a plane [m].
[[nodiscard]] Bounds bounds(const PlacedShape& shape);

/// Radius of a ball about the centre that contains all of the shape; not of a plane [m].
[[nodiscard]] double reach(const PlacedShape& shape);

/// False only if no point lies inside both shapes. Two planes always count as overlapping. Local; does not throw.
[[nodiscard]] bool may_overlap(const PlacedShape& a, const PlacedShape& b);

}  // namespace brisance::contact
