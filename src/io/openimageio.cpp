/// brisance_images.so: picture files through OpenImageIO.
#include "brisance/io/image_module.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>

namespace brisance::io {
namespace {

[[noreturn]] void fail(std::string reason) {
  if (reason.empty()) reason = OIIO::geterror();
  if (reason.empty()) reason = "OpenImageIO gives no reason";
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  while (!reason.empty() && (reason.back() == ' ' || reason.back() == '.')) reason.pop_back();
  throw std::runtime_error(reason);
}

/// Pictures are small and processes many: no threads of OpenImageIO's own.
void use_one_thread() {
  OIIO::attribute("threads", 1);
  OIIO::attribute("exr_threads", -1);
}

OIIO::ImageSpec described(const LayeredImage& image, PictureFormat format) {
  const bool is_exr = format == PictureFormat::exr;
  const int num_channels = is_exr ? static_cast<int>(image.channels.size()) : 3;
  OIIO::ImageSpec spec(image.width, image.height, num_channels, is_exr ? OIIO::TypeFloat : OIIO::TypeUInt8);
  for (int c = 0; c < num_channels; ++c) {
    spec.channelnames[c] = image.channels[c].name;
    if (is_exr) spec.channelformats.push_back(image.channels[c].is_half ? OIIO::TypeHalf : OIIO::TypeFloat);
  }
  spec.attribute("oiio:ColorSpace", is_exr ? "Linear" : "sRGB");
  if (is_exr) spec.attribute("compression", "zip");
  spec.attribute("DateTime", "1970:01:01 00:00:00");  // not the time of writing: equal pictures are equal files
  for (const auto& [name, text] : image.notes) spec.attribute(name, text);
  return spec;
}

/// Values pixel by pixel, as OpenImageIO wants them.
std::vector<float> interleaved(const LayeredImage& image, int num_channels) {
  std::vector<float> values(image.num_pixels() * num_channels);
  for (int c = 0; c < num_channels; ++c)
    for (std::size_t i = 0; i < image.num_pixels(); ++i) values[i * num_channels + c] = image.channels[c].values[i];
  return values;
}

std::string encoded(const LayeredImage& image, PictureFormat format) {
  use_one_thread();
  const std::string name = format == PictureFormat::exr ? "picture.exr" : "picture.png";
  std::vector<unsigned char> bytes;
  OIIO::Filesystem::IOVecOutput memory(bytes);
  const auto output = OIIO::ImageOutput::create(name, &memory);
  if (!output) fail({});
  const OIIO::ImageSpec spec = described(image, format);
  const std::vector<float> values = interleaved(image, spec.nchannels);
  if (!output->open(name, spec) || !output->write_image(OIIO::TypeFloat, values.data()) || !output->close())
    fail(output->geterror());
  return {bytes.begin(), bytes.end()};
}

Transfer transfer_of(const OIIO::ImageSpec& spec) {
  const std::string space = spec.get_string_attribute("oiio:ColorSpace");
  const float gamma = spec.get_float_attribute("oiio:Gamma", 0);
  if (space.starts_with("Gamma") && gamma > 0) return {.gamma = gamma};
  const bool is_linear = space == "Linear" || space == "linear" || space == "scene_linear";
  return {.is_srgb = space == "sRGB" || (!is_linear && !spec.format.is_floating_point())};
}

Notes notes_of(const OIIO::ImageSpec& spec) {
  Notes notes;
  for (const auto& attribute : spec.extra_attribs)
    if (attribute.type() == OIIO::TypeString) notes.emplace_back(attribute.name(), attribute.get_string());
  return notes;
}

void require_ordinary(const OIIO::ImageSpec& spec) {
  constexpr std::int64_t kMostValues = std::int64_t{1} << 32;
  if (spec.deep || spec.depth > 1) fail("it is deep or a volume, not a flat picture");
  if (spec.width < 1 || spec.height < 1 || spec.nchannels < 1) fail("it has no pixels");
  if (static_cast<std::int64_t>(spec.width) * spec.height > kMostValues / spec.nchannels) fail("it is too large");
}

std::vector<Channel> channels_of(OIIO::ImageInput& input, const OIIO::ImageSpec& spec) {
  const std::size_t num_channels = spec.nchannels, num_pixels = static_cast<std::size_t>(spec.width) * spec.height;
  std::vector<float> values(num_pixels * num_channels);
  if (!input.read_image(0, 0, 0, spec.nchannels, OIIO::TypeFloat, values.data())) fail(input.geterror());
  std::vector<Channel> channels(num_channels);
  for (std::size_t c = 0; c < num_channels; ++c) {
    channels[c] = {.name = spec.channel_name(static_cast<int>(c)),
                   .is_half = spec.channelformat(static_cast<int>(c)) == OIIO::TypeHalf,
                   .values = std::vector<float>(num_pixels)};
    for (std::size_t i = 0; i < num_pixels; ++i) channels[c].values[i] = values[i * num_channels + c];
  }
  return channels;
}

StoredPicture decoded(const std::filesystem::path& file, bool only_notes) {
  use_one_thread();
  OIIO::ImageSpec wishes;
  wishes.attribute("oiio:UnassociatedAlpha", 1);  // transparent pixels keep their colour
  const auto input = OIIO::ImageInput::open(file.string(), &wishes);
  if (!input) fail({});
  const OIIO::ImageSpec spec = input->spec();
  require_ordinary(spec);
  StoredPicture picture{.image = LayeredImage(spec.width, spec.height), .transfer = transfer_of(spec)};
  picture.image.notes = notes_of(spec);
  if (!only_notes) picture.image.channels = channels_of(*input, spec);
  return picture;
}

}  // namespace
}  // namespace brisance::io

extern "C" __attribute__((visibility("default"))) const brisance::io::ImageFunctions* brisance_images_1() {
  static const brisance::io::ImageFunctions functions{.encoded = &brisance::io::encoded,
                                                      .decoded = &brisance::io::decoded};
  return &functions;
}
