/// Solves dense symmetric equations of which some may be linearly dependent, as those of lattice points that outnumber
/// the nodes they move.
#pragma once

#include <vector>

#include <Eigen/Dense>

namespace brisance::dynamics {

/// L Lᵀ of linearly independent rows and columns, the largest pivots first; the other unknowns are 0. The resulting
/// operator is symmetric and not negative, for any rounding of the matrix.
class PivotedCholesky {
public:
  /// @param matrix     symmetric, not negative but for rounding
  /// @param tolerance  of the largest diagonal entry: a smaller pivot counts as zero [–]
  PivotedCholesky(Eigen::MatrixXd matrix, double tolerance);

  /// x of A x = right; both may be the same vector.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& right, Eigen::Ref<Eigen::VectorXd> x) const;
  [[nodiscard]] std::size_t rank() const { return chosen_.size(); }

private:
  std::vector<Eigen::Index> chosen_;  ///< rows, in the order of their pivots
  Eigen::MatrixXd factor_;            ///< lower triangle of chosen rows
};

}  // namespace brisance::dynamics
