/// Rigid shapes placed in the world: how far is a point from the surface, and which way is out.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/core/types.hpp"

namespace brisance::contact {

/// A shape at one instant. Which members count follows from `kind`.
struct PlacedShape {
  ColliderShape kind = ColliderShape::plane;
  Vec3 centre = Vec3::Zero();     ///< of a plane, a point on it [m]
  Mat3 axes = Mat3::Identity();   ///< columns: the box's edge directions in the world
  Vec3 normal = Vec3::UnitZ();    ///< plane: unit outward normal in the world
  double radius = 0;              ///< sphere [m]
  Vec3 half_size = Vec3::Zero();  ///< box: half edge lengths [m]
};

/// The surface as a point sees it.
struct SurfaceDistance {
  double distance = 0;          ///< negative inside [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit outward normal of the nearest surface point
};

/// Signed distance and outward normal. Ties are broken once and for all, so that every rank finds the same bits: at a
/// sphere's centre the normal is +z; inside a box the nearest face wins, of equally near faces the one of the lowest
/// axis, and of opposite ones the positive; outside a box's edge or corner the normal points from the nearest point
/// of the box to the query. Local; does not throw.
[[nodiscard]] SurfaceDistance signed_distance(const PlacedShape& shape, const Vec3& point);

/// Shape of `parameters` with its body at `position`, turned by `orientation`. Local; does not throw.
[[nodiscard]] PlacedShape placed_shape(const ColliderParameters& parameters, const Vec3& position,
                                       const Eigen::Quaterniond& orientation);

/// Axis-aligned box that holds all of a sphere's or box's inside [m].
struct Bounds {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
};
[[nodiscard]] Bounds bounds(const PlacedShape& shape);

/// False only if no point lies inside both shapes. Two planes always count as overlapping. Local; does not throw.
[[nodiscard]] bool may_overlap(const PlacedShape& a, const PlacedShape& b);

}  // namespace brisance::contact
