/// A StepMatrix read row by row in an order that no division of the nodes changes, for solvers whose results have the
/// same bits on any number of ranks.
#pragma once

#include "brisance/dynamics/step_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// Rows of this rank's owned nodes; in each, blocks in ascending global id of the column's node. Vectors have an entry
/// a node slot.
class OrderedRows {
public:
  /// Local.
  OrderedRows(const dist::Mesh& mesh, const StepMatrix& matrix);
  /// Where the matrix has its values now: to be asked for again after any other solver had the matrix, since PETSc
  /// takes a distributed one apart to convert it and puts it together elsewhere. Local.
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

  /// y = A x for owned nodes; ghosts take their owners' entries of x before. Collective.
  void multiply(const dist::Mesh& mesh, std::span<Vec3> x, std::span<Vec3> y) const;

private:
  std::vector<std::int32_t> owned_, column_, place_;  ///< slots, slots, places as StepMatrix counts them
  std::vector<std::size_t> first_{0}, diagonal_;
  const double *square_ = nullptr, *rest_ = nullptr;
};

}  // namespace brisance::dynamics
