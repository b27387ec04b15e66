#include "brisance/core/error.hpp"

#include "app/scene/frame_choice.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace brisance::app {
namespace {

constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();

struct Case {
  const char* text;
  std::size_t first, end, step;
};

TEST(FrameChoice, OneFrameOrARange) {
  for (const Case& each :
       {Case{"", 0, kLast, 1}, Case{"12", 12, 13, 1}, Case{"3:7", 3, 7, 1}, Case{"3:", 3, kLast, 1},
        Case{":7", 0, 7, 1}, Case{"::4", 0, kLast, 4}, Case{"2:9:3", 2, 9, 3}, Case{":", 0, kLast, 1}}) {
    const render::FrameChoice choice = frame_choice("--frames", each.text);
    EXPECT_EQ(choice.first, each.first) << each.text;
    EXPECT_EQ(choice.end, each.end) << each.text;
    EXPECT_EQ(choice.step, each.step) << each.text;
  }
}

TEST(FrameChoice, RefusesEverythingElse) {
  for (const char* text : {"a", "1:b", "-1", "1:2:0", "1:2:3:4", "1.5", " 1", "1 ", "99999999999999999999"})
    EXPECT_THROW((void)frame_choice("--frames", text), core::Error) << text;
}

}  // namespace
}  // namespace brisance::app
