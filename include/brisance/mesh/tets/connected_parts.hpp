/// Connected parts of a mesh.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <vector>

namespace brisance::mesh {

/// For each node the lowest-numbered node that is connected to it through tets. Local.
[[nodiscard]] std::vector<std::int32_t> lowest_connected_nodes(const TetMesh& mesh);

/// Number of parts of the tets that share no node with each other. Local.
[[nodiscard]] std::int64_t num_connected_parts(const TetMesh& mesh);

}  // namespace brisance::mesh
