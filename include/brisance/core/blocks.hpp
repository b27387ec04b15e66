/// Rows of a table divided evenly over the ranks, in order: how whole files are read and written by all ranks.
#pragma once

#include "brisance/core/comm.hpp"

#include <cstdint>
#include <vector>

#include <mpi.h>

namespace brisance::core {

/// Rows [first, first + count).
struct Block {
  std::int64_t first = 0, count = 0;
};

/// The rows of rank `rank` of `num_ranks`: blocks differ by one row at most.
[[nodiscard]] constexpr Block block_of(std::int64_t num_rows, int rank, int num_ranks) {
  const std::int64_t first = num_rows * rank / num_ranks;
  return {first, num_rows * (rank + 1) / num_ranks - first};
}

/// The rank whose block has row `row`.
[[nodiscard]] constexpr int rank_of_row(std::int64_t num_rows, std::int64_t row, int num_ranks) {
  return static_cast<int>(((row + 1) * num_ranks - 1) / num_rows);
}

/// Number of rows on the ranks before this one, if each rank has `count`. Collective.
[[nodiscard]] inline std::int64_t rows_before(const Comm& comm, std::int64_t count) {
  std::int64_t end = 0;
  MPI_Scan(&count, &end, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  return end - count;
}

/// Distributes a table of rank 0, rows of `width` values: returns each rank's block. Collective.
template <class T>
[[nodiscard]] std::vector<T> scatter_blocks(const Comm& comm, const std::vector<T>& whole, int width = 1) {
  auto num_rows = static_cast<std::int64_t>(whole.size()) / width;
  MPI_Bcast(&num_rows, 1, MPI_INT64_T, 0, comm.raw());
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)) * width, MPI_BYTE, &row);
  MPI_Type_commit(&row);
  std::vector<int> counts, offsets;
  for (int r = 0; r < comm.size(); ++r) {
    const Block block = block_of(num_rows, r, comm.size());
    counts.push_back(static_cast<int>(block.count));
    offsets.push_back(static_cast<int>(block.first));
  }
  std::vector<T> mine(static_cast<std::size_t>(counts[comm.rank()]) * width);
  MPI_Scatterv(whole.data(), counts.data(), offsets.data(), row, mine.data(), counts[comm.rank()], row, 0, comm.raw());
  MPI_Type_free(&row);
  return mine;
}

}  // namespace brisance::core
