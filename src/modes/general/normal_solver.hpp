/// Linear systems with A = S/ρ + KᵀK, which is singular: rigid fields are its null space.
#pragma once

#include "brisance/la/handles.hpp"

#include "modes/general/jump_problem.hpp"

namespace brisance::modes {

/// Conjugate gradients with algebraic multigrid that knows the rigid fields; options with prefix -general_ choose
/// others
/// (-general_pc_type cholesky: a factor, for small problems).
class NormalSolver {
public:
  explicit NormalSolver(const JumpProblem& problem);

  /// Sets up for another ρ. Without a strain energy A does not depend on it. Collective.
  void set_penalty(double penalty);

  /// x = A⁺b to a relative residual of 1e-9. Collective; throws core::Error if it does not converge.
  void solve(const la::Vector& b, la::Vector& x);
  /// The same to another relative residual, 1e-9 at least.
  void solve_to(double tolerance, const la::Vector& b, la::Vector& x);
  /// x nearer to A⁺b, from what it is: the residual is reduced to a hundredth, or at once to what a factor gives.
  /// Collective; throws core::Error.
  void improve(const la::Vector& b, la::Vector& x);

private:
  [[nodiscard]] bool is_factored() const;
  void run(const la::Vector& b, la::Vector& x, double tolerance, bool from_x);

  const JumpProblem& problem_;
  la::Matrix jump_product_;  ///< KᵀK
  la::Matrix matrix_;        ///< A
  la::Matrix regular_;       ///< A, a little larger on the diagonal: what is preconditioned
  la::NullSpace rigid_;
  la::LinearSolver solver_;
};

}  // namespace brisance::modes
