/// Modes of the general problem, computed by all ranks together.
#pragma once

#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/general/general_problem.hpp"
#include "brisance/modes/search/find_modes.hpp"

namespace brisance::modes {

struct GeneralSettings {
  std::int32_t count = 10;     ///< of modes, with those of no energy; of scalar modes if the axes are not coupled
  double relative_gap = 1e-3;  ///< of each convex step
  int most_iterations = 2000;  ///< of ADMM in a convex step; one that needs more ends with its present gap
  int most_steps = 30;         ///< most convex steps for a mode
  EigenMethod start = EigenMethod::automatic;
};

/// Fills `modes` up to `count` modes in the order of [S22] algorithm 1, each a local minimum of E(u) among the fields
/// orthogonal to the earlier ones; first those without energy (translations, and rotations if these have none).
///
/// The convex steps are solved by ADMM: PETSc's conjugate gradients and algebraic multigrid, rows distributed over the
/// ranks. Where one scalar field represents all axes, approximate solutions are rounded to sums of level sets. Modes
/// agree between numbers of ranks to the gap, not to the bit.
/// @param modes       each rank's blocks (core/blocks.hpp) of the modes' cells and faces; existing modes are kept
/// @param after_mode  called on all ranks after each computed mode; false, on all ranks, stops
/// @return true when complete
/// Collective. Throws core::Error (on all ranks) if the mesh is too coarse for so many modes or a solver fails.
bool find_general_modes(const GeneralProblem& problem, const GeneralSettings& settings, ModeSet& modes,
                        const AfterMode& after_mode);

}  // namespace brisance::modes
