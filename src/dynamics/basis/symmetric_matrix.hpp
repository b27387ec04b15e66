/// Sparse symmetric matrices of 3×3 blocks, whole on every rank, and their solution by conjugate gradients: all ranks
/// do the same, so results have the same bits on any number of them.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dynamics/step_solver.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// The lower half: in each row columns ascend and end with the diagonal.
class SymmetricMatrix {
public:
  SymmetricMatrix() = default;
  /// @param pairs  (row, column ≤ row) of blocks beside the diagonal ones: row · 2³² + column, ascending, each once
  SymmetricMatrix(std::size_t num_rows, std::span<const std::uint64_t> pairs);

  [[nodiscard]] std::size_t num_rows() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t num_blocks() const { return column_.size(); }
  [[nodiscard]] std::size_t first(std::size_t row) const { return first_[row]; }
  [[nodiscard]] std::int32_t column(std::size_t k) const { return column_[k]; }
  /// Nine values of a block, row by row.
  [[nodiscard]] double* block(std::size_t k) { return &values_[9 * k]; }
  [[nodiscard]] std::span<double> values() { return values_; }
  /// Blocks of (row, columns[0 …]), which the pattern has. @param columns  ascending, ≤ row
  void find(std::size_t row, std::span<const std::int32_t> columns, std::span<std::int32_t> places) const;

  /// To be called when the values are complete, before `solve`.
  /// @param may_depend  so many first rows are of functions that may depend on each other
  void finish(std::size_t may_depend);
  /// Conjugate gradients with symmetric Gauss–Seidel sweeps, from 0. Where functions depend on each other the matrix is
  /// singular, up to rounding: a share kRegular of the diagonal is added for a first solution, whose error a second,
  /// short one removes.
  /// @param enough  residual at which the solution is accepted
  [[nodiscard]] SolveReport solve(std::span<const Vec3> right, double enough, std::span<Vec3> unknown) const;
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const;

private:
  static constexpr double kRegular = 1e-10;

  [[nodiscard]] SolveReport iterate(std::span<Vec3> left, double enough, std::span<Vec3> unknown) const;
  void multiply_regular(std::span<const Vec3> x, std::span<Vec3> y) const;
  void sweep(std::span<const Vec3> r, std::span<Vec3> z) const;

  std::vector<std::size_t> first_{0};
  std::vector<std::int32_t> column_;
  std::vector<double> values_;
  std::vector<Vec3> added_;    ///< to the diagonal
  std::vector<Mat3> inverse_;  ///< of the diagonal blocks; zero in components without stiffness
};

}  // namespace brisance::dynamics
