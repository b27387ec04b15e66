/// Modes of the general problem, found by all ranks together.
#pragma once

#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/general/general_problem.hpp"
#include "brisance/modes/search/find_modes.hpp"

namespace brisance::modes {

struct GeneralSettings {
  std::int32_t count = 10;     ///< modes, those without energy included; scalar ones if the axes are not coupled
  double relative_gap = 1e-3;  ///< of every convex step
  int most_iterations = 2000;  ///< of ADMM a convex step; one that needs more ends with the gap it has
  int most_steps = 30;         ///< convex steps a mode
  EigenMethod start = EigenMethod::automatic;
};

/// Fills `modes` up to `count` modes in the order of [S22] algorithm 1, each a local minimum of E(u) among the fields
/// orthogonal to the earlier ones; first those that cost nothing (translations, and turns if turning costs nothing).
///
/// The convex steps are solved by ADMM: PETSc's conjugate gradients and algebraic multigrid, rows divided over the
/// ranks. Where one scalar field stands for all axes, approximate solutions are rounded to sums of level sets. Modes
/// agree between numbers of ranks to the gap, not to the bit.
/// @param modes       each rank's blocks (core/blocks.hpp) of the modes' cells and faces; modes it holds already are
///                    kept
/// @param after_mode  called on all ranks after each mode that took a search; false, on all ranks, stops
/// @return true when complete
/// Collective. Throws core::Error (on all ranks) if the mesh is too coarse for so many modes or a solver fails.
bool find_general_modes(const GeneralProblem& problem, const GeneralSettings& settings, ModeSet& modes,
                        const AfterMode& after_mode);

}  // namespace brisance::modes
