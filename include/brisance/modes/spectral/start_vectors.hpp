/// Where the search for each fracture mode starts: the smooth modes of the unbroken body.
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
  automatic,     ///< shift_invert up to 200 000 nodes on one rank, fewer by as many times as there are ranks; iterative
                 ///< above: the factor would be the largest thing that a rank holds
  shift_invert,  ///< one sparse Cholesky factor: fast, memory grows faster than the mesh
  iterative,     ///< the inverse by conjugate gradients with algebraic multigrid: memory grows like the mesh
};

/// The `count` lowest solutions of L φ = λ M φ, averaged from the nodes to the cells; L is the Laplacian ∇·D∇ with
/// linear elements, M the lumped volumes.
///
/// The first is the constant. Signs: the first value above half of the largest magnitude is positive. PETSc's options
/// with prefix -modes_ apply (-modes_eps_tol, -modes_st_pc_type …).
/// @param conductivity  D of each cell, positive definite and about 1 [–]; empty means the identity
/// @return count vectors of one value a cell [1/√m³]
/// Local, deterministic. Throws core::Error if the mesh has fewer than `count` nodes, or the solver does not converge.
[[nodiscard]] std::vector<std::vector<double>> start_vectors(const Simplices& mesh, int count,
                                                             EigenMethod method = EigenMethod::automatic,
                                                             std::span<const SymMat3> conductivity = {});
[[nodiscard]] std::vector<std::vector<double>> start_vectors(const mesh::TetMesh& mesh, int count,
                                                             EigenMethod method = EigenMethod::automatic);
/// The same on the nodes of a divided body, one value a local node, found by all ranks together. They agree between
/// numbers of ranks about as well as the solver converges (1e-12), also those of one eigenvalue: a basis is chosen that
/// does not depend on rounding.
/// @param conductivity  of each local cell
/// Collective. Throws core::Error on all ranks.
[[nodiscard]] std::vector<std::vector<double>> nodal_start_vectors(const DividedBody& body, int count,
                                                                   EigenMethod method = EigenMethod::automatic,
                                                                   std::span<const SymMat3> conductivity = {});

/// The mean of its corners on each cell. Local.
[[nodiscard]] std::vector<double> averaged_to_cells(const Simplices& mesh, const std::vector<double>& on_node);

}  // namespace brisance::modes
