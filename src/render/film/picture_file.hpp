/// Picture files on disk, complete under their names.
#pragma once

#include "brisance/io/image_module.hpp"
#include "brisance/render/layers.hpp"

namespace brisance::render {

/// Writes a picture under a temporary name until it is complete. Local; throws core::Error.
void write_picture(const LayeredImage& image, io::PictureFormat format, const std::filesystem::path& file);

}  // namespace brisance::render
