#include "brisance/render/image.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/io/atomic_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <png.h>

namespace brisance::render {
namespace {

std::vector<std::uint8_t> encoded(const Image& image) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(image.pixels.size() * 3);
  for (const Rgb& pixel : image.pixels)
    for (int c = 0; c < 3; ++c) bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * srgb_encoded(pixel[c]))));
  return bytes;
}

png_image described(int width, int height, png_uint_32 format) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(width);
  png.height = static_cast<png_uint_32>(height);
  png.format = format;
  return png;
}

float srgb_decoded(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

}  // namespace

void write_png(const Image& image, const std::filesystem::path& file) {
  const auto bytes = encoded(image);
  png_image png = described(image.width, image.height, PNG_FORMAT_RGB);
  // Encoded in memory, since the file is written whole or not at all: the first call returns the size, the second the
  // bytes.
  png_alloc_size_t size = 0;
  std::vector<char> memory;
  const auto encode = [&](void* to) { return png_image_write_to_memory(&png, to, &size, 0, bytes.data(), 0, nullptr); };
  bool done = encode(nullptr) != 0;
  if (done) {
    memory.resize(size);
    done = encode(memory.data()) != 0;
  }
  if (!done) throw core::Error("cannot write " + file.string() + ": " + png.message);
  io::write_atomically(file, {memory.data(), size});
}

Image read_png(const std::filesystem::path& file) {
  core::require_regular_file(file, "It must be a PNG file.");
  png_image png = described(0, 0, 0);
  const auto refuse = [&] {
    throw core::Error("cannot read picture " + file.string() + ": " + png.message + ". It must be a PNG file.");
  };
  if (png_image_begin_read_from_file(&png, file.c_str()) == 0) refuse();
  png.format = PNG_FORMAT_RGBA;  // transparent pixels keep their colour
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, bytes.data(), 0, nullptr) == 0) refuse();
  Image image(static_cast<int>(png.width), static_cast<int>(png.height));
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c)
      image.pixels[i][c] = srgb_decoded(static_cast<float>(bytes[4 * i + static_cast<std::size_t>(c)]) / 255);
  return image;
}

}  // namespace brisance::render
