/// Solves the equations of implicit steps: conjugate gradients, with an automatic choice of the preconditioner.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/couplings.hpp"
#include "brisance/dynamics/step_matrix.hpp"
#include "brisance/la/handles.hpp"

#include <string>

namespace brisance::dynamics {

struct SolveReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0;         ///< over the right-hand side [–]
  int preconditioner_age = 0;  ///< solves since it was set up
  std::string preconditioner;  ///< as PETSc names it: bjacobi, gamg
  std::string reason;          ///< as PETSc names it
};

/// Criteria of convergence in addition to the solver's tolerance.
struct Target {
  double floor = 0;  ///< absolute residual that is small enough [kg m/s]
  /// Residual over the right-hand side that is small enough after kPatience iterations, or if more iterations gain
  /// nothing: for Newton's method, which removes the rest in its next iteration; 0: not used [–]
  double when_slow = 0;
};
inline constexpr int kPatience = 100;  ///< iterations with the full tolerance before when_slow suffices

/// A solver is used as long as its matrix. PETSc's options with the prefix -dyn_ take precedence (-dyn_ksp_rtol,
/// -dyn_pc_type). Without them the preconditioner is block Jacobi with ILU(0), set up for each matrix, and if that is
/// slow, PCGAMG with the rigid motions of the present shape as its near-null space, set up now and then.
class StepSolver {
public:
  /// @param tolerance  residual over right-hand side
  /// @param stiff      use multigrid from the start
  /// Collective; throws core::Error with PETSc's message.
  StepSolver(const dist::Mesh& mesh, const StepMatrix& matrix, double tolerance, bool stiff);

  /// Solves for `unknown`, which holds an initial guess. `target.when_slow` counts when the iterations have ended.
  /// @param couplings  their diagonal blocks are in the matrix; the rest is added to products, but not in the
  ///     preconditioner; none in constrained components
  /// Collective; throws core::Error only if PETSc fails: the report tells whether a solve has converged.
  SolveReport solve(const dist::Mesh& mesh, const StepMatrix& matrix, const la::Vector& right, const Target& target,
                    la::Vector& unknown, std::span<const Couplings> couplings = {});

  /// To be called when the next matrix differs much from the last one, as after a change of the step: discards the
  /// preconditioner. Collective.
  void start_afresh();

  /// Is multigrid in use, by choice or by request? To be handed to the next solver.
  [[nodiscard]] bool is_stiff() const { return multigrid_; }

private:
  void choose_preconditioner();
  /// Updates the matrix of the preconditioner. Collective.
  void renew_preconditioner(const dist::Mesh& mesh, const StepMatrix& matrix);
  void set_operators();
  [[nodiscard]] bool needs_renewal() const;
  SolveReport try_to_solve(const la::Vector& right, const Target& target, la::Vector& unknown);

  la::LinearSolver solver_;
  Mat system_ = nullptr, preconditioned_ = nullptr;  ///< of the current solve
  la::Matrix scalar_;  ///< the matrix in a format without blocks, for preconditioners that need it
  la::NullSpace rigid_;
  bool multigrid_, chosen_by_user_ = false, wants_scalar_ = false;
  int age_ = -1;  ///< solves since the preconditioner was set up; −1: never
  int fresh_iterations_ = 0, last_iterations_ = 0;
};

/// Options with the prefix -dyn_ that PETSc was given and no code has read: misspelt ones. To be called after a solve.
/// Local.
[[nodiscard]] std::vector<std::string> unknown_step_options();

}  // namespace brisance::dynamics
