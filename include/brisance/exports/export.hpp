/// Files for other programs: frames of a run, playback or file of pieces in their formats.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/exports/fragments.hpp"
#include "brisance/exports/report.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace brisance::exports {

/// docs/EXPORTS.md says what each format holds.
enum class Format : std::uint8_t { glb, usda, obj, ply, vtp, blender, paraview };
enum class Up : std::uint8_t { z, y };

/// Is the result one file, or a folder of them?
[[nodiscard]] constexpr bool is_one_file(Format format) {
  return format == Format::glb || format == Format::usda || format == Format::paraview;
}

struct ExportOptions {
  Format format = Format::glb;
  Up up = Up::z;                      ///< of the files; GLB's is y by its standard
  Motion motion = Motion::automatic;  ///< of formats of one file
  std::size_t first = 0, end = std::numeric_limits<std::size_t>::max(), step = 1;  ///< frames, by their places
  FragmentOptions fragments;
};

struct ExportFacts {
  std::size_t num_frames = 0, num_files = 0, num_pieces = 0;  ///< pieces of the last frame
  bool is_rigid = false;                                      ///< of formats of one file
  std::uintmax_t bytes = 0;
  std::vector<std::string> notes;  ///< sentences for the user
};

/// Files that an export writes, for checks before any work. Local; throws core::Error if there are no such frames.
[[nodiscard]] std::vector<std::filesystem::path> export_files(const std::filesystem::path& input,
                                                              const std::filesystem::path& out,
                                                              const ExportOptions& options);

/// Writes `out`: a file, or a folder, which is made. Each file appears when it is complete. Ranks share the frames of
/// formats of many files; rank 0 writes the others. Collective; throws core::Error on all ranks.
ExportFacts export_run(const core::Comm& comm, const std::filesystem::path& input, const std::filesystem::path& out,
                       const ExportOptions& options);

}  // namespace brisance::exports
