/// The pieces of a run's last frame, followed through all frames.
#pragma once

#include "brisance/exports/fragments.hpp"

#include "exports/frames/piece_motions.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace brisance::exports {

struct RigidTracks {
  std::vector<double> times_s;
  std::vector<std::vector<PieceMotion>> motions;  ///< of each frame, of each piece by its number in the last frame
  std::vector<Vec3> centres;                      ///< at rest [m]
  std::vector<std::vector<Particle>> particles;   ///< of each frame
  std::vector<io::Collider> colliders;            ///< shapes, of the last frame
  std::vector<std::vector<PieceMotion>> poses;    ///< of the colliders in each frame
  double deviation = 0;                           ///< PieceMotions::largest_deviation
};

/// Nothing if the pieces leave their rigid shapes by more than `most_deviation`, more than `most_particles` of the
/// volume became particles, or the last frame has no pieces. At most three frames are in memory. Local; throws
/// core::Error as read_surface_frame.
[[nodiscard]] std::optional<RigidTracks> rigid_tracks(const std::vector<std::filesystem::path>& files,
                                                      double most_deviation, double most_particles);

}  // namespace brisance::exports
