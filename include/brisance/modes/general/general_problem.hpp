/// The general problem of fracture modes, [S22] eq. (15): any strain energy, any tensor weight on a face.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/modes/body/divided_body.hpp"

#include <cstdint>
#include <vector>

namespace brisance::modes {

/// Strain energy of the cells, ½ uᵀQu with the Q of [S22]. Fields are linear in each cell unless it is `none`.
enum class StrainEnergy : std::uint8_t {
  none,       ///< cells are rigid and do not rotate: one value for each cell, the reduced problem ([S22] eq. (31))
  laplacian,  ///< ½ ∫ ‖∇u‖²
  elastic,  ///< linear elasticity with shear modulus 1, ∫ e:e + ν/(1−2ν) (tr e)², e = sym ∇u (plane strain in 2D)
};

/// The problem: E(u) = ½ uᵀQu + ω Σ_f w_f ‖W_f jump_f(u)‖; the jump's norm is its root mean square over the face. For a
/// constant jump this is the energy of the reduced problem.
struct GeneralProblem {
  DividedBody body;          ///< one connected part, with the weights of its faces
  std::vector<Mat3> tensor;  ///< regular W_f for each local face, or one for all; empty: the identity
  StrainEnergy strain = StrainEnergy::none;
  double omega = 1;      ///< ω, above 0; 1 without a strain energy
  double poisson = 0.3;  ///< ν of the elastic strain energy, 0 ≤ ν < ½

  /// Are displacements along different axes coupled? If not, one scalar field represents all axes. Collective: a rank
  /// without faces has no tensors where the others have.
  [[nodiscard]] bool couples_axes() const { return body.comm.any(strain != StrainEnergy::none || !tensor.empty()); }
};

}  // namespace brisance::modes
