/// A picture in memory, and PNG files.
#pragma once

#include "brisance/render/colour.hpp"

#include <filesystem>
#include <vector>

namespace brisance::render {

/// Linear-light pixels, row by row from the top left.
struct Image {
  int width = 0, height = 0;
  std::vector<Rgb> pixels;

  Image() = default;
  Image(int w, int h, const Rgb& fill = Rgb::Zero())
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * h, fill) {}
  [[nodiscard]] Rgb& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  [[nodiscard]] const Rgb& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
};

/// Writes an 8-bit sRGB PNG, under a temporary name until complete. Throws core::Error if the file cannot be written.
void write_png(const Image& image, const std::filesystem::path& file);
/// Reads a PNG of any kind, taken as sRGB. Throws core::Error if it cannot be read.
[[nodiscard]] Image read_png(const std::filesystem::path& file);

}  // namespace brisance::render
