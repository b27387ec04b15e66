/// Linear systems with A = S/ρ + KᵀK, which is singular: rigid fields are its null space.
#pragma once

#include "brisance/la/handles.hpp"

#include "modes/general/jump_problem.hpp"

namespace brisance::modes {

/// Conjugate gradients with algebraic multigrid that uses the rigid fields; options with prefix -general_ choose other
/// solvers (-general_pc_type cholesky: a factor, for small problems).
class NormalSolver {
public:
  explicit NormalSolver(const JumpProblem& problem);

  /// Sets up for another ρ. Without a strain energy A does not depend on it. Collective.
  void set_penalty(double penalty);

  /// x = A⁺b to a relative residual of 1e-9. Collective; throws core::Error if it does not converge.
  void solve(const la::Vector& b, la::Vector& x);
  /// To another relative residual, at least 1e-9.
  void solve_to(double tolerance, const la::Vector& b, la::Vector& x);
  /// Improves x towards A⁺b from its present value: reduces the residual to a hundredth, or to that of a factor.
  /// Collective; throws core::Error.
  void improve(const la::Vector& b, la::Vector& x);

private:
  [[nodiscard]] bool is_factored() const;
  void run(const la::Vector& b, la::Vector& x, double tolerance, bool from_x);

  const JumpProblem& problem_;
  la::Matrix jump_product_;  ///< KᵀK
  la::Matrix matrix_;        ///< A
  la::Matrix regular_;       ///< A, slightly larger on the diagonal: the matrix of the preconditioner
  la::NullSpace rigid_;
  la::LinearSolver solver_;
};

}  // namespace brisance::modes
