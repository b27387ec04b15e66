#include "colour_bar.hpp"

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace brisance::render {
namespace {

constexpr int kGlyphWidth = 5, kGlyphHeight = 7;
struct Glyph {
  char letter;
  std::array<std::string_view, kGlyphHeight> rows;
};
/// The few letters a number with a unit needs; no font file, so that the picture is the same everywhere.
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

/// Text whose right end is at `right`, its pixels `scale` wide.
void draw_text(Image& image, const std::string& text, int right, int top, int scale) {
  int left = right - static_cast<int>(text.size()) * (kGlyphWidth + 1) * scale;
  for (const char letter : text) {
    for (const Glyph& glyph : kGlyphs) {
      if (glyph.letter != letter) continue;
      for (int y = 0; y < kGlyphHeight; ++y)
        for (int x = 0; x < kGlyphWidth; ++x)
          if (glyph.rows[y][x] == '#')
            fill(image, left + x * scale, top + y * scale, scale, scale, Rgb::Constant(0.01F));
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
  const int width = image.width / 50, height = image.height / 2;
  const int left = image.width - 2 * width, top = image.height / 4;
  const int panel = 11 * (kGlyphWidth + 1) * scale, border = 10 * scale + kGlyphHeight * scale;
  fill(image, left + width - panel, top - border, panel + width / 2, height + 2 * border, Rgb::Constant(0.6F));
  fill(image, left - scale, top - scale, width + 2 * scale, height + 2 * scale, Rgb::Constant(0.01F));
  for (int y = 0; y < height; ++y) fill(image, left, top + y, width, 1, field_colour(1 - (y + 0.5) / height));
  draw_text(image, labelled(range.high, field), left + width, top - (kGlyphHeight + 4) * scale, scale);
  draw_text(image, labelled(range.low, field), left + width, top + height + 4 * scale, scale);
}

}  // namespace brisance::render
