/// Elastic vibration of an unbroken object.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/modes/body/divided_body.hpp"

#include <vector>

namespace brisance::modes {

/// Isotropic linear elasticity.
struct ElasticSolid {
  double lame_lambda = 0, lame_mu = 0;  ///< λ, μ [Pa]
  double density = 0;                   ///< ρ [kg/m³]
};

struct VibrationMode {
  double frequency_hz = 0;
  std::vector<Vec3> displacement;  ///< of each own node, Σ nodes mass·‖u‖² = 1 [1/√kg]
};

/// The `count` lowest solutions of K u = (2πf)² M u of a free body: K linear elasticity with linear tets, M lumped. The
/// first six are the rigid motions (three translations, three rotations), of frequency 0.
///
/// The shifted matrix is factored with MUMPS. PETSc's options with prefix -vibration_ apply. Signs: the first component
/// (in the order of the body's nodes) above half of the largest is positive. Results on different numbers of ranks
/// agree to the solver's tolerance (1e-10) where frequencies are well separated.
/// @param body  a solid in one connected part
/// Collective. Throws core::Error (on all ranks) if the mesh has fewer than `count` degrees of freedom or the solver
/// fails.
[[nodiscard]] std::vector<VibrationMode> vibration_modes(const DividedBody& body, const ElasticSolid& solid, int count);

}  // namespace brisance::modes
