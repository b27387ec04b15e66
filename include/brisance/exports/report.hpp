/// A run as one HTML file that needs nothing else: animated pieces, charts and the scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace brisance::exports {

/// How the pieces are stored in a page.
enum class Motion : std::uint8_t {
  automatic,  ///< rigid, unless more than kLargestDeviation or kLargestParticleShare
  rigid,      ///< the pieces of the last frame, with a position and a rotation for each frame
  deforming,  ///< the surface of each frame
};

/// Of nodes from rigid shapes, over the object's diagonal.
inline constexpr double kLargestDeviation = 0.01;
/// Of the volume, become particles: rigid pieces of the last frame have holes where these were.
inline constexpr double kLargestParticleShare = 0.002;

struct ReportOptions {
  std::filesystem::path javascript = "/usr/share/javascript";  ///< folder of three.js and Chart.js
  double most_mb = 12;  ///< bound on the data of the moving surface; frames are left out to keep it [MB]
  Motion motion = Motion::automatic;
};

struct ReportFacts {
  std::size_t num_frames = 0, frames_shown = 0, num_pieces = 0;
  bool is_rigid = true;
  double deviation = 0;  ///< from rigid pieces, of the object's diagonal
  std::uintmax_t bytes = 0;
};

/// Writes the page of a run or playback atomically. Local; throws core::Error if a frame cannot be read, a library is
/// missing, or the page cannot be written.
ReportFacts write_report(const std::filesystem::path& run, const std::filesystem::path& out,
                         const ReportOptions& options);

}  // namespace brisance::exports
