/// Access to single rows of a table that is divided over the ranks.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/star_forest.hpp"

#include <span>
#include <vector>

#include <petscsf.h>

namespace brisance::la {

/// Rank r has the rows after those of rank r − 1. Every rank may hold values for any rows: they are fetched from the
/// table or sent to it. T is trivially copyable.
class RowForest {
public:
  RowForest() = default;
  /// @param num_rows  number of rows on this rank
  /// @param held      numbers of the rows for which this rank holds values
  /// Collective; throws core::Error.
  RowForest(const core::Comm& comm, std::size_t num_rows, std::span<const PetscInt> held);

  [[nodiscard]] std::size_t num_rows() const { return num_rows_; }

  /// The values of the held rows, `width` each, fetched from the table's rows. Collective.
  template <class T>
  [[nodiscard]] std::vector<T> fetch(std::span<const T> rows, int width = 1) const {
    std::vector<T> held(num_held_ * width);
    broadcast(rows.data(), held.data(), sizeof(T) * width);
    return held;
  }
  template <class T>
  [[nodiscard]] std::vector<T> fetch(const std::vector<T>& rows, int width = 1) const {
    return fetch(std::span<const T>(rows), width);
  }
  /// The values of this rank's rows, from the one rank that holds each; T() where none does. Collective.
  template <class T>
  [[nodiscard]] std::vector<T> store(const std::vector<T>& held, int width = 1) const {
    std::vector<T> rows(num_rows_ * width);
    replace(held.data(), rows.data(), sizeof(T) * width);
    return rows;
  }
  /// The values of this rank's rows, summed over all ranks that hold a row. Collective.
  [[nodiscard]] std::vector<double> sum(const std::vector<double>& held, int width = 1) const;

private:
  void broadcast(const void* rows, void* held, std::size_t bytes_each) const;
  void replace(const void* held, void* rows, std::size_t bytes_each) const;

  StarForest forest_;
  std::size_t num_rows_ = 0, num_held_ = 0;
};

}  // namespace brisance::la
