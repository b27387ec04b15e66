#include "brisance/render/image.hpp"

#include "brisance/core/error.hpp"
#include "brisance/io/atomic_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>

namespace brisance::render {
namespace {

std::vector<std::uint8_t> encoded(const Image& image) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(image.pixels.size() * 3);
  for (const Rgb& pixel : image.pixels)
    for (int c = 0; c < 3; ++c) bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * srgb_encoded(pixel[c]))));
  return bytes;
}

float srgb_decoded(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

}  // namespace

void write_png(const Image& image, const std::filesystem::path& file) {
  // Encoded in memory: OpenImageIO does not notice when a disk is full.
  std::vector<unsigned char> png;
  OIIO::Filesystem::IOVecOutput memory(png);
  auto output = OIIO::ImageOutput::create("png");
  if (!output)
    throw core::Error("cannot write " + file.string() + ": OpenImageIO has no PNG writer: " + OIIO::geterror());
  OIIO::ImageSpec spec(image.width, image.height, 3, OIIO::TypeDesc::UINT8);
  spec.attribute("oiio:ColorSpace", "sRGB");
  const auto bytes = encoded(image);
  output->set_ioproxy(&memory);
  if (!output->open("picture.png", spec) || !output->write_image(OIIO::TypeDesc::UINT8, bytes.data()) ||
      !output->close())
    throw core::Error("cannot write " + file.string() + ": " + output->geterror());
  io::write_atomically(file, {reinterpret_cast<const char*>(png.data()), png.size()});
}

Image read_picture(const std::filesystem::path& file) {
  auto input = OIIO::ImageInput::open(file.string());
  if (!input) throw core::Error("cannot read picture " + file.string() + ": " + OIIO::geterror());
  const OIIO::ImageSpec& spec = input->spec();
  std::vector<float> values(static_cast<std::size_t>(spec.width) * spec.height * spec.nchannels);
  if (!input->read_image(0, 0, 0, spec.nchannels, OIIO::TypeDesc::FLOAT, values.data()))
    throw core::Error("cannot read picture " + file.string() + ": " + input->geterror());
  Image image(spec.width, spec.height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c)
      image.pixels[i][c] =
          srgb_decoded(values[i * spec.nchannels + (c < spec.nchannels && spec.nchannels >= 3 ? c : 0)]);
  return image;
}

}  // namespace brisance::render
