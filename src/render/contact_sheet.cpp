#include "brisance/render/contact_sheet.hpp"

#include "brisance/core/error.hpp"
#include "brisance/render/image.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace brisance::render {
namespace {

/// At most `count` indices below `total`, evenly spread, with the first and the last.
std::vector<std::size_t> evenly_chosen(std::size_t total, std::size_t count) {
  const std::size_t chosen = std::min(total, count);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < chosen; ++i)
    indices.push_back(chosen == 1 ? total - 1 : (i * (total - 1) + (chosen - 1) / 2) / (chosen - 1));
  return indices;
}

/// Mean over the source area under each pixel, in linear light.
Image resized(const Image& source, int width, int height) {
  Image result(width, height);
  const double step_x = static_cast<double>(source.width) / width, step_y = static_cast<double>(source.height) / height;
  auto overlap = [](double low, double high, int cell) {
    return std::min(high, cell + 1.0) - std::max<double>(low, cell);
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double left = x * step_x, right = left + step_x, top = y * step_y, bottom = top + step_y;
      for (int v = static_cast<int>(top); v < std::min<double>(std::ceil(bottom), source.height); ++v)
        for (int u = static_cast<int>(left); u < std::min<double>(std::ceil(right), source.width); ++u) {
          const double share = overlap(left, right, u) * overlap(top, bottom, v) / (step_x * step_y);
          if (share > 0) result.at(x, y) += static_cast<float>(share) * source.at(u, v);
        }
    }
  return result;
}

void paste(Image& sheet, const Image& tile, int left, int top) {
  for (int y = 0; y < tile.height; ++y)
    for (int x = 0; x < tile.width; ++x) sheet.at(left + x, top + y) = tile.at(x, y);
}

}  // namespace

void write_contact_sheet(std::span<const std::filesystem::path> pictures, const std::filesystem::path& sheet,
                         const SheetOptions& options) {
  if (pictures.empty()) throw core::Error("contact sheet: there are no pictures to put on " + sheet.string() + ".");
  if (options.columns < 1 || options.tile_width < 1 || options.max_pictures < 1 || options.gap < 0)
    throw core::Error("contact sheet: columns, tile width and number of pictures must be at least 1, the gap 0.");
  const auto chosen = evenly_chosen(pictures.size(), options.max_pictures);
  const int columns = std::min<int>(options.columns, chosen.size());
  const int rows = (static_cast<int>(chosen.size()) + columns - 1) / columns;
  const int gap = options.gap;
  int tile_height = 0;
  Image result;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Image picture = read_png(pictures[chosen[i]]);
    if (i == 0) {
      tile_height =
          std::max(1, static_cast<int>(std::lround(1.0 * options.tile_width * picture.height / picture.width)));
      result = Image(columns * (options.tile_width + gap) + gap, rows * (tile_height + gap) + gap, Rgb::Constant(0.9F));
    }
    const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    paste(result, resized(picture, options.tile_width, tile_height), gap + column * (options.tile_width + gap),
          gap + row * (tile_height + gap));
  }
  write_png(result, sheet);
}

}  // namespace brisance::render
