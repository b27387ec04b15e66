#include "brisance/core/words.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

TEST(Words, OneIsSingularAndAllElseIsPlural) {
  EXPECT_EQ(counted(0, "piece"), "0 pieces");
  EXPECT_EQ(counted(1, "piece"), "1 piece");
  EXPECT_EQ(counted(std::size_t{2}, "piece"), "2 pieces");
  EXPECT_EQ(counted(std::int64_t{1}, "body", "bodies"), "1 body");
  EXPECT_EQ(counted(21, "body", "bodies"), "21 bodies");
}

TEST(Words, TimesHaveDigitsForTheirSpan) {
  EXPECT_EQ(time_text(0.06, 0.1), "0.06000");
  EXPECT_EQ(time_text(12.5, 60), "12.500");
  EXPECT_EQ(time_text(1.23456e-4, 2e-3), "0.0001235");
  EXPECT_EQ(time_text(1.23456e-7, 2e-6), "1.2346e-07");
  EXPECT_NE(time_text(1.0001e-9, 1e-8), time_text(1.0000e-9, 1e-8));
  EXPECT_EQ(time_text(2e5, 1e6), "200000");
  EXPECT_EQ(time_text(0, 0), "0");
}

}  // namespace
}  // namespace brisance::core
