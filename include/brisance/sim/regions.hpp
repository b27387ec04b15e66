/// Regions that hold nodes still or move them as told, as functions of place and time alone.
#pragma once

#include "brisance/fracture/criteria/criterion.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>

namespace brisance::sim {

/// Bit mask of the scene's regions that contain a rest position. Local.
[[nodiscard]] std::uint32_t regions_at(const Scene& scene, const Vec3& rest);

/// The regions that hold their nodes at this time: such a node, constrained along all axes, does not fail. Local.
[[nodiscard]] fracture::ConstrainedRegions regions_constrained_at(const Scene& scene, double time_s);

/// Where a frame stands that moves with a region's Dirichlet condition, by its axes that are held: the pivot, turned.
/// What the region lets go of stays where it was then. Local; does not throw.
[[nodiscard]] Eigen::Isometry3d region_path(const RegionParameters& region, double time_s);

/// The rigid motion of a region over one step: turn about the axis through the moving pivot, and shift.
struct RegionMotion {
  Vec3 pivot;            ///< at the start [m]
  Vec3 shift;            ///< mean velocity of the pivot [m/s]
  Vec3 axis;             ///< unit, or zero
  double swing, inward;  ///< sin θ/dt and (1 − cos θ)/dt for the angle θ of the step [1/s]
  /// Mean velocity over the step of what is at x when it begins [m/s].
  [[nodiscard]] Vec3 velocity(const Vec3& x) const {
    const Vec3 across = axis.cross(x - pivot);
    return shift + swing * across + inward * axis.cross(across);
  }
};

/// Local; does not throw.
[[nodiscard]] RegionMotion motion_over(const RegionParameters& region, double from_s, double dt_s);

}  // namespace brisance::sim
