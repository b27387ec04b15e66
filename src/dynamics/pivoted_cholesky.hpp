/// Dense symmetric equations of which some may follow from others, as those of lattice points that are more than the
/// nodes they move.
#pragma once

#include <vector>

#include <Eigen/Dense>

namespace brisance::dynamics {

/// L Lᵀ of the rows and columns that can be told apart, the largest pivots first; the others' unknowns are 0. What it
/// solves by is symmetric and not negative, whatever rounding did to the matrix.
class PivotedCholesky {
public:
  /// @param matrix     symmetric, not negative but for rounding
  /// @param tolerance  of the largest diagonal entry: a pivot below is none [–]
  PivotedCholesky(Eigen::MatrixXd matrix, double tolerance);

  /// x of A x = right; they may be one.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& right, Eigen::Ref<Eigen::VectorXd> x) const;
  [[nodiscard]] std::size_t rank() const { return chosen_.size(); }

private:
  std::vector<Eigen::Index> chosen_;  ///< rows, in the order of their pivots
  Eigen::MatrixXd factor_;            ///< lower triangle of chosen rows
};

}  // namespace brisance::dynamics
