#include "brisance/core/blocks.hpp"

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

TEST(Blocks, EveryRowIsInTheBlockOfItsRank) {
  for (std::int64_t num_rows = 1; num_rows < 60; ++num_rows)
    for (int num_ranks = 1; num_ranks < 12; ++num_ranks) {
      std::int64_t next = 0;
      for (int r = 0; r < num_ranks; ++r) {
        const Block block = block_of(num_rows, r, num_ranks);
        EXPECT_EQ(block.first, next);
        EXPECT_LE(std::abs(block.count * num_ranks - num_rows), num_ranks);
        for (std::int64_t row = block.first; row < block.first + block.count; ++row)
          EXPECT_EQ(rank_of_row(num_rows, row, num_ranks), r);
        next += block.count;
      }
      EXPECT_EQ(next, num_rows);
    }
}

}  // namespace
}  // namespace brisance::core
