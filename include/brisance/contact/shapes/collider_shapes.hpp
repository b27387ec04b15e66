/// Rigid shapes placed in the world: how far is a point from the surface, and which way is out.
#pragma once

#include "brisance/contact/bounds.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/core/types.hpp"

namespace brisance::contact {

/// A shape at one instant. Which members count follows from `kind`.
struct PlacedShape {
  ColliderShape kind = ColliderShape::plane;
  Vec3 centre = Vec3::Zero();       ///< of a plane, a point on it; of a mesh, its centre of mass [m]
  Mat3 axes = Mat3::Identity();     ///< columns: the box's edge directions in the world
  Vec3 normal = Vec3::UnitZ();      ///< plane: unit outward normal in the world
  double radius = 0;                ///< sphere [m]
  Vec3 half_size = Vec3::Zero();    ///< box: half edge lengths [m]
  const RigidMesh* mesh = nullptr;  ///< mesh: that of the parameters it was placed by, which outlive it
};

/// The surface as a point sees it.
struct SurfaceDistance {
  double distance = 0;          ///< negative inside [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit outward normal of the nearest surface point
};

/// Signed distance and outward normal. Ties are broken once and for all, so that every rank finds the same bits: at a
/// sphere's centre the normal is +z; inside a box the nearest face wins, of equally near faces the one of the lowest
/// axis, and of opposite ones the positive; outside a box's edge or corner the normal points from the nearest point
/// of the box to the query. A mesh's nearest point is that of the first of equally near triangles (rigid_mesh.hpp).
/// Inside, depth is that to the nearest side, however deep: who is past the middle is led out of the other side.
/// Local; does not throw.
[[nodiscard]] SurfaceDistance signed_distance(const PlacedShape& shape, const Vec3& point);

/// The same for who only asks about the inside: a point that is seen at once to be outside a mesh is infinitely far.
[[nodiscard]] SurfaceDistance distance_inside(const PlacedShape& shape, const Vec3& point);

/// Shape of `parameters` with its body at `position`, turned by `orientation`. Local; does not throw.
[[nodiscard]] PlacedShape placed_shape(const ColliderParameters& parameters, const Vec3& position,
                                       const Eigen::Quaterniond& orientation);

/// Axis-aligned box that holds all of the inside; not of a plane [m].
[[nodiscard]] Bounds bounds(const PlacedShape& shape);

/// Radius of a ball about the centre that holds all of the shape; not of a plane [m].
[[nodiscard]] double reach(const PlacedShape& shape);

/// False only if no point lies inside both shapes. Two planes always count as overlapping. Local; does not throw.
[[nodiscard]] bool may_overlap(const PlacedShape& a, const PlacedShape& b);

}  // namespace brisance::contact
