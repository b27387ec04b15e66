/// Ordinary elastic vibration of an object that does not break.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <vector>

namespace brisance::modes {

/// Isotropic linear elasticity.
struct ElasticSolid {
  double lame_lambda = 0, lame_mu = 0;  ///< λ, μ [Pa]
  double density = 0;                   ///< ρ [kg/m³]
};

struct VibrationMode {
  double frequency_hz = 0;
  std::vector<Vec3> displacement;  ///< of each node, Σ nodes mass·‖u‖² = 1 [1/√kg]
};

/// The `count` lowest solutions of K u = (2πf)² M u of a free body: K linear elasticity with linear tets, M lumped. The
/// first six are the rigid motions (three along the axes, three turns), of frequency 0.
///
/// Rows are divided over the ranks in node order, so the mesh should be in an order that keeps neighbours near; the
/// shifted matrix is factored with MUMPS. PETSc's options with prefix -vibration_ apply. Signs: the first component
/// above half of the largest is positive.
/// @param mesh  the same on every rank, connected
/// @return the same modes on every rank. They agree between numbers of ranks to the solver's tolerance (1e-10).
/// Collective. Throws core::Error if the mesh has fewer than `count` degrees of freedom or the solver fails.
[[nodiscard]] std::vector<VibrationMode> vibration_modes(const core::Comm& comm, const mesh::TetMesh& mesh,
                                                         const ElasticSolid& solid, int count);

}  // namespace brisance::modes
