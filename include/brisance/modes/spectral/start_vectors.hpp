/// Start vectors of the search for fracture modes: the smooth modes of the unbroken body.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/modes/body/divided_body.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

enum class EigenMethod : std::uint8_t {
  automatic,     ///< shift_invert up to 200 000 nodes divided by the number of ranks, iterative above:
                 ///< the factor would be the largest object on a rank
  shift_invert,  ///< one sparse Cholesky factor: fast, memory grows faster than the mesh
  iterative,     ///< the inverse by conjugate gradients with algebraic multigrid: memory proportional to the mesh
};

/// The `count` lowest solutions of L φ = λ M φ, averaged from the nodes to the cells; L is the Laplacian ∇·D∇ with
/// linear elements, M the lumped volumes.
///
/// The first is the constant. Signs: the first value above half of the largest magnitude is positive. PETSc's options
/// with prefix -modes_ apply (-modes_eps_tol, -modes_st_pc_type …).
/// @param conductivity  D of each cell, positive definite and about 1 [–]; empty means the identity
/// @return count vectors with one value for each cell [1/√m³]
/// Local, deterministic. Throws core::Error if the mesh has fewer than `count` nodes, or the solver does not converge.
[[nodiscard]] std::vector<std::vector<double>> start_vectors(const Simplices& mesh, int count,
                                                             EigenMethod method = EigenMethod::automatic,
                                                             std::span<const SymMat3> conductivity = {});
[[nodiscard]] std::vector<std::vector<double>> start_vectors(const mesh::TetMesh& mesh, int count,
                                                             EigenMethod method = EigenMethod::automatic);
/// The same on the nodes of a divided body, one value for each local node, computed by all ranks together. Results on
/// different numbers of ranks agree about as well as the solver converges (1e-12), also within one eigenspace: its
/// basis is chosen independently of rounding.
/// @param conductivity  of each local cell
/// Collective. Throws core::Error on all ranks.
[[nodiscard]] std::vector<std::vector<double>> nodal_start_vectors(const DividedBody& body, int count,
                                                                   EigenMethod method = EigenMethod::automatic,
                                                                   std::span<const SymMat3> conductivity = {});

/// The mean over the corners of each cell. Local.
[[nodiscard]] std::vector<double> averaged_to_cells(const Simplices& mesh, const std::vector<double>& on_node);

}  // namespace brisance::modes
