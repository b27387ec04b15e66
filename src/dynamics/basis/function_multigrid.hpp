/// Solves the equations in the functions of the hierarchical basis: conjugate gradients with the nested spaces as
/// multigrid.
#pragma once

#include "brisance/dynamics/step_solver.hpp"

#include "dynamics/pivoted_cholesky.hpp"
#include "function_matrix.hpp"
#include "scalar_factor.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// The functions of each level and those before it span a space, whose matrix is the leading part of the whole. A cycle
/// goes down through these spaces, from that with the free nodes to the coarsest lattice, with Chebyshev smoothing
/// before and after each (Bank, Dupont and Yserentant 1988): of the block Jacobi iteration with the free nodes, of a
/// ScalarFactor with lattice functions alone. The coarsest is solved directly.
class FunctionMultigrid {
public:
  /// What precedes each iteration: a cycle, or for matrices of masses, which do not couple free nodes, a ScalarFactor
  /// of the lattice functions and the inverse of the diagonal blocks of free nodes.
  enum class Kind : std::uint8_t { cycle, masses };
  /// @param matrix       filled, must outlive it
  /// @param num_lattice  functions of lattices, which come first
  /// Collective.
  FunctionMultigrid(const core::Comm& comm, const FunctionMatrix& matrix, std::int32_t num_lattice,
                    Kind kind = Kind::cycle);

  /// Conjugate gradients from 0. Vectors by entry; those of own rows count.
  /// @param enough  residual at which the solution is accepted
  /// Collective.
  [[nodiscard]] SolveReport solve(std::span<const Vec3> right, double enough, std::span<Vec3> unknown);
  /// Σ a·b over the own rows of all ranks, the same bits for any division. Collective.
  [[nodiscard]] static double dot(const core::Comm& comm, const FunctionMatrix& matrix, std::span<const Vec3> a,
                                  std::span<const Vec3> b);

private:
  class Space;
  void estimate(std::size_t level);
  void factorise();
  void solve_coarsest(std::span<const Vec3> r, std::span<Vec3> x) const;
  void cycle(std::size_t level);
  void precondition(std::span<const Vec3> r, std::span<Vec3> z);
  void add_regular(std::span<const Vec3> x, std::span<Vec3> y) const;
  SolveReport corrected(std::span<const Vec3> right, double enough, std::span<Vec3> unknown);
  SolveReport iterate(std::span<const Vec3> right, double enough, std::span<Vec3> unknown);

  const core::Comm& comm_;
  const FunctionMatrix& matrix_;
  std::int32_t num_lattice_;
  Kind kind_;
  double regular_;                                     ///< share of the diagonal that is added [–]
  std::vector<Mat3> inverse_;                          ///< of the diagonal blocks; zero in components without stiffness
  std::vector<double> upper_;                          ///< of the eigenvalues of D⁻¹A, by level
  std::vector<std::unique_ptr<ScalarFactor>> factor_;  ///< D by level; none: of the diagonal blocks
  std::optional<PivotedCholesky> coarsest_;
  struct Vectors {
    std::vector<Vec3> x, r;
  };
  std::vector<Vectors> of_level_;
  std::vector<Vec3> step_, product_;  ///< scratch
};

}  // namespace brisance::dynamics
