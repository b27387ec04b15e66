#include "brisance/io/layered_image.hpp"

#include "brisance/io/image_module.hpp"

#include <algorithm>

namespace brisance::io {

std::vector<float>& LayeredImage::add(std::string name, bool is_half) {
  channels.push_back({std::move(name), is_half, std::vector<float>(num_pixels())});
  return channels.back().values;
}

const Channel* LayeredImage::find(std::string_view name) const {
  const auto found = std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == name; });
  return found == channels.end() ? nullptr : &*found;
}

void require_picture_files() { static_cast<void>(image_functions()); }

LayeredImage read_layers(const std::filesystem::path& file) {
  return naming_picture(file, [&] { return image_functions().decoded(file, false).image; });
}

}  // namespace brisance::io
