/// A contact sheet: the pictures of a run side by side in one picture.
#pragma once

#include "brisance/render/image.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace brisance::render {

struct SheetOptions {
  int columns = 4;
  int tile_width = 480;   ///< [pixels]; height follows from the first picture
  int max_pictures = 12;  ///< more are thinned evenly; the first and the last are always kept
  int gap = 6;            ///< [pixels]
};

/// Throws core::Error unless columns, pictures and width are positive. Local.
void check(const SheetOptions& options);

/// The pictures shown out of `total`, ascending. Local.
[[nodiscard]] std::vector<std::size_t> chosen_for_sheet(std::size_t total, const SheetOptions& options);

/// The sheet of these pictures, each tile_width wide and as high as the first. Local.
[[nodiscard]] Image arrange_tiles(std::span<const Image> tiles, const SheetOptions& options);

/// Writes the sheet as a PNG. Local; throws core::Error if there is no picture, one cannot be read, or the sheet cannot
/// be written.
void write_contact_sheet(std::span<const std::filesystem::path> pictures, const std::filesystem::path& sheet,
                         const SheetOptions& options = {});

}  // namespace brisance::render
