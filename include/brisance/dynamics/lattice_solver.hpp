/// Solves the equations of implicit steps with the same bits on any number of ranks: conjugate gradients with a fixed
/// order of sums, and nested lattices as multigrid.
#pragma once

#include "brisance/dynamics/couplings.hpp"
#include "brisance/dynamics/ordered_rows.hpp"
#include "brisance/dynamics/step_matrix.hpp"
#include "brisance/dynamics/step_solver.hpp"

#include <memory>
#include <span>
#include <vector>

namespace brisance::dynamics {

class LatticePreconditioner;

/// Settings, from PETSc's options with the prefix -dyn_.
struct LatticeOptions {
  double spacing = 2.5;        ///< -dyn_pc_lattice_spacing: width of the finest cells, in mean edge lengths
  int sweeps = 2;              ///< -dyn_pc_lattice_sweeps: degree of smoothing before and after each coarser level
  int most_iterations = 2000;  ///< -dyn_ksp_max_it
  double tolerance = 1e-9;     ///< -dyn_ksp_rtol: residual over right-hand side [–]
};

struct LatticeFacts {
  int levels = 0;
  std::int32_t points = 0;  ///< of the finest level
  std::size_t bytes = 0;    ///< of the lattices' matrices, on this rank
};

/// Is -dyn_pc_type lattice among PETSc's options? Local.
[[nodiscard]] bool lattice_was_asked_for();

/// A solver is used as long as its matrix. Nothing is kept from one solve to the next that could change a bit: the
/// lattice follows from the mesh alone, its matrices are made for each solve, and the initial guess is 0. So a run
/// restarted from a checkpoint continues with the same bits.
class LatticeSolver {
public:
  /// @param tolerance  residual over right-hand side, unless -dyn_ksp_rtol is given
  /// Collective; throws core::Error for invalid options, or if the lattice cannot be made (Lattice).
  LatticeSolver(const dist::Mesh& mesh, const StepMatrix& matrix, double tolerance);
  ~LatticeSolver();

  /// @param matrix  the one it was made for, filled anew or not
  /// @param held   by node slot, ghosts included: as for filling the matrix
  /// @param right  by node slot, of owned nodes; 0 where constrained [kg m/s]
  /// @param unknown  by node slot; owned nodes are written, if it converges
  /// @param couplings  their diagonal blocks are in the matrix, the rest is added to products; none in constrained
  ///     components
  /// Collective; a solve that does not converge returns this in its report, as soon as kWindow iterations have not
  /// halved the residual: rounding, or the matrix, then prevents further progress.
  SolveReport solve(const dist::Mesh& mesh, const StepMatrix& matrix, std::span<const ConstrainedAxes> held,
                    std::span<const Vec3> right, const Target& target, std::span<Vec3> unknown,
                    std::span<const Couplings> couplings = {});

  // of the last solve
  [[nodiscard]] double set_up_seconds() const { return set_up_seconds_; }
  [[nodiscard]] double solve_seconds() const { return solve_seconds_; }
  [[nodiscard]] LatticeFacts facts() const;

private:
  [[nodiscard]] double dot(const core::Comm& comm, std::span<const Vec3> a, std::span<const Vec3> b) const;
  SolveReport iterate(const dist::Mesh& mesh, std::span<const Vec3> right, const Target& target,
                      std::span<const Couplings> couplings);

  LatticeOptions options_;
  OrderedRows rows_;
  std::int64_t num_nodes_;  ///< of all ranks
  std::unique_ptr<LatticePreconditioner> preconditioner_;
  std::vector<Vec3> x_, r_, z_, p_, product_;  ///< by node slot
  double set_up_seconds_ = 0, solve_seconds_ = 0;
};

}  // namespace brisance::dynamics
