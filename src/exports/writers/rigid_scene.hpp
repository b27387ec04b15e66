/// The pieces of a run's last frame with all that simulators ask of them: motion, bonds, clusters, names.
#pragma once

#include "exports/frames/rigid_tracks.hpp"
#include "exports/writers/bonds.hpp"
#include "exports/writers/frame_source.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brisance::exports {

struct RigidScene {
  FragmentFrame last;
  RigidTracks tracks;  ///< of pieces without motion one frame, at rest
  std::vector<Bond> bonds;
  std::vector<std::vector<char>> is_broken;  ///< of each frame, of each bond
  std::vector<std::string> first_name;       ///< of each fragment: the piece it was part of in the first frame
  std::vector<std::int32_t> cluster;         ///< of each fragment: pieces of one early break; −1: alone
  std::vector<double> strength_n;            ///< of each bond: the force that opens it [N]
  std::vector<std::string> notes;            ///< sentences for the user

  /// A point at rest of fragment f in a frame [m].
  [[nodiscard]] Vec3 placed(std::size_t frame, std::size_t f, const Vec3& rest) const;
  [[nodiscard]] const PieceMotion& motion(std::size_t frame, std::size_t f) const {
    return tracks.motions[frame][static_cast<std::size_t>(last.fragments[f].piece)];
  }
  [[nodiscard]] const Vec3& centre(std::size_t f) const {
    return tracks.centres[static_cast<std::size_t>(last.fragments[f].piece)];
  }
  /// Normals of a fragment at rest.
  [[nodiscard]] std::vector<Vec3> rest_normals(std::size_t f) const;
  /// Velocity [m/s] and angular velocity [rad/s] of fragment f, by differences of neighbouring frames.
  [[nodiscard]] std::pair<Vec3, Vec3> velocities(std::size_t frame, std::size_t f) const;
};

/// Crumbs and dust are particles of the tracks. Local; throws core::Error where the frames have no positions at rest or
/// no pieces.
[[nodiscard]] RigidScene rigid_scene(const FrameSource& frames, const ExportOptions& options);

/// Adds the crumbs of the last frame to the particles of all frames: each moves as a part of the piece that it was.
/// @param lives  times of birth
void add_crumbs(const FragmentFrame& last, RigidTracks& tracks);

}  // namespace brisance::exports
