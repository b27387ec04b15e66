/// The interface to brisance_images.so, which reads and writes picture files through OpenImageIO. OpenImageIO has 260
/// libraries below it, whose loading takes 0.3 s: only a process that touches a picture pays for it.
#pragma once

#include "brisance/core/error.hpp"
#include "brisance/core/input_file.hpp"
#include "brisance/io/layered_image.hpp"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace brisance::io {

enum class PictureFormat : std::uint8_t { png, exr };

/// How numbers of a picture file relate to linear light.
struct Transfer {
  bool is_srgb = false;  ///< sRGB transfer curve
  float gamma = 1;       ///< else linear = value^gamma
};

/// A picture file in memory, with its numbers as stored: integers as shares of their largest value.
struct StoredPicture {
  LayeredImage image;
  Transfer transfer;
};

/// Functions of the module. Both throw std::runtime_error with a reason and no file name. Local.
struct ImageFunctions {
  /// The bytes of a file: PNG with 8 bits of the first three channels, as they are; EXR with all channels.
  std::string (*encoded)(const LayeredImage& image, PictureFormat format);
  /// Any format that OpenImageIO knows.
  /// @param only_notes  without pixels
  StoredPicture (*decoded)(const std::filesystem::path& file, bool only_notes);
};

/// Name of the file and of the function in it, which returns `const ImageFunctions*`. The number counts changes of this
/// interface.
inline constexpr const char* kImageModule = "brisance_images.so";
inline constexpr const char* kImageFunctions = "brisance_images_1";

/// Loads the module at the first call, and keeps it. Throws core::MissingProgram if it is not there, core::Error if it
/// cannot be loaded. Local, from any thread.
[[nodiscard]] const ImageFunctions& image_functions();

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

}  // namespace brisance::io
