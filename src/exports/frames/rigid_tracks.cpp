#include "rigid_tracks.hpp"

#include "brisance/core/error.hpp"

#include "exports/frames/plain_fragments.hpp"

namespace brisance::exports {

std::optional<RigidTracks> rigid_tracks(const std::vector<std::filesystem::path>& files, double most_deviation,
                                        double most_particles) {
  const SurfaceFrame last = read_surface_frame(files.back(), io::ReadColumns::motion);
  if (last.triangles.empty() || particle_share(last) > most_particles) return std::nullopt;
  PieceMotions pieces(last, read_surface_frame(files.front(), io::ReadColumns::motion));
  RigidTracks tracks;
  tracks.centres = pieces.centres();
  tracks.colliders = last.colliders;
  for (const std::filesystem::path& file : files) {
    const SurfaceFrame frame = read_surface_frame(file, io::ReadColumns::motion);
    tracks.times_s.push_back(frame.time_s);
    tracks.motions.push_back(pieces.in(frame).motion);
    tracks.poses.emplace_back();
    for (const io::Collider& c : frame.colliders)
      tracks.poses.back().push_back(
          {c.centre, Eigen::Quaterniond(c.orientation[0], c.orientation[1], c.orientation[2], c.orientation[3])});
    if (tracks.poses.back().size() != tracks.colliders.size())
      throw core::Error(file.string() + " has other colliders than the last frame. Is it of another run?");
    tracks.particles.push_back(particles_of(frame.dust));
    tracks.deviation = pieces.largest_deviation();
    if (tracks.deviation > most_deviation) return std::nullopt;
  }
  return tracks;
}

}  // namespace brisance::exports
