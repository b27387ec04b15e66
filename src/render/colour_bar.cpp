#include "colour_bar.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace brisance::render {
namespace {

const Rgb kInk = Rgb::Constant(0.01F);
constexpr int kGlyphWidth = 5, kGlyphHeight = 7;
struct Glyph {
  char letter;
  std::array<std::string_view, kGlyphHeight> rows;
};
/// Glyphs for numbers with units; no font file, so that the picture is the same everywhere.
constexpr std::array<Glyph, 20> kGlyphs{{
    {'0', {" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "}},
    {'1', {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "}},
    {'2', {" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"}},
    {'3', {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
    {'4', {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
    {'5', {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
    {'6', {" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "}},
    {'7', {"#####", "    #", "   # ", "  #  ", "  #  ", " #   ", " #   "}},
    {'8', {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
    {'9', {" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "}},
    {'.', {"     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "}},
    {'-', {"     ", "     ", "     ", " ### ", "     ", "     ", "     "}},
    {'+', {"     ", "  #  ", "  #  ", "#####", "  #  ", "  #  ", "     "}},
    {'e', {"     ", "     ", " ### ", "#   #", "#####", "#    ", " ### "}},
    {'P', {"#### ", "#   #", "#   #", "#### ", "#    ", "#    ", "#    "}},
    {'a', {"     ", "     ", " ### ", "    #", " ####", "#   #", " ####"}},
    {'m', {"     ", "     ", "## # ", "# # #", "# # #", "#   #", "#   #"}},
    {'/', {"    #", "    #", "   # ", "  #  ", " #   ", "#    ", "#    "}},
    {'s', {"     ", "     ", " ### ", "#    ", " ### ", "    #", " ### "}},
    {' ', {"     ", "     ", "     ", "     ", "     ", "     ", "     "}},
}};

void fill(Image& image, int left, int top, int width, int height, const Rgb& colour) {
  for (int y = top; y < top + height; ++y)
    for (int x = left; x < left + width; ++x)
      if (x >= 0 && y >= 0 && x < image.width && y < image.height) image.at(x, y) = colour;
}

/// Draws text starting at `left`, each dot `scale` pixels wide.
void draw_text(Image& image, const std::string& text, int left, int top, int scale) {
  for (const char letter : text) {
    for (const Glyph& glyph : kGlyphs) {
      if (glyph.letter != letter) continue;
      for (int y = 0; y < kGlyphHeight; ++y)
        for (int x = 0; x < kGlyphWidth; ++x)
          if (glyph.rows[y][x] == '#') fill(image, left + x * scale, top + y * scale, scale, scale, kInk);
    }
    left += (kGlyphWidth + 1) * scale;
  }
}

std::string labelled(double value, ColourBy field) {
  const char* unit = field == ColourBy::speed ? " m/s" : field == ColourBy::plastic_strain ? "" : " Pa";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g%s", value, unit);
  return text.data();
}

}  // namespace

void draw_colour_bar(Image& image, ColourBy field, const ValueRange& range) {
  if (image.width < 200 || image.height < 150) return;
  const int scale = std::max(1, image.height / 360);
  const int width = image.width / 3, height = kGlyphHeight * scale;
  const int left = (image.width - width) / 2, top = image.height - 2 * height;
  fill(image, left - scale, top - scale, width + 2 * scale, height + 2 * scale, kInk);
  for (int x = 0; x < width; ++x) fill(image, left + x, top, 1, height, field_colour((x + 0.5) / width));
  const std::string low = labelled(range.low, field), high = labelled(range.high, field);
  const int letter = (kGlyphWidth + 1) * scale;
  draw_text(image, low, left - (static_cast<int>(low.size()) + 1) * letter, top, scale);
  draw_text(image, high, left + width + letter, top, scale);
}

}  // namespace brisance::render
