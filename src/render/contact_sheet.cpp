#include "brisance/render/contact_sheet.hpp"

#include "brisance/core/error.hpp"
#include "brisance/render/image.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace brisance::render {
namespace {

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

/// Tile height for all pictures, from the aspect ratio of the first.
int tile_height(const Image& first, const SheetOptions& options) {
  return std::max(1, static_cast<int>(std::lround(1.0 * options.tile_width * first.height / first.width)));
}

}  // namespace

void check(const SheetOptions& options) {
  if (options.columns < 1 || options.tile_width < 1 || options.max_pictures < 1 || options.gap < 0)
    throw core::Error("contact sheet: columns, tile width and number of pictures must be at least 1, the gap 0.");
}

std::vector<std::size_t> chosen_for_sheet(std::size_t total, const SheetOptions& options) {
  const std::size_t chosen = std::min<std::size_t>(total, options.max_pictures);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < chosen; ++i)
    indices.push_back(chosen == 1 ? total - 1 : (i * (total - 1) + (chosen - 1) / 2) / (chosen - 1));
  return indices;
}

Image arrange_tiles(std::span<const Image> tiles, const SheetOptions& options) {
  const int columns = std::min<int>(options.columns, tiles.size());
  const int rows = (static_cast<int>(tiles.size()) + columns - 1) / columns;
  const int across = options.tile_width + options.gap, down = tiles.front().height + options.gap;
  Image sheet(columns * across + options.gap, rows * down + options.gap, Rgb::Constant(0.9F));
  for (int i = 0; i < static_cast<int>(tiles.size()); ++i)
    paste(sheet, tiles[i], options.gap + i % columns * across, options.gap + i / columns * down);
  return sheet;
}

void write_contact_sheet(std::span<const std::filesystem::path> pictures, const std::filesystem::path& sheet,
                         const SheetOptions& options) {
  if (pictures.empty()) throw core::Error("contact sheet: there are no pictures to put on " + sheet.string() + ".");
  check(options);
  std::vector<Image> tiles;
  for (const std::size_t i : chosen_for_sheet(pictures.size(), options)) {
    const Image picture = read_image(pictures[i]);
    tiles.push_back(
        resized(picture, options.tile_width, tiles.empty() ? tile_height(picture, options) : tiles.front().height));
  }
  write_png(arrange_tiles(tiles, options), sheet);
}

}  // namespace brisance::render
