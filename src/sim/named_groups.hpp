/// What a scene says of groups that the objects' files name.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace brisance::sim {

/// The names of the groups that are in use, for messages; says so where there are none. Local.
[[nodiscard]] std::string list_of_names(const mesh::Groups& groups, std::span<const std::int32_t> in_use);

/// Sets the bits of regions that are groups. Local; throws core::Error if a region's group is nowhere in the mesh of
/// all objects.
/// @param regions  per node of the mesh
void add_group_regions(const Scene& scene, const mesh::TetMesh& whole, std::span<std::uint32_t> regions);

}  // namespace brisance::sim
