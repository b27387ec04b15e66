/// Rows of a table divided evenly over the ranks, in order: how whole files are read and written by all ranks.
#pragma once

#include <cstdint>

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

}  // namespace brisance::core
