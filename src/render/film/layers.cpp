#include "brisance/render/layers.hpp"

#include "brisance/core/error.hpp"

#include "picture_file.hpp"

#include <algorithm>

namespace brisance::render {

void write_exr(const LayeredImage& image, const std::filesystem::path& file) {
  write_picture(image, io::PictureFormat::exr, file);
}

std::string note_of(const std::filesystem::path& file, std::string_view name) try {
  const LayeredImage picture =
      io::naming_picture(file, [&] { return io::image_functions().decoded(file, true).image; });
  const auto found =
      std::find_if(picture.notes.begin(), picture.notes.end(), [&](const auto& note) { return note.first == name; });
  return found == picture.notes.end() ? std::string() : found->second;
} catch (const core::MissingProgram&) {
  throw;
} catch (const core::Error&) {
  return {};
}

}  // namespace brisance::render
