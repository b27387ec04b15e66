/// Dirichlet conditions of the scene's regions, as functions of position and time alone.
#pragma once

#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>

namespace brisance::sim {

/// Bit mask of the scene's regions that contain a rest position. Local.
[[nodiscard]] std::uint32_t regions_at(const Scene& scene, const Vec3& rest);

/// The regions that constrain their nodes at this time; a node constrained along all axes does not fail. Local.
[[nodiscard]] fracture::ConstrainedRegions regions_constrained_at(const Scene& scene, double time_s);

/// Position of a frame that moves with a region's Dirichlet condition along the constrained axes: the pivot and its
/// rotation. After the region releases its nodes the frame stays in place. Local; does not throw.
[[nodiscard]] Eigen::Isometry3d region_path(const RegionParameters& region, double time_s);

/// The rigid motion of a region over one step: a rotation about an axis through the moving pivot, and a translation.
struct RegionMotion {
  Vec3 pivot;            ///< at the start of the step [m]
  Vec3 shift;            ///< mean velocity of the pivot [m/s]
  Vec3 axis;             ///< unit, or zero
  double swing, inward;  ///< sin θ/dt and (1 − cos θ)/dt for the angle θ of the step [1/s]
  /// Mean velocity over the step of a point that is at x when the step begins [m/s].
  [[nodiscard]] Vec3 velocity(const Vec3& x) const {
    const Vec3 across = axis.cross(x - pivot);
    return shift + swing * across + inward * axis.cross(across);
  }
};

/// Local; does not throw.
[[nodiscard]] RegionMotion motion_over(const RegionParameters& region, double from_s, double dt_s);

}  // namespace brisance::sim
