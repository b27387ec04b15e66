/// The equations of an implicit step in the functions of the hierarchical basis: Pᵀ A P q = Pᵀ r, where column f of P
/// has the weights of function f at the nodes.
///
/// Tets around free nodes, and at nodes with prescribed motion, enter one by one with their own rotation. All others
/// are gathered in cells: the sum of their stiffness at rest is computed once, in the functions that move the cell, and
/// turned by the rotation of one of its tets. So filling the matrix costs what is active. For a body turned as a whole
/// both are the same; otherwise the matrix is that of a slightly different Newton iteration, whose residual is exact.
///
/// Solutions are conditioned by a factor of the matrix at rest, made once for all steps of one length and turned by the
/// mean rotation of each piece.
///
/// The matrix is whole on every rank. Terms are rounded to common quanta (core/rounded_sums.hpp) and all ranks solve
/// the same system, so that results have the same bits on any number of ranks.
#pragma once

#include "brisance/dynamics/basis/functions.hpp"
#include "brisance/dynamics/parameters.hpp"
#include "brisance/dynamics/step_equation.hpp"
#include "brisance/dynamics/step_matrix.hpp"
#include "brisance/dynamics/step_solver.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace brisance::dynamics {

class ReducedSystem {
public:
  /// Valid as long as mesh, kBasisLevel and constraints are the same. @param held  by node slot, ghosts included
  /// Collective; throws core::Error (Functions).
  ReducedSystem(const dist::Mesh& mesh, const BasisGrid& grid, std::span<const ConstrainedAxes> held);
  ~ReducedSystem();
  ReducedSystem(const ReducedSystem&) = delete;  // the assembly refers to it
  ReducedSystem& operator=(const ReducedSystem&) = delete;

  [[nodiscard]] const Functions& functions() const { return functions_; }
  [[nodiscard]] bool was_made_for(std::span<const ConstrainedAxes> held) const;
  /// Share of this rank's tets that are gathered in cells [–].
  [[nodiscard]] double gathered_share() const;

  /// Lattice functions that are combinations of others along any axis, and are left out.
  [[nodiscard]] std::int32_t num_dependent() const;

  /// The matrix of the equation, as StepMatrix::fill; equations with `turns` are not supported. Factorises the matrix
  /// at rest, if it was not for such an equation. Collective.
  void fill(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
            const StepEquation& equation, std::span<const NodeBlock> blocks);
  /// @param right      by node slot, of owned nodes; 0 where constrained [kg m/s]
  /// @param tolerance  residual over right-hand side, both in the functions [–]
  /// @param unknown    by node slot; owned nodes are written, if it converges
  /// Collective.
  SolveReport solve(const dist::Mesh& mesh, std::span<const Vec3> right, const Target& target, double tolerance,
                    std::span<Vec3> unknown) const;
  /// Euclidean norm of Pᵀ r, the same bits on any number of ranks. Collective.
  [[nodiscard]] double norm(const dist::Mesh& mesh, std::span<const Vec3> right) const;
  /// Replaces values at owned nodes by the nearest combination of functions in the norm of the mass; their momentum is
  /// kept where no motion is prescribed, and prescribed components stay. Discards the matrix. Collective; throws
  /// core::Error if the equations cannot be solved.
  void project(const dist::Mesh& mesh, std::span<Vec3> values);

private:
  class Assembly;
  struct AtRest;
  void condition(const dist::Mesh& mesh, std::span<const dist::NodeMotion> motion, const Parameters& parameters,
                 const StepEquation& equation, std::span<const NodeBlock> blocks);
  [[nodiscard]] std::vector<Vec3> restricted(const core::Comm& comm, std::span<const Vec3> by_slot) const;
  [[nodiscard]] double norm_of(const core::Comm& comm, std::span<const Vec3> by_entry) const;
  void prolong(std::span<Vec3> coefficients, std::span<Vec3> by_slot) const;

  Functions functions_;
  std::vector<ConstrainedAxes> held_;
  std::vector<std::int32_t> owned_;
  std::unique_ptr<Assembly> assembly_;
  bool may_turn_;  ///< do all nodes with prescribed motion have it in all components?
  std::unique_ptr<AtRest> at_rest_;
  bool is_conditioned_ = false;  ///< is that factor near the matrix?
};

}  // namespace brisance::dynamics
