/// In statics everything must be held: what can move as a whole has no place where forces balance.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh_share.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstdint>
#include <span>

namespace brisance::sim {

/// Throws core::BadInput naming the first object with a connected part that the scene's regions, as they hold at the
/// start, leave a shift or a turn. Collective.
/// @param regions     bit mask of the scene's regions by node of the share
/// @param first_node  number of each object's first node; they follow each other
void require_held(const core::Comm& comm, const Scene& scene, const dist::MeshShare& share,
                  std::span<const std::uint32_t> regions, std::span<const std::int64_t> first_node);

}  // namespace brisance::sim
