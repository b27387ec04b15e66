/// Statics needs constraints on every part: a part that is free to move as a rigid body has no equilibrium.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <span>

namespace brisance::sim {

/// Throws core::BadInput naming the first object with a connected part to which the scene's regions at the start leave
/// a rigid motion. Collective.
/// @param regions     bit mask of the scene's regions by node of the share
/// @param first_node  number of each object's first node, ascending
void require_held(const core::Comm& comm, const Scene& scene, const dist::MeshShare& share,
                  std::span<const std::uint32_t> regions, std::span<const std::int64_t> first_node);

}  // namespace brisance::sim
