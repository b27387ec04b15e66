/// Solves the equations of implicit steps: conjugate gradients, with a preconditioner that chooses itself.
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

/// When a solution is exact enough, beside the solver's tolerance.
struct Target {
  double floor = 0;  ///< a residual as small as this is good enough [kg m/s]
  /// So is this share of the right-hand side after kPatience iterations, or where more iterations gain nothing: for
  /// Newton's method, which takes the rest in its next iteration; 0: not used [–]
  double when_slow = 0;
};
inline constexpr int kPatience = 100;  ///< iterations for all of the tolerance, where less would do

/// One solver lives as long as its matrix. PETSc's options with the prefix -dyn_ have the last word (-dyn_ksp_rtol,
/// -dyn_pc_type); without them the preconditioner is block Jacobi with ILU(0), set up for each matrix, and where that
/// is slow, PCGAMG with the rigid motions of the present shape as its near-null space, set up now and then.
class StepSolver {
public:
  /// @param tolerance  residual over right-hand side
  /// @param stiff      take multigrid from the start
  /// Collective; throws core::Error with PETSc's message.
  StepSolver(const dist::Mesh& mesh, const StepMatrix& matrix, double tolerance, bool stiff);

  /// Solves for `unknown`, which holds a guess. `target.when_slow` counts where the iterations have come to an end.
  /// @param couplings  whose blocks on the diagonal are in the matrix: the rest is added to products, not for the
  ///     preconditioner; none in components that are held
  /// Collective; throws core::Error only where PETSc fails: a solve that does not converge says so in its report.
  SolveReport solve(const dist::Mesh& mesh, const StepMatrix& matrix, const la::Vector& right, const Target& target,
                    la::Vector& unknown, std::span<const Couplings> couplings = {});

  /// The next matrix has little in common with the last one, as after a change of the step: nothing of the
  /// preconditioner is kept. Collective.
  void start_afresh();

  /// Was multigrid found to be needed, or asked for? To be handed to the next solver.
  [[nodiscard]] bool is_stiff() const { return multigrid_; }

private:
  void choose_preconditioner();
  /// Brings the matrix the preconditioner is made of up to date. Collective.
  void renew_preconditioner(const dist::Mesh& mesh, const StepMatrix& matrix);
  void set_operators();
  [[nodiscard]] bool needs_renewal() const;
  SolveReport try_to_solve(const la::Vector& right, const Target& target, la::Vector& unknown);

  la::LinearSolver solver_;
  Mat system_ = nullptr, preconditioned_ = nullptr;  ///< of the solve that is under way
  la::Matrix scalar_;  ///< the matrix in a format without blocks, for preconditioners that want it
  la::NullSpace rigid_;
  bool multigrid_, chosen_by_user_ = false, wants_scalar_ = false;
  int age_ = -1;  ///< solves since the preconditioner was set up; −1: never
  int fresh_iterations_ = 0, last_iterations_ = 0;
};

/// Options with the prefix -dyn_ that PETSc was given and nobody has asked for: misspelt ones. To be called after a
/// solve. Local.
[[nodiscard]] std::vector<std::string> unknown_step_options();

}  // namespace brisance::dynamics
