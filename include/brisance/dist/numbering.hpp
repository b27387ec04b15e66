/// A contiguous numbering of the nodes for solvers, independent of global ids, which have gaps and are permanent.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <cstdint>

namespace brisance::dist {

/// Rank r's owned nodes have the numbers [first, first + count), in ascending global id; the ranks' blocks follow each
/// other. Ghosts have their owners' numbers. Valid until the mesh is cut or nodes change owners.
struct NodeNumbering {
  std::int64_t first = 0, count = 0, total = 0;
  NodeField<std::int64_t> number;  ///< by slot; −1 for unused slots
};

/// Collective.
[[nodiscard]] NodeNumbering number_nodes(const Mesh& mesh);

}  // namespace brisance::dist
