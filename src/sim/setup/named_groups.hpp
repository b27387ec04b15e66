/// What a scene says of groups that the objects' files name.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

/// The names of the groups that are in use on any rank, for messages; says so where there are none. Collective.
[[nodiscard]] std::string list_of_names(const core::Comm& comm, const mesh::Groups& groups,
                                        std::span<const std::int32_t> in_use);

/// Sets the bits of regions that are groups. Collective; throws core::BadInput if a region's group is nowhere in the
/// mesh of all objects.
/// @param regions  per node of the share, the same for all copies of a node, before and afterwards
void add_group_regions(const core::Comm& comm, const Scene& scene, const dist::MeshShare& share,
                       std::vector<std::uint32_t>& regions);

}  // namespace brisance::sim
