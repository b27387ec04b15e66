/// The linear equations of a run's implicit steps: matrix, solver and what is kept between steps.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/lattice_solver.hpp"
#include "brisance/dynamics/step_equation.hpp"
#include "brisance/dynamics/step_matrix.hpp"
#include "brisance/dynamics/step_solver.hpp"

#include <memory>
#include <span>
#include <vector>

namespace brisance::sim {

class ImplicitEquations {
public:
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

  /// To be called after cuts and migration: pattern and preconditioner belong to the mesh before.
  void forget() {
    solver_.reset();
    lattice_.reset();
    matrix_.reset();
  }

  // Counts of the run so far, on this process.
  [[nodiscard]] std::int64_t num_solves() const { return num_solves_; }
  [[nodiscard]] std::int64_t num_iterations() const { return num_iterations_; }
  [[nodiscard]] std::int64_t num_matrices() const { return num_matrices_; }
  [[nodiscard]] const dynamics::SolveReport& last() const { return last_; }

private:
  dynamics::SolveReport solve_by_petsc(const dist::Mesh& mesh, const dynamics::Parameters& parameters, bool stiff,
                                       const System& system, double step_s, std::span<Vec3> change);

  std::unique_ptr<dynamics::StepMatrix> matrix_;
  std::unique_ptr<dynamics::StepSolver> solver_;
  std::unique_ptr<dynamics::LatticeSolver> lattice_;
  double last_step_s_ = 0;
  bool found_stiff_ = false, options_checked_ = false;
  std::int64_t num_solves_ = 0, num_iterations_ = 0, num_matrices_ = 0;
  dynamics::SolveReport last_;
};

/// Euclidean norm over the owned nodes of all ranks, the same bits for any division of the mesh. Collective.
[[nodiscard]] double norm_over_ranks(const dist::Mesh& mesh, std::span<const Vec3> by_slot);

}  // namespace brisance::sim
