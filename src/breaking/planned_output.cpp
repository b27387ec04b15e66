#include "brisance/breaking/planned_output.hpp"

#include "brisance/io/snapshot_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::breaking {

namespace {

constexpr std::int64_t kBytesAPoint = 16;             ///< in a GLB: a position and a colour
constexpr std::int64_t kBytesATriangle = 12;          ///< three indices
constexpr std::int64_t kBytesAMotion = 28;            ///< a translation and a quaternion
constexpr std::int64_t kTextOfANode = 2500;           ///< in the document: a node, its mesh, its accessors and channels
constexpr std::int64_t kBytesATriangleOfAFrame = 40;  ///< corners, tet and source

/// Number of multiples of the interval from 0 to the duration, and the end.
std::int64_t num_frames(double duration_s, double interval_s) {
  return static_cast<std::int64_t>(std::min(std::ceil(duration_s / interval_s * (1 - 1e-9)), 1e15)) + 1;
}

std::int64_t bytes_of_animation(const Debris& debris, std::int64_t num_keyframes) {
  const Debris::Surface& s = debris.surface();
  std::int64_t nodes = std::ssize(debris.pieces()), bytes = 0;
  // A point between both kinds of surface counts in each of them.
  bytes += 2 * kBytesAPoint * std::ssize(s.points) + kBytesATriangle * std::ssize(s.triangles);
  for (const DebrisCollider& collider : debris.colliders()) {
    ++nodes;
    constexpr std::int64_t kPointsOfABall = 300;
    bytes += kBytesAPoint * std::max(std::ssize(collider.obstacle.vertices), kPointsOfABall) +
             kBytesATriangle * std::max(std::ssize(collider.obstacle.triangles), 2 * kPointsOfABall);
  }
  return bytes + nodes * (kTextOfANode + num_keyframes * kBytesAMotion);
}

}  // namespace

PlannedOutput planned_output(const core::Comm& comm, const Debris& debris, const DebrisParameters& parameters,
                             const DebrisOutput& output) {
  PlannedOutput planned;
  io::SnapshotHeader header = debris.snapshot_header(0);
  header.scene = output.scene;
  planned.bytes_a_snapshot =
      io::snapshot_bytes(comm, header, comm.is_root() ? debris.snapshot_part() : io::SnapshotPart());
  const std::int64_t frames = num_frames(parameters.duration, parameters.frame_interval);
  planned.num_snapshots = (frames - 1) / parameters.snapshot_every + 2;
  if (parameters.snapshot_every == 1) planned.num_snapshots = frames;
  if (output.animation.empty()) return planned;
  planned.num_keyframes = frames + std::ssize(output.before);
  planned.animation_bytes = bytes_of_animation(debris, planned.num_keyframes);
  return planned;
}

PlannedOutput planned_output(const core::Comm& comm, const Playback& playback, const PlaybackParameters& parameters,
                             const std::string& scene) {
  PlannedOutput planned;
  io::SnapshotHeader header = playback.snapshot_header(0);
  header.scene = scene;
  const io::SnapshotPart part = comm.is_root() ? playback.snapshot_part() : io::SnapshotPart();
  planned.bytes_a_snapshot = io::snapshot_bytes(comm, header, part);
  planned.bytes_a_snapshot +=
      comm.max(kBytesATriangleOfAFrame * (playback.most_triangles() - std::ssize(part.boundary)) *
               static_cast<std::int64_t>(comm.is_root()));
  planned.num_snapshots = num_frames(parameters.duration, parameters.frame_interval);
  return planned;
}

}  // namespace brisance::breaking
