/// Frames of a run and the files of their pictures.
#pragma once

#include "brisance/render/render.hpp"

#include "render/film/run_pictures.hpp"

#include <filesystem>
#include <vector>

namespace brisance::render {

/// The chosen ones of a run's snapshots. Throws core::Error if there is none. Local.
[[nodiscard]] std::vector<std::filesystem::path> chosen(const std::vector<std::filesystem::path>& snapshots,
                                                        const PictureChoice& choice);

/// The pictures of these snapshots in `out`; empty: in the run's own folder. Local.
[[nodiscard]] std::vector<PictureFiles> picture_files_of(const std::vector<std::filesystem::path>& snapshots,
                                                         const std::filesystem::path& path,
                                                         const std::filesystem::path& out, const PictureChoice& choice);

/// Sets the time from each frame to the next, of the last from the one before, for motion blur.
/// @param snapshots  all of the run
/// Reads headers. Local; throws core::Error if there is one frame only, or times do not ascend.
void set_intervals(std::vector<PictureFiles>& pictures, const std::vector<std::filesystem::path>& snapshots);

/// Makes the folder of the pictures if it is missing. Local; throws core::Error if nothing can be written there.
void make_picture_folder(const std::filesystem::path& path, const std::filesystem::path& out);

}  // namespace brisance::render
