#include "modes/spectral/shift_invert.hpp"

#include "brisance/core/signals.hpp"
#include "brisance/la/handles.hpp"

namespace brisance::modes {

using la::check;

InnerSolver set_shift_invert(EPS eps, double target) {
  ST transform = nullptr;
  InnerSolver inner;
  check(EPSGetST(eps, &transform), "EPSGetST");
  check(STSetType(transform, STSINVERT), "STSetType");
  check(EPSSetTarget(eps, target), "EPSSetTarget");
  check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE), "EPSSetWhichEigenpairs");
  check(STGetKSP(transform, &inner.solver), "STGetKSP");
  check(KSPGetPC(inner.solver, &inner.preconditioner), "KSPGetPC");
  return inner;
}

void use_factor(const InnerSolver& inner) {
  check(KSPSetType(inner.solver, KSPPREONLY), "KSPSetType");
  check(PCSetType(inner.preconditioner, PCCHOLESKY), "PCSetType");
  check(PCFactorSetMatSolverType(inner.preconditioner, MATSOLVERMUMPS), "PCFactorSetMatSolverType");
}

void set_up(EPS eps) {
  const core::SigtermGuard guard;  // MUMPS may order by METIS
  check(EPSSetUp(eps), "EPSSetUp");
}

}  // namespace brisance::modes
