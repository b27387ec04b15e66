/// Picture files on disk: complete under their names, and errors that name them.
#pragma once

#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"

#include "image_module.hpp"

namespace brisance::render {

/// Runs `read` on a picture file; an error inside becomes a core::Error that names the file. Local.
template <class Read>
auto naming_picture(const std::filesystem::path& file, const Read& read) {
  core::require_regular_file(file, "Give the path of a picture.");
  try {
    return read();
  } catch (const core::Error&) {  // the module cannot be loaded
    throw;
  } catch (const std::runtime_error& e) {
    throw core::Error("cannot read the picture " + file.string() + ": " + e.what() +
                      ". Is it a whole picture, of a format that OpenImageIO reads?");
  }
}

/// Writes a picture under a temporary name until it is complete. Local; throws core::Error.
void write_picture(const LayeredImage& image, PictureFormat format, const std::filesystem::path& file);

}  // namespace brisance::render
