#include "brisance/core/memory.hpp"

#include <array>
#include <cstddef>
#include <fstream>
#include <memory>
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

std::int64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  in >> all >> resident;
  return 4096 * resident;
}

TEST(Memory, HolesBetweenWhatIsKeptGoBack) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has a heap of its own";
#endif
  std::vector<std::unique_ptr<std::array<std::byte, 60'000>>> blocks(2000);  // too small to be mapped by themselves
  for (auto& block : blocks) block = std::make_unique<std::array<std::byte, 60'000>>();
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (i % 16 != 0) blocks[i].reset();
  const std::int64_t before = resident_bytes();
  return_unused_memory();
  EXPECT_LT(resident_bytes(), before - 80'000'000);  // of 112
}

}  // namespace
}  // namespace brisance::core
