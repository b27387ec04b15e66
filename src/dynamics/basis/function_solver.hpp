/// Solves the equations in the functions of the hierarchical basis: conjugate gradients with a direct solution in the
/// lattice functions.
#pragma once

#include "brisance/dynamics/step_solver.hpp"

#include "coarse_space.hpp"
#include "function_matrix.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// Each iteration is preceded by a cycle: Chebyshev smoothing of the block Jacobi iteration in free nodes (and details
/// beyond the direct solution, if there are), a CoarseSpace, and the smoothing again.
class FunctionSolver {
public:
  /// Matrices of masses do not couple free nodes: a CoarseSpace without them and the inverse of the diagonal blocks.
  enum class Kind : std::uint8_t { step, masses };
  /// @param matrix  filled, must outlive it
  /// @param kept    nearly of this matrix, must outlive it; null: one is made. Where conjugate gradients take long with
  ///                it, one is made, too.
  /// Collective.
  FunctionSolver(const core::Comm& comm, const FunctionMatrix& matrix, const Functions& functions,
                 Kind kind = Kind::step, const CoarseSpace* kept = nullptr);

  /// What the solver makes where it is given none, for matrices of steps. Collective.
  [[nodiscard]] static CoarseSpace coarse_space(const core::Comm& comm, const FunctionMatrix& matrix,
                                                const Functions& functions);

  /// Conjugate gradients from 0. Vectors by entry; those of own rows count.
  /// @param enough  residual at which the solution is accepted
  /// Collective.
  [[nodiscard]] SolveReport solve(std::span<const Vec3> right, double enough, std::span<Vec3> unknown);
  /// Σ a·b over the own rows of all ranks, the same bits for any division. Collective.
  [[nodiscard]] static double dot(const core::Comm& comm, const FunctionMatrix& matrix, std::span<const Vec3> a,
                                  std::span<const Vec3> b);

private:
  class Rest;
  void estimate();
  void make_coarse_space();
  void precondition(std::span<const Vec3> r, std::span<Vec3> z);
  SolveReport iterate(std::span<const Vec3> right, double enough, std::span<Vec3> unknown);

  const core::Comm& comm_;
  const FunctionMatrix& matrix_;
  const Functions& functions_;
  Kind kind_;
  bool has_rest_;              ///< does any rank have rows beyond the direct solution?
  double regular_;             ///< share of the diagonal that is added where a matrix is factorised [–]
  std::vector<Mat3> inverse_;  ///< of the diagonal blocks; zero in components without stiffness
  double upper_ = 1;           ///< of the eigenvalues of D⁻¹A in the rest
  const CoarseSpace* coarse_;
  std::unique_ptr<CoarseSpace> made_;
  std::vector<Vec3> x_, r_, step_, product_;  ///< scratch
};

}  // namespace brisance::dynamics
