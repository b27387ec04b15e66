#include "brisance/render/layers.hpp"

#include "brisance/core/error.hpp"

#include "picture_file.hpp"

#include <algorithm>

namespace brisance::render {

std::vector<float>& LayeredImage::add(std::string name, bool is_half) {
  channels.push_back({std::move(name), is_half, std::vector<float>(num_pixels())});
  return channels.back().values;
}

const Channel* LayeredImage::find(std::string_view name) const {
  const auto found = std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == name; });
  return found == channels.end() ? nullptr : &*found;
}

void write_exr(const LayeredImage& image, const std::filesystem::path& file) {
  write_picture(image, PictureFormat::exr, file);
}

LayeredImage read_layers(const std::filesystem::path& file) {
  return naming_picture(file, [&] { return image_functions().decoded(file, false).image; });
}

std::string note_of(const std::filesystem::path& file, std::string_view name) try {
  const LayeredImage picture = naming_picture(file, [&] { return image_functions().decoded(file, true).image; });
  const auto found =
      std::find_if(picture.notes.begin(), picture.notes.end(), [&](const auto& note) { return note.first == name; });
  return found == picture.notes.end() ? std::string() : found->second;
} catch (const core::MissingProgram&) {
  throw;
} catch (const core::Error&) {
  return {};
}

}  // namespace brisance::render
