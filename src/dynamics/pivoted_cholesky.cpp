#include "pivoted_cholesky.hpp"

#include <utility>

namespace brisance::dynamics {

PivotedCholesky::PivotedCholesky(Eigen::MatrixXd matrix, double tolerance) {
  const Eigen::Index size = matrix.rows();
  const double least = size > 0 ? tolerance * matrix.diagonal().maxCoeff() : 0;
  std::vector<Eigen::Index> row(static_cast<std::size_t>(size));
  for (Eigen::Index i = 0; i < size; ++i) row[static_cast<std::size_t>(i)] = i;
  Eigen::Index rank = 0;
  for (; rank < size; ++rank) {
    Eigen::Index pivot = 0;
    const double largest = matrix.diagonal().tail(size - rank).maxCoeff(&pivot);
    if (!(largest > least)) break;
    pivot += rank;
    if (pivot != rank) {  // the lower triangle counts; the upper one is swapped along
      matrix.row(rank).swap(matrix.row(pivot));
      matrix.col(rank).swap(matrix.col(pivot));
      std::swap(row[static_cast<std::size_t>(rank)], row[static_cast<std::size_t>(pivot)]);
    }
    const Eigen::Index below = size - rank - 1;
    const double root = std::sqrt(matrix(rank, rank));
    matrix(rank, rank) = root;
    auto column = matrix.col(rank).tail(below);
    column /= root;
    for (Eigen::Index j = 0; j < below; ++j)
      matrix.col(rank + 1 + j).tail(below - j) -= column[j] * column.tail(below - j);
    // The rows to be swapped next are read from both sides of the diagonal.
    matrix.bottomRightCorner(below, below).triangularView<Eigen::StrictlyUpper>() =
        matrix.bottomRightCorner(below, below).transpose();
  }
  chosen_.assign(row.begin(), row.begin() + rank);
  factor_ = matrix.topLeftCorner(rank, rank);
}

void PivotedCholesky::solve(const Eigen::Ref<const Eigen::VectorXd>& right, Eigen::Ref<Eigen::VectorXd> x) const {
  Eigen::VectorXd y(factor_.rows());
  for (std::size_t i = 0; i < chosen_.size(); ++i) y[static_cast<Eigen::Index>(i)] = right[chosen_[i]];
  factor_.triangularView<Eigen::Lower>().solveInPlace(y);
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(y);
  x.setZero();
  for (std::size_t i = 0; i < chosen_.size(); ++i) x[chosen_[i]] = y[static_cast<Eigen::Index>(i)];
}

}  // namespace brisance::dynamics
