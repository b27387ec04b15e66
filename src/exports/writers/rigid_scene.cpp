#include "rigid_scene.hpp"

#include "brisance/core/error.hpp"

#include "exports/scene_materials.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

/// Pieces that do not move: one frame in which they lie at rest.
RigidTracks still_tracks(const FragmentFrame& frame) {
  RigidTracks tracks;
  tracks.times_s = {frame.time_s};
  std::size_t count = 0;
  for (const Fragment& f : frame.fragments) count = std::max(count, static_cast<std::size_t>(f.piece) + 1);
  tracks.centres.assign(count, Vec3::Zero());
  for (const Fragment& f : frame.fragments) tracks.centres[static_cast<std::size_t>(f.piece)] = f.centre;
  tracks.motions.emplace_back();
  for (const Vec3& centre : tracks.centres) tracks.motions.front().push_back({centre, Eigen::Quaterniond::Identity()});
  tracks.particles = {frame.particles};
  tracks.poses.emplace_back();
  return tracks;
}

/// The piece that a piece was part of at a place in the run.
std::int64_t ancestor(const std::vector<PieceLife>& lives, std::int64_t id, std::size_t place) {
  for (const PieceLife* life = &lives[static_cast<std::size_t>(id)];
       life->first_frame > static_cast<std::int64_t>(place) && life->parent >= 0;
       life = &lives[static_cast<std::size_t>(id)])
    id = life->parent;
  return id;
}

/// Clusters are the pieces of the first frame that has at least √n of the n last ones.
std::vector<std::int32_t> clusters(const FragmentFrame& last, const FrameSource& frames) {
  const std::vector<PieceLife> lives = frames.pieces();
  const std::size_t count = last.fragments.size();
  std::vector<std::int32_t> cluster(count, -1);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    std::map<std::int64_t, std::vector<std::size_t>> members;
    for (std::size_t f = 0; f < count; ++f)
      members[ancestor(lives, last.fragments[f].id, frames.place(i))].push_back(f);
    if (members.size() * members.size() < count || members.size() < 2) continue;
    std::int32_t number = 0;
    for (const auto& entry : members) {
      if (entry.second.size() < 2) continue;
      for (const std::size_t f : entry.second) cluster[f] = number;
      ++number;
    }
    break;
  }
  return cluster;
}

}  // namespace

Vec3 RigidScene::placed(std::size_t frame, std::size_t f, const Vec3& rest) const {
  const PieceMotion& m = motion(frame, f);
  return m.rotation * (rest - centre(f)) + m.position;
}

std::vector<Vec3> RigidScene::rest_normals(std::size_t f) const {
  std::vector<Vec3> normals;
  const Eigen::Quaterniond back = motion(tracks.motions.size() - 1, f).rotation.conjugate();
  for (const Vec3& n : last.fragments[f].surface.normals) normals.push_back(back * n);
  return normals;
}

std::pair<Vec3, Vec3> RigidScene::velocities(std::size_t frame, std::size_t f) const {
  const std::size_t from = frame > 0 ? frame - 1 : 0, to = std::min(frame + 1, tracks.motions.size() - 1);
  const double span_s = tracks.times_s[to] - tracks.times_s[from];
  if (!(span_s > 0)) return {Vec3::Zero(), Vec3::Zero()};
  const PieceMotion &a = motion(from, f), &b = motion(to, f);
  const Eigen::AngleAxisd turn(b.rotation * a.rotation.conjugate());
  return {(b.position - a.position) / span_s, turn.axis() * (turn.angle() / span_s)};
}

void add_crumbs(const FragmentFrame& last, RigidTracks& tracks) {
  for (const Particle& crumb : last.particles) {
    if (crumb.is_dust || crumb.piece < 0) continue;
    const auto p = static_cast<std::size_t>(crumb.piece);
    if (p >= tracks.centres.size()) continue;
    const Vec3 arm =
        tracks.motions.back()[p].rotation.conjugate() * (crumb.position - tracks.motions.back()[p].position);
    std::vector<Vec3> places;
    for (const auto& motions : tracks.motions) places.push_back(motions[p].position + motions[p].rotation * arm);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t from = i > 0 ? i - 1 : 0, to = std::min(i + 1, places.size() - 1);
      const double span_s = tracks.times_s[to] - tracks.times_s[from];
      Particle particle = crumb;
      particle.position = places[i];
      if (span_s > 0) particle.velocity = (places[to] - places[from]) / span_s;
      tracks.particles[i].push_back(particle);
    }
  }
}

RigidScene rigid_scene(const FrameSource& frames, const ExportOptions& options) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  constexpr double kUnknownStrength = 1e6;
  if (!frames.has_rest())
    throw core::Error(frames.files().front().string() +
                      " has no positions at rest, by which bonds and motions of pieces are found. Run with "
                      "rest_position in output.fields.");
  RigidScene scene;
  scene.last = frames.read(frames.size() - 1);
  if (scene.last.fragments.empty())
    throw core::Error(frames.files().back().string() + " has no pieces: nothing can be exported.");
  if (frames.is_file_of_pieces()) {
    scene.tracks = still_tracks(scene.last);
  } else {
    std::optional<RigidTracks> tracks = rigid_tracks(frames.files(), kAny, kAny);
    if (!tracks) throw core::Error(frames.files().back().string() + " has no pieces: nothing can be exported.");
    scene.tracks = std::move(*tracks);
    add_crumbs(scene.last, scene.tracks);
    if (scene.tracks.deviation > kLargestDeviation)
      scene.notes.push_back(fmt::format(
          "pieces bend by up to {:.2g} % of the object's diagonal: they are written as rigid bodies all the same.",
          100 * scene.tracks.deviation));
  }
  scene.bonds = bonds_of(scene.last);
  const std::vector<PieceLife> lives = frames.pieces();
  for (std::size_t i = 0; i < scene.tracks.motions.size(); ++i) {
    scene.is_broken.emplace_back();
    for (const Bond& bond : scene.bonds)
      scene.is_broken.back().push_back(!frames.is_file_of_pieces() &&
                                       ancestor(lives, scene.last.fragments[bond.a].id, frames.place(i)) !=
                                           ancestor(lives, scene.last.fragments[bond.b].id, frames.place(i)));
  }
  for (const Fragment& f : scene.last.fragments) {
    const auto first = static_cast<std::size_t>(ancestor(lives, f.id, 0));
    scene.first_name.push_back(lives[first].name);
  }
  scene.cluster = clusters(scene.last, frames);
  double strength_pa = options.strength_pa > 0 ? options.strength_pa : lowest_strength_pa(frames.scene());
  if (!(strength_pa > 0)) {
    strength_pa = kUnknownStrength;
    scene.notes.push_back("the scene has no strength_pa: bonds hold 1e6 Pa. Give another one by --strength.");
  }
  for (const Bond& bond : scene.bonds) scene.strength_n.push_back(strength_pa * bond.area_m2);
  return scene;
}

}  // namespace brisance::exports
