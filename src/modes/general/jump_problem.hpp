/// The matrices of the general problem, distributed.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/handles.hpp"

#include "modes/general/body_share.hpp"

#include <vector>

namespace brisance::modes {

/// min ½ uᵀSu + Σ_f ‖(Ku)_f‖: [S22] eq. (16) divided by ω. Rows of K come in groups, one for each face; with a strain
/// energy they are scaled with the root of the face's mass matrix, so that a group's norm is the root of ∫‖jump‖².
struct JumpProblem {
  core::Comm comm;
  CellField field;
  int dimension;
  int cell_size;                  ///< unknowns of a cell
  int jump_size;                  ///< rows of a face
  la::Matrix jumps;               ///< K
  la::Matrix strain;              ///< S = Q/ω; empty without a strain energy
  la::Vector mass;                ///< diagonal of M: volume, distributed to the corners
  std::vector<la::Vector> rigid;  ///< orthonormal in M: fields without any energy
};

/// Collective. Throws core::Error.
[[nodiscard]] JumpProblem jump_problem(const core::Comm& comm, const BodyShare& share);

/// √(xᵀMx) and xᵀMy. Collective.
[[nodiscard]] double mass_norm(const JumpProblem& problem, const la::Vector& x);
[[nodiscard]] double mass_dot(const JumpProblem& problem, const la::Vector& x, const la::Vector& y);

}  // namespace brisance::modes
