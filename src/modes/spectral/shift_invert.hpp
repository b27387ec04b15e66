/// The spectral transformation of both eigenproblems: eigenvalues nearest to a target first, by solving with A −
/// target.
#pragma once

#include <slepceps.h>

namespace brisance::modes {

/// The solver of A − target; set up by one of the two functions below.
struct InnerSolver {
  KSP solver = nullptr;
  PC preconditioner = nullptr;
};

/// Borrowed handles: they live as long as `eps`. Throws core::Error if PETSc does.
[[nodiscard]] InnerSolver set_shift_invert(EPS eps, double target);

/// A Cholesky factor by MUMPS, over all ranks of the matrix.
void use_factor(const InnerSolver& inner);

/// Sets the solver up, with the factor, and keeps the program's handler of SIGTERM. Collective; throws core::Error.
void set_up(EPS eps);

}  // namespace brisance::modes
