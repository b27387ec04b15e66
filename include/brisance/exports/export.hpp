/// Files for other programs: frames of a run, playback or file of pieces in their formats.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/exports/fragments.hpp"
#include "brisance/exports/report.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace brisance::exports {

/// docs/EXPORTS.md says what each format holds.
enum class Format : std::uint8_t { glb, usda, obj, ply, vtp, blender, paraview, houdini, unreal, vat };
enum class Up : std::uint8_t { z, y };

/// Is the result one file, or a folder of them?
[[nodiscard]] constexpr bool is_one_file(Format format) {
  return format == Format::glb || format == Format::usda || format == Format::paraview || format == Format::unreal;
}

/// Numbers of a picture, row by row from the top left, channels of a pixel together.
struct FloatImage {
  int width = 0, height = 0;
  std::vector<std::string> channels;
  std::vector<float> values;
};
/// Writes an OpenEXR file with 32 bits a number, which appears when it is complete. Throws core::Error.
using WriteImage = std::function<void(const FloatImage& image, const std::filesystem::path& file)>;

struct ExportOptions {
  Format format = Format::glb;
  Up up = Up::z;                      ///< of the files; GLB's is y by its standard
  Motion motion = Motion::automatic;  ///< of formats of one file
  std::size_t first = 0, end = std::numeric_limits<std::size_t>::max(), step = 1;  ///< frames, by their places
  FragmentOptions fragments;
  bool with_bonds = false;  ///< of usda: pieces are bodies with joints for simulators, without motion
  double strength_pa = 0;   ///< of bonds; 0: the lowest strength_pa of the scene, or 1 MPa [Pa]
  WriteImage write_image;   ///< for vat
};

/// Is the result of rigid pieces and their bonds, whatever their motion?
[[nodiscard]] inline bool is_of_bodies(const ExportOptions& options) {
  return options.format == Format::houdini || options.format == Format::unreal || options.format == Format::vat ||
         (options.format == Format::usda && options.with_bonds);
}

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
