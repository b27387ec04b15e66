/// Sparse symmetric matrices of 3×3 blocks in the functions of the hierarchical basis, divided by rows among ranks.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/halo.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::dynamics {

/// The row of a function is on the rank that owns it. Vectors have an entry for each function known to a rank: own ones
/// first, ascending, then others that move its nodes or stand in its rows. Columns of a row are in the order of the
/// functions' numbers, so that products have the same bits however functions are divided.
///
/// Ranks add terms to the lower half of what they know (`terms`), rounded so that sums are exact; `gather` then adds
/// those of all ranks up in the rows.
class FunctionMatrix {
public:
  FunctionMatrix() = default;
  /// @param owner  rank of each function
  /// @param pairs  blocks (row, column ≤ row) to which this rank adds terms: row · 2³² + column, ascending, each once
  /// @param moving  functions that move nodes held here, ascending
  /// @param split  first function that multiply_rest() takes
  /// Collective.
  FunctionMatrix(const core::Comm& comm, std::span<const std::int32_t> owner, std::vector<std::uint64_t> pairs,
                 std::span<const std::int32_t> moving, std::int32_t split);

  [[nodiscard]] std::size_t num_rows() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t num_entries() const { return known_.size(); }
  [[nodiscard]] std::int32_t function(std::size_t entry) const { return known_[entry]; }
  /// Entry of a function in vectors; −1 where it is not known here.
  [[nodiscard]] std::int32_t entry(std::int32_t function) const { return entry_[static_cast<std::size_t>(function)]; }
  /// Number of functions of all ranks.
  [[nodiscard]] std::size_t num_functions() const { return entry_.size(); }
  /// First own row from the split on.
  [[nodiscard]] std::size_t rest() const { return rest_; }

  // terms of this rank
  [[nodiscard]] std::size_t num_terms() const { return pairs_.size(); }
  [[nodiscard]] double* term(std::size_t place) { return &terms_[9 * place]; }
  /// Places of the blocks of (row, columns[0 …]). @param columns  ascending, ≤ row, among the pairs
  void find(std::int32_t row, std::span<const std::int32_t> columns, std::span<std::int32_t> places) const;
  void clear_terms();
  /// The rows become the sums of all ranks' terms. Collective.
  void gather();
  /// Sums of all ranks' values for the blocks of the rows. @param terms  `width` values for each place, of symmetric
  /// blocks. Collective.
  [[nodiscard]] std::vector<double> gathered(std::span<const double> terms, std::size_t width) const;

  // rows
  [[nodiscard]] std::size_t first(std::size_t row) const { return first_[row]; }
  [[nodiscard]] std::size_t diagonal(std::size_t row) const { return diagonal_[row]; }
  [[nodiscard]] std::size_t column(std::size_t k) const { return static_cast<std::size_t>(column_[k]); }
  /// Nine values, row by row.
  [[nodiscard]] double* block(std::size_t k) { return &values_[9 * k]; }
  [[nodiscard]] const double* block(std::size_t k) const { return &values_[9 * k]; }
  [[nodiscard]] std::span<double> values() { return values_; }  ///< of all blocks
  /// y = A x in the own rows from `begin` on; other ranks' entries of x are updated. Collective.
  void multiply(std::span<Vec3> x, std::span<Vec3> y, std::size_t begin = 0) const;
  /// The same of rows and columns from the split on alone. Collective.
  void multiply_rest(std::span<Vec3> x, std::span<Vec3> y) const;
  void update_others(std::span<Vec3> x) const { halo_.update_ghosts(x); }  ///< collective

private:
  struct Sent {  ///< to another rank: places of terms, in the order of the receiver's `received`
    int rank;
    std::vector<std::int32_t> places;
  };
  struct Received {
    int rank;
    std::vector<std::int32_t> blocks;  ///< in the rows; from −1 down: transposed
  };
  void multiply_row(std::size_t row, std::size_t first, std::span<const Vec3> x, std::span<Vec3> y) const;
  void make_rows(const core::Comm& comm, std::span<const std::int32_t> owner, std::span<const std::int32_t> moving);

  const core::Comm* comm_ = nullptr;
  std::int32_t split_ = 0;
  std::size_t rest_ = 0;
  std::vector<std::int32_t> known_, entry_;
  std::vector<std::uint64_t> pairs_;
  std::vector<double> terms_, values_;
  std::vector<Sent> sent_;
  std::vector<Received> received_;
  std::vector<std::size_t> first_{0}, diagonal_;
  std::vector<std::size_t> first_of_rest_;  ///< by row: the first column from the split on
  std::vector<std::int32_t> column_;
  dist::Halo halo_;
};

}  // namespace brisance::dynamics
