/// Boundary faces of a tet mesh that was read without a surface.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <optional>

namespace brisance::mesh {

/// A face of three tets or more, which a solid cannot have.
struct CrowdedFace {
  std::int64_t num_tets = 0;
  std::int32_t node = 0;  ///< one of its corners
};

/// Sets face_source: faces of one tet only are numbered in order of (tet, corner), others are interior.
/// @return the first crowded face, if there is one; then face_source is invalid. Local; does not throw.
[[nodiscard]] std::optional<CrowdedFace> number_boundary(TetMesh& mesh);

}  // namespace brisance::mesh
