/// Face neighbours of tets.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::mesh {

inline constexpr std::int32_t kNoTet = -1;

/// For each tet, the tet across the face opposite each corner; kNoTet at the boundary. Throws core::Error if three tets
/// share a face.
[[nodiscard]] std::vector<std::array<std::int32_t, 4>> tet_neighbours(const TetMesh& mesh);

}  // namespace brisance::mesh
