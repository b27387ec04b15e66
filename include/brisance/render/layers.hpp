/// Pictures with many channels, as compositing programs read them.
#pragma once

#include "brisance/io/layered_image.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace brisance::render {

using io::Channel;
using io::LayeredImage;
using io::Notes;
using io::read_layers;
using io::require_picture_files;

/// Writes an OpenEXR file, under a temporary name until complete. Throws core::Error if it cannot be written. Local.
void write_exr(const LayeredImage& image, const std::filesystem::path& file);

/// The note of that name in a picture file; empty if it has none, or if the file is missing or cannot be read. Local.
[[nodiscard]] std::string note_of(const std::filesystem::path& file, std::string_view name);

}  // namespace brisance::render
