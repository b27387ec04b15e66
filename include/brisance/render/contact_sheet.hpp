/// A contact sheet: a run at a glance, its pictures side by side in one.
#pragma once

#include <filesystem>
#include <span>

namespace brisance::render {

struct SheetOptions {
  int columns = 4;
  int tile_width = 480;   ///< [pixels]; height follows from the first picture
  int max_pictures = 12;  ///< more are thinned evenly; the first and the last always stay
  int gap = 6;            ///< [pixels]
};

/// Writes the sheet as a PNG. Local; throws core::Error if there is no picture, one cannot be read, or the sheet cannot
/// be written.
void write_contact_sheet(std::span<const std::filesystem::path> pictures, const std::filesystem::path& sheet,
                         const SheetOptions& options = {});

}  // namespace brisance::render
