/// In statics everything must be held: what can move as a whole has no place where forces balance.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/sim/parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace brisance::sim {

/// Throws core::Error naming the first object with a connected part that the scene's regions, as they hold at the
/// start, leave a shift or a turn. Local.
/// @param regions     bit mask of the scene's regions by node of `whole`
/// @param first_node  of each object in `whole`; they follow each other
void require_held(const Scene& scene, const mesh::TetMesh& whole, std::span<const std::uint32_t> regions,
                  std::span<const std::size_t> first_node);

}  // namespace brisance::sim
