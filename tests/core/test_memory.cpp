#include "brisance/core/memory.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

TEST(Memory, ThePeakGrowsWithWhatIsUsed) {
  const std::int64_t before = peak_memory_bytes();
  std::vector<double> used(20'000'000, 1.0);
  EXPECT_GE(peak_memory_bytes(), before + static_cast<std::int64_t>(used.size()) * 8 / 2);
  EXPECT_EQ(used.back(), 1.0);
}

TEST(Memory, SomethingIsLeftAndItIsNotEverything) {
  EXPECT_GT(available_memory_bytes(), 1'000'000);
  EXPECT_LT(available_memory_bytes(), std::int64_t{1} << 50);
}

}  // namespace
}  // namespace brisance::core
