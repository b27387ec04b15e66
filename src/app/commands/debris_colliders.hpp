/// Colliders of a scene as obstacles of its debris.
#pragma once

#include "brisance/breaking/debris.hpp"
#include "brisance/io/snapshot.hpp"
#include "brisance/sim/parameters.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace brisance::app {

/// The scene's colliders in their state in the frame. Local; throws core::Error if the frame has others, or if a mesh
/// that moves freely is much smaller than its convex hull.
/// @param before  the frame before, or empty: for velocities of free colliders that the frame does not have
/// @param friction  of all colliders, if given
[[nodiscard]] std::vector<breaking::DebrisCollider> debris_colliders(const sim::Scene& scene,
                                                                     const io::SnapshotHeader& now,
                                                                     const std::filesystem::path& before,
                                                                     const std::optional<double>& friction);

}  // namespace brisance::app
