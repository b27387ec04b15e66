/// Whether a mesh fits into memory is known before it is made or read.
#include "sim/setup/memory_need.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;

TEST(MemoryNeed, AMeshThatFitsIsNotComplainedOf) {
  EXPECT_EQ(memory_complaint(20'000'000, 4, 4, 16 * kGibibyte), "");
  EXPECT_EQ(memory_complaint(20'000'000, 8, 1, kGibibyte), "") << "an eighth of it is on this machine";
}

TEST(MemoryNeed, AMeshThatDoesNotFitNamesNeedAndRemedy) {
  const std::string text = memory_complaint(1'000'000'000, 4, 4, 16 * kGibibyte);
  EXPECT_THAT(text,
              testing::HasSubstr("1000000000 tets need at least 373 GiB of memory, 373 GiB on a machine with 4 of "
                                 "4 ranks, where 16 GiB are free"));
  EXPECT_THAT(text, testing::HasSubstr("on at least 24 such machines"));
}

TEST(MemoryNeed, TheRanksOfThisMachineAlreadyRunInLess) { require_memory(core::Comm(), 1000); }

}  // namespace
}  // namespace brisance::sim
