/// A name in a file must have no effect on a terminal.
#include "brisance/core/printable.hpp"

#include <gtest/gtest.h>

namespace brisance::core {
namespace {

TEST(Printable, LeavesTextOfAnyScriptAlone) {
  for (const char* text : {"", "plate", "λ = 1 Pa·s, 90°", "ガラス", "стекло", "🙂", "a\tb\nc\f", "(x) \"y\" \\ z"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatSteersATerminal) {
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1B[31mred\\x1B[0m");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\x0Db\\x08c\\x7F");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u{9B}2J");  // the control sequence introducer as one character
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "dlog"),
            "\\u{202E}dlog");  // right to left from here
  EXPECT_EQ(printable("a\xe2\x80\xa8"
                      "b"),
            "a\\u{2028}b");
}

TEST(Printable, EscapesBytesThatAreNoCharacter) {
  EXPECT_EQ(printable("caf\xe9"), "caf\\xE9");
  EXPECT_EQ(printable("\x9b"
                      "2J"),
            "\\x9B2J");
  EXPECT_EQ(printable("\xc0\xaf \xe0\x80\xaf \xed\xa0\x80"), "\\xC0\\xAF \\xE0\\x80\\xAF \\xED\\xA0\\x80");
  EXPECT_EQ(printable("\xe2\x80"), "\\xE2\\x80");  // cut off
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");
}

TEST(Printable, ANameStaysInItsLine) {
  EXPECT_EQ(printable_name("a\nb\tc"), "a\\x0Ab\\x09c");
  EXPECT_EQ(printable_name("wood, 50 %"), "wood, 50 %");
}

}  // namespace
}  // namespace brisance::core
