#include "scalar_factor.hpp"

namespace brisance::dynamics {

namespace {

constexpr double kAddedToPivots =
    1e-4;  ///< share of the diagonal that is added where functions depend on each other [–]

}  // namespace

ScalarFactor::ScalarFactor(const core::Comm& comm, const FunctionMatrix& matrix, std::size_t level) : comm_(&comm) {
  struct Entry {
    std::int32_t row, column;
    double value;
  };
  std::vector<Entry> entries;
  for (std::size_t row = 0; row < matrix.num_rows(level); ++row) {
    own_.push_back(matrix.function(row));
    for (std::size_t k = matrix.first(row); k < matrix.end(level, row); ++k) {
      const std::int32_t column = matrix.function(matrix.column(k));
      if (column > own_.back()) break;
      const double* const block = matrix.block(k);
      const double mean = (block[0] + block[4] + block[8]) / 3;
      entries.push_back({own_.back(), column, column == own_.back() ? (1 + kAddedToPivots) * mean : mean});
    }
  }
  all_ = comm.all_gather(std::span<const std::int32_t>(own_));
  std::vector<Eigen::Triplet<double>> triplets;
  for (const Entry& entry : comm.all_gather(std::span<const Entry>(entries)))
    triplets.emplace_back(entry.row, entry.column, entry.value > 0 || entry.row != entry.column ? entry.value : 1.0);
  const Eigen::Index size = matrix.num_functions(level);
  Eigen::SparseMatrix<double> lower(size, size);
  lower.setFromTriplets(triplets.begin(), triplets.end());
  factor_.compute(lower);
}

void ScalarFactor::solve(std::span<const Vec3> r, std::span<Vec3> x) const {
  std::vector<std::array<double, 3>> values;
  for (std::size_t i = 0; i < own_.size(); ++i) values.push_back({r[i][0], r[i][1], r[i][2]});
  if (comm_->size() > 1) values = comm_->all_gather(std::span<const std::array<double, 3>>(values));
  Eigen::MatrixX3d right(static_cast<Eigen::Index>(all_.size()), 3);
  for (std::size_t i = 0; i < all_.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) right(all_[i], axis) = values[i][static_cast<std::size_t>(axis)];
  const Eigen::MatrixX3d solved = factor_.solve(right);
  for (std::size_t i = 0; i < own_.size(); ++i) x[i] = solved.row(own_[i]).transpose();
}

}  // namespace brisance::dynamics
