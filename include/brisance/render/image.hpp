/// A picture in memory, and its files.
#pragma once

#include "brisance/render/colour.hpp"
#include "brisance/render/layers.hpp"

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
/// Local.
void write_png(const Image& image, const std::filesystem::path& file, const Notes& notes = {});

/// Reads a picture of any format that OpenImageIO knows (PNG, JPEG, TIFF, OpenEXR, Radiance HDR ...) in linear light:
/// decoded from sRGB where the format says so, or stores integers and does not say. Grey becomes three equal channels;
/// alpha is ignored. Infinite values, where a half overflowed, become its largest number. Throws core::Error if it
/// cannot be read, has no colours, or a value is not a number. Local.
[[nodiscard]] Image read_image(const std::filesystem::path& file);

}  // namespace brisance::render
