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

}  // namespace brisance::sim
