#include "brisance/render/image.hpp"

#include "picture_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace brisance::render {
namespace {

LayeredImage encoded_channels(const Image& image, const Notes& notes) {
  LayeredImage result(image.width, image.height);
  result.notes = notes;
  for (int c = 0; c < 3; ++c) {
    std::vector<float>& values = result.add(std::string(1, "RGB"[c]));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = srgb_encoded(image.pixels[i][c]);
  }
  return result;
}

float srgb_decoded(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

float linear(float value, const io::Transfer& transfer) {
  if (transfer.is_srgb) return srgb_decoded(value);
  return transfer.gamma == 1 ? value : std::pow(std::max(value, 0.0F), transfer.gamma);
}

/// The red, green and blue channels; grey three times. Throws std::runtime_error if there are neither.
std::array<const Channel*, 3> colour_channels(const LayeredImage& image) {
  std::array channels{image.find("R"), image.find("G"), image.find("B")};
  if (const Channel* const grey = image.find("Y"); channels[0] == nullptr && grey != nullptr) channels.fill(grey);
  for (const Channel* channel : channels)
    if (channel == nullptr) throw std::runtime_error("it has neither channels R, G and B nor Y");
  return channels;
}

float finite(float value) {
  constexpr float kLargestHalf = 65504;
  if (std::isnan(value)) throw std::runtime_error("a value is not a number");
  return std::isinf(value) ? std::copysign(kLargestHalf, value) : value;
}

Image linear_image(const io::StoredPicture& stored) {
  const auto channels = colour_channels(stored.image);
  Image image(stored.image.width, stored.image.height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c) image.pixels[i][c] = linear(finite(channels[c]->values[i]), stored.transfer);
  return image;
}

}  // namespace

void write_png(const Image& image, const std::filesystem::path& file, const Notes& notes) {
  write_picture(encoded_channels(image, notes), io::PictureFormat::png, file);
}

Image read_image(const std::filesystem::path& file) {
  return io::naming_picture(file, [&] { return linear_image(io::image_functions().decoded(file, false)); });
}

}  // namespace brisance::render
