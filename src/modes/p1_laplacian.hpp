/// The Laplacian with linear elements on the nodes of a tet mesh, as sparse rows.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <cstdint>
#include <vector>

namespace brisance::modes {

/// Symmetric rows of L_ij = ∫ ∇N_i·∇N_j [m] in compressed form, columns ascending, and the lumped volumes.
struct P1Laplacian {
  std::vector<std::int32_t> row_begin, column;
  std::vector<double> value;
  std::vector<double> node_volume;  ///< a quarter of the tets around each node [m³]

  [[nodiscard]] std::int32_t num_nodes() const { return static_cast<std::int32_t>(node_volume.size()); }
};

/// Assembles it from positive tets; the same mesh gives the same bits. Local.
[[nodiscard]] P1Laplacian p1_laplacian(const mesh::TetMesh& mesh);

}  // namespace brisance::modes
