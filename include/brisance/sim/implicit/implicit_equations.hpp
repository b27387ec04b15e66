/// The linear equations of a run's implicit steps: matrix, solver and what is kept between steps.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/lattice_solver.hpp"
#include "brisance/dynamics/parameters.hpp"
#include "brisance/dynamics/step_equation.hpp"
#include "brisance/dynamics/step_matrix.hpp"
#include "brisance/dynamics/step_solver.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace brisance::dynamics {
struct BasisGrid;
class ReducedSystem;
}  // namespace brisance::dynamics

namespace brisance::sim {

class ImplicitEquations {
public:
  ImplicitEquations();
  ~ImplicitEquations();
  ImplicitEquations(const ImplicitEquations&) = delete;
  ImplicitEquations& operator=(const ImplicitEquations&) = delete;

  /// One system: M, C, K of the mesh at `motion`.
  struct System {
    std::span<const dist::NodeMotion> motion;  ///< by node slot, ghosts included
    std::span<const Vec3> right;               ///< by node slot, owned nodes; 0 where constrained [kg m/s]
    std::span<const dynamics::NodeBlock> blocks;
    std::span<const dynamics::ConstrainedAxes> held;  ///< by node slot, ghosts included
    dynamics::Target target{};
    std::span<const dynamics::Couplings> couplings{};  ///< blocks are in `blocks`; none where constrained
  };
  /// Solves for the change of velocity of owned nodes, `change` by node slot [m/s], which holds the initial guess. If
  /// the solve does not converge, the report says so and `change` is unchanged. The lattice solver ignores the guess
  /// and gives the same bits on any number of ranks. Collective; throws core::Error where PETSc fails.
  dynamics::SolveReport solve(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                              const dynamics::StepEquation& equation, bool stiff, const System& system,
                              std::span<Vec3> change);

  /// Are the unknowns functions of the hierarchical basis? Where three quarters of the nodes are free (kBasisLevel) and
  /// functions of lattices would save little, they are all nodes. The same until forget(). Collective.
  [[nodiscard]] bool has_functions(const dist::Mesh& mesh, const dynamics::Parameters& parameters);
  /// The norm in which residuals of these equations are measured: over all nodes, or over the functions of the
  /// hierarchical basis. The same bits for any division of the mesh. Collective.
  [[nodiscard]] double norm(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                            std::span<const dynamics::ConstrainedAxes> held, std::span<const Vec3> by_slot);
  /// The equations in the hierarchical basis, made anew if mesh, active functions or constraints have changed (forget).
  /// Collective; throws core::Error (dynamics::basis_grid, dynamics::Functions).
  dynamics::ReducedSystem& reduced(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                                   std::span<const dynamics::ConstrainedAxes> held);
  /// The lattices of the hierarchical basis. Collective the first time; throws core::Error (dynamics::basis_grid).
  const dynamics::BasisGrid& grid(const dist::Mesh& mesh, const dynamics::Parameters& parameters);

  /// To be called after cuts, migration and changes of the active functions: pattern and preconditioner belong to the
  /// mesh before.
  void forget();

  // Counts of the run so far, on this process.
  [[nodiscard]] std::int64_t num_solves() const { return num_solves_; }
  [[nodiscard]] std::int64_t num_iterations() const { return num_iterations_; }
  [[nodiscard]] std::int64_t num_matrices() const { return num_matrices_; }
  [[nodiscard]] const dynamics::SolveReport& last() const { return last_; }
  /// Active functions of the hierarchical basis in the last solve, and their share of the nodes; 0 without it.
  [[nodiscard]] std::int64_t active_functions() const { return active_functions_; }
  [[nodiscard]] double active_share() const { return active_share_; }

private:
  dynamics::SolveReport solve_reduced(const dist::Mesh& mesh, const dynamics::Parameters& parameters,
                                      const dynamics::StepEquation& equation, const System& system,
                                      std::span<Vec3> change);
  dynamics::SolveReport solve_by_petsc(const dist::Mesh& mesh, const dynamics::Parameters& parameters, bool stiff,
                                       const System& system, double step_s, std::span<Vec3> change);

  std::unique_ptr<dynamics::StepMatrix> matrix_;
  std::unique_ptr<dynamics::StepSolver> solver_;
  std::unique_ptr<dynamics::LatticeSolver> lattice_;
  std::unique_ptr<dynamics::BasisGrid> grid_;
  std::unique_ptr<dynamics::ReducedSystem> reduced_;
  std::optional<bool> has_functions_;
  std::int64_t active_functions_ = 0;
  double active_share_ = 0;
  double last_step_s_ = 0;
  bool found_stiff_ = false, options_checked_ = false;
  std::int64_t num_solves_ = 0, num_iterations_ = 0, num_matrices_ = 0;
  dynamics::SolveReport last_;
};

/// Does the scene ask for fewer functions than nodes? Local.
[[nodiscard]] inline bool has_few_functions(const dynamics::Parameters& parameters) {
  return parameters.basis == dynamics::BasisKind::hierarchical && parameters.basis_active_share < 1;
}

/// Euclidean norm over the owned nodes of all ranks, the same bits for any division of the mesh. Collective.
[[nodiscard]] double norm_over_ranks(const dist::Mesh& mesh, std::span<const Vec3> by_slot);

}  // namespace brisance::sim
