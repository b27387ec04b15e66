/// Direct solution of sparse symmetric equations with 3×3 blocks.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dynamics/step_matrix.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Dense>

namespace brisance::dynamics {

/// The lower half of a symmetric matrix of 3×3 blocks: rows whose columns ascend up to the diagonal, which each has.
struct LowerBlocks {
  std::vector<std::size_t> first{0};
  std::vector<std::int32_t> column;
  std::vector<double> values;  ///< nine per block, row by row

  [[nodiscard]] std::int32_t num_rows() const { return static_cast<std::int32_t>(first.size()) - 1; }
};

/// L Lᵀ by fronts (Duff and Reid 1983), in an order of little fill (Amestoy, Davis and Duff 1996). An unknown that
/// depends on those before it, up to rounding, gets the value 0. Local; the same bits on every rank and machine, which
/// libraries that call BLAS do not promise.
class BlockCholesky {
public:
  /// @param matrix     not negative but for rounding
  /// @param dependent  a pivot below this share of its diagonal entry is that of a dependent unknown [–]
  explicit BlockCholesky(const LowerBlocks& matrix, double dependent = 1e-14);
  /// x ← A⁻¹ x.
  void solve(std::span<Vec3> x) const;
  /// The components of each row that depend on others, or have no diagonal entry.
  [[nodiscard]] std::vector<ConstrainedAxes> dependent() const;

private:
  /// Rows that are eliminated together: those of the columns [begin, end) in the new order, and the later ones that
  /// they are coupled with.
  struct Front {
    std::int32_t begin, end;
    std::vector<std::int32_t> rows;  ///< later ones, ascending
    Eigen::MatrixXd factor;          ///< of all rows, in the columns
  };
  struct Columns;
  void order(const LowerBlocks& matrix);
  void find_fronts(const LowerBlocks& matrix);
  [[nodiscard]] Columns reordered(const LowerBlocks& matrix) const;
  void factorise(const LowerBlocks& matrix, double dependent);

  std::vector<std::int32_t> place_;  ///< of each row in the new order
  std::vector<Front> fronts_;        ///< each after those that add to it
};

}  // namespace brisance::dynamics
