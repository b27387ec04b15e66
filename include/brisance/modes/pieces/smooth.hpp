/// Smooth cracks: pieces end where diffused labels are equal ([S22] section 3.6), not at faces of the mesh.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/pieces/pieces.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// A body with tets that follow the smooth cracks.
struct SmoothedPieces {
  mesh::TetMesh mesh;               ///< the input's nodes first; its tets cut where a crack crosses them
  std::vector<std::int32_t> label;  ///< new label of each tet
};

/// The same for a flat body.
struct SmoothedPlane {
  mesh::PlaneMesh mesh;
  std::vector<std::int32_t> label;
};

/// Diffuses the indicator z of each label over the nodes and assigns every point to the label that is largest there:
///
///   z ← (M + λL)⁻¹ M z,  M lumped mass, L cotangent stiffness (positive semi-definite)      [S22] eq. (24)
///
/// The upper envelope is exact up to the position of a crack on an edge, which keeps 1 % of the edge away from both
/// ends. Tets are only cut, never moved: volume and outside stay those of the mesh. Where a mesh is a manifold solid,
/// so is every label: cracks never pinch. Labels may vanish or fall into several parts.
/// @param label  of each tet, 0 … num_labels − 1
/// @param lambda_m2  diffusion time λ ≥ 0 [m²]; features below √λ are smoothed away, 0 only rounds the steps of the
/// mesh
/// Throws core::Error if λ is negative or the linear solve does not converge. Local, deterministic.
[[nodiscard]] SmoothedPieces smooth_pieces(const mesh::TetMesh& mesh, std::span<const std::int32_t> label,
                                           std::int32_t num_labels, double lambda_m2);
[[nodiscard]] SmoothedPlane smooth_pieces(const mesh::PlaneMesh& plane, std::span<const std::int32_t> label,
                                          std::int32_t num_labels, double lambda_m2);

}  // namespace brisance::modes
