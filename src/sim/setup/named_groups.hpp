/// References of a scene to groups in the objects' files.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace brisance::sim {

/// Names of the groups in use on any rank, for messages; a text that says so if there are none. Collective.
[[nodiscard]] std::string list_of_names(const core::Comm& comm, const mesh::Groups& groups,
                                        std::span<const std::int32_t> in_use);

/// Sets the bits of regions that are groups. Collective; throws core::BadInput if a region's group is not in the mesh
/// of any object.
/// @param regions  per node of the share, the same for all copies of a node, before and afterwards
void add_group_regions(const core::Comm& comm, const Scene& scene, const dist::MeshShare& share,
                       std::vector<std::uint32_t>& regions);

}  // namespace brisance::sim
