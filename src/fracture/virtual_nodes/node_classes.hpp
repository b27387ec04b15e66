/// The nodes of a vertex: copies of tets that material connects around it share one.
#pragma once

#include "fracture/cutters/node_splits.hpp"
#include "vertex_star.hpp"

#include <span>
#include <vector>

namespace brisance::fracture {

/// The splits after which copies around the vertex have common nodes where, and only where, they are connected: two
/// copies are connected across a face if a vertex of the face is real in both. Of the parts of a node the one with the
/// real vertex keeps it, else the one with the lowest tet and block. Ids of new nodes are provisional: −1 − k for the
/// k-th of each split. Local; at the owner of the vertex.
[[nodiscard]] std::vector<NodeSplit> splits_at(const dist::Mesh& mesh, std::span<const StarTet> star);

}  // namespace brisance::fracture
