/// The Laplacian with linear elements on the nodes of a mesh, as sparse rows.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Symmetric rows of L_ij = ∫ ∇N_i·D∇N_j [m] (tets) or [–] (triangles) in compressed form, columns ascending, and
/// the lumped volumes.
struct P1Laplacian {
  std::vector<std::int32_t> row_begin, column;
  std::vector<double> value;
  std::vector<double> node_volume;  ///< volume share of each node: a quarter or third of the cells around it [m³, m²]

  [[nodiscard]] std::int32_t num_nodes() const { return static_cast<std::int32_t>(node_volume.size()); }
};

/// Assembles it from positive cells; the same mesh gives the same bits. Local.
/// @param conductivity  D of each cell, positive definite [–]; empty means the identity
[[nodiscard]] P1Laplacian p1_laplacian(const Simplices& mesh, std::span<const SymMat3> conductivity = {});
[[nodiscard]] inline P1Laplacian p1_laplacian(const mesh::TetMesh& mesh) { return p1_laplacian(simplices(mesh)); }

}  // namespace brisance::modes
