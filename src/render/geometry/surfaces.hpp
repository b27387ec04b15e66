/// Surfaces of a snapshot: outside and cracks of each simulation material, then the colliders; and what each is made
/// of.
#pragma once

#include "brisance/io/snapshot.hpp"
#include "brisance/render/options.hpp"

#include "render/geometry/geometry.hpp"

#include <vector>

namespace brisance::render {

/// Number of the surface of a simulation material.
[[nodiscard]] inline std::uint32_t surface_of(std::int32_t material, bool is_crack) {
  return 2 * static_cast<std::uint32_t>(material) + (is_crack ? 1 : 0);
}
/// Number of a collider's surface.
[[nodiscard]] std::uint32_t collider_surface(const io::Snapshot& snapshot, std::size_t collider);

/// All surfaces. Where colours show a field, pieces or materials, all have material 0. Throws core::Error for an
/// assignment to a simulation material or collider that the snapshot does not have. Local.
[[nodiscard]] std::vector<Surface> surfaces_of(const io::Snapshot& snapshot, const Options& options);

}  // namespace brisance::render
