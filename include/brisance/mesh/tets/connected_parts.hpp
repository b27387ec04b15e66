/// In how many bodies a mesh is.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <vector>

namespace brisance::mesh {

/// For each node the lowest-numbered one that it hangs together with through tets. Local.
[[nodiscard]] std::vector<std::int32_t> lowest_connected_nodes(const TetMesh& mesh);

/// Number of parts of the tets that share no node with one another. Local.
[[nodiscard]] std::int64_t num_connected_parts(const TetMesh& mesh);

}  // namespace brisance::mesh
