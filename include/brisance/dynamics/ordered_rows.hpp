/// A StepMatrix read row by row in an order that no partition of the nodes changes, for solvers whose results have the
/// same bits on any number of ranks.
#pragma once

#include "brisance/dynamics/step_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// Rows of this rank's owned nodes; in each, blocks in ascending global id of the column's node. Vectors have an entry
/// per node slot.
class OrderedRows {
public:
  /// Local.
  OrderedRows(const dist::Mesh& mesh, const StepMatrix& matrix);
  /// Updates the pointers to the matrix values. To be called again after any other solver used the matrix, since PETSc
  /// reallocates a distributed one when it converts it. Local.
  void find_values(const StepMatrix& matrix);

  [[nodiscard]] std::size_t num_rows() const { return owned_.size(); }
  [[nodiscard]] std::size_t slot(std::size_t row) const { return static_cast<std::size_t>(owned_[row]); }
  /// Blocks of a row: [first(row), first(row + 1)).
  [[nodiscard]] std::size_t first(std::size_t row) const { return first_[row]; }
  [[nodiscard]] std::size_t column_slot(std::size_t k) const { return static_cast<std::size_t>(column_[k]); }
  /// Nine values, column by column, as they were last filled.
  [[nodiscard]] const double* block(std::size_t k) const {
    const std::int32_t place = place_[k];
    return place >= 0 ? square_ + 9 * static_cast<std::size_t>(place)
                      : rest_ + 9 * static_cast<std::size_t>(-1 - place);
  }
  [[nodiscard]] const double* diagonal(std::size_t row) const { return block(diagonal_[row]); }

  /// y = A x for owned nodes; entries of x at ghosts are updated from their owners first. Collective.
  void multiply(const dist::Mesh& mesh, std::span<Vec3> x, std::span<Vec3> y) const;

private:
  std::vector<std::int32_t> owned_, column_, place_;  ///< slots, slots, places as StepMatrix counts them
  std::vector<std::size_t> first_{0}, diagonal_;
  const double *square_ = nullptr, *rest_ = nullptr;
};

}  // namespace brisance::dynamics
