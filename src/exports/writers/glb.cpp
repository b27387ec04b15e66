/// GLB of a run: rigid pieces as nodes, or a mesh for each frame.
#include "exports/writers/glb_scene.hpp"
#include "exports/writers/origin.hpp"
#include "exports/writers/single_files.hpp"

#include <algorithm>
#include <map>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

/// Normals of the shape at rest from those in a frame, turned back.
std::vector<Vec3> rest_normals(const Surface& surface, const Eigen::Quaterniond& rotation) {
  std::vector<Vec3> normals;
  normals.reserve(surface.normals.size());
  for (const Vec3& n : surface.normals) normals.push_back(rotation.conjugate() * n);
  return normals;
}

/// Dust and crumbs are numbered apart.
using ParticleId = std::pair<bool, std::int64_t>;

std::string particle_name(const ParticleId& id) { return fmt::format("{}_{}", id.first ? "dust" : "crumb", id.second); }

/// Keyframes of one particle.
struct ParticleTrack {
  std::vector<Vec3> positions;
  std::vector<double> radii;  ///< 0 before it exists
};

/// Tracks by id; before its birth a particle waits where it will appear.
std::map<ParticleId, ParticleTrack> particle_tracks(const std::vector<std::vector<Particle>>& frames,
                                                    const Vec3& origin) {
  std::map<ParticleId, ParticleTrack> tracks;
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (const Particle& p : frames[f]) {
      ParticleTrack& track = tracks[{p.is_dust, p.id}];
      const Vec3 place = p.position - origin;
      track.positions.resize(f, track.positions.empty() ? place : track.positions.back());
      track.radii.resize(f, 0);
      track.positions.push_back(place);
      track.radii.push_back(p.radius_m);
    }
  for (auto& entry : tracks) {
    entry.second.positions.resize(frames.size(), entry.second.positions.back());
    entry.second.radii.resize(frames.size(), 0);
  }
  return tracks;
}

void add_particles(GlbScene& scene, const std::vector<std::vector<Particle>>& frames, const Vec3& origin, int times) {
  const std::map<ParticleId, ParticleTrack> tracks = particle_tracks(frames, origin);
  if (tracks.empty()) return;
  const int ball = scene.add_ball();
  for (const auto& entry : tracks) {
    const int node = scene.add_node(particle_name(entry.first), ball, Vec3::Zero(), {});
    scene.animate_translation(node, times, entry.second.positions);
    scene.animate_scale(node, times, entry.second.radii);
  }
}

/// Keyframes of a node that moves as a rigid body, `arm` from the point whose motion is given.
void animate(GlbScene& scene, int node, int times, const std::vector<std::vector<PieceMotion>>& motions,
             std::size_t row, const Vec3& arm, const Vec3& origin) {
  std::vector<Vec3> positions;
  std::vector<std::array<double, 4>> rotations;
  for (const auto& frame : motions) {
    Eigen::Quaterniond q = frame[row].rotation;
    // q and −q are the same rotation: takes the sign nearer to the keyframe before.
    if (!rotations.empty() && q.coeffs().dot(Eigen::Map<const Eigen::Vector4d>(rotations.back().data())) < 0)
      q.coeffs() *= -1;
    positions.push_back(frame[row].position + q * arm - origin);
    rotations.push_back({q.x(), q.y(), q.z(), q.w()});
  }
  scene.animate_translation(node, times, positions);
  scene.animate_rotation(node, times, rotations);
}

void add_colliders(GlbScene& scene, const RigidTracks& tracks, const Vec3& origin, int times) {
  for (std::size_t c = 0; c < tracks.colliders.size(); ++c) {
    const io::Collider& collider = tracks.colliders[c];
    if (collider.kind == "plane" || (collider.triangles.empty() && collider.kind != "sphere" && collider.kind != "box"))
      continue;
    const int node = scene.add_node(collider.name, scene.add_collider(collider), Vec3::Zero(), {});
    animate(scene, node, times, tracks.poses, c, Vec3::Zero(), origin);
  }
}

/// A mesh that is shown in frames first to end − 1, with a morph target for each but the first.
struct Shown {
  int node = 0, mesh = 0;
  std::size_t first = 0, end = 0;
  Surface topology;  ///< triangles, materials and texture alone

  Shown() = default;
  Shown(const Surface& s, std::size_t frame) : first(frame), end(frame + 1) {
    topology.triangles = s.triangles;
    topology.material = s.material;
    topology.texture = s.texture;
    topology.rest.resize(s.points.size());
  }
  [[nodiscard]] bool has_topology_of(const Surface& s) const {
    return topology.rest.size() == s.points.size() && topology.triangles == s.triangles &&
           topology.material == s.material && topology.texture == s.texture;
  }
};

/// The nodes of frames are named like their files.
std::string frame_name(const FragmentFrame& frame, const std::string& fragment) {
  return fmt::format("frame_{:06}_{}", frame.frame, fragment);
}

}  // namespace

void write_rigid_glb(const std::filesystem::path& file, const FragmentFrame& last, const RigidTracks& tracks) {
  Eigen::AlignedBox3d box;
  for (const PieceMotion& motion : tracks.motions.front()) box.extend(motion.position);
  for (const Fragment& f : last.fragments)
    for (const Vec3& x : f.surface.rest)
      box.extend(x - tracks.centres[static_cast<std::size_t>(f.piece)] +
                 tracks.motions.front()[static_cast<std::size_t>(f.piece)].position);
  const Vec3 origin = chosen_origin(box);
  GlbScene scene(last.materials, origin);
  const int times = scene.add_times(tracks.times_s);
  for (const Fragment& f : last.fragments) {
    const auto p = static_cast<std::size_t>(f.piece);
    const Surface& s = f.surface;
    const PieceMotion& final = tracks.motions.back()[p];
    // The node stands at the centre of mass.
    const Vec3 arm = final.rotation.conjugate() * (f.centre - final.position);
    const std::vector<Vec3> normals = rest_normals(s, final.rotation);
    const int mesh = scene.add_mesh(f.name, s, {s.rest, normals, Vec3(tracks.centres[p] + arm)});
    const int node = scene.add_node(f.name, mesh, Vec3::Zero(), {f.id, f.parent, f.mass_kg, f.volume_m3});
    animate(scene, node, times, tracks.motions, p, arm, origin);
  }
  add_colliders(scene, tracks, origin, times);
  add_particles(scene, tracks.particles, origin, times);
  scene.write(file);
}

void write_deforming_glb(const std::filesystem::path& file, const FrameSource& frames) {
  std::unique_ptr<GlbScene> scene;
  Vec3 origin = Vec3::Zero();
  std::vector<double> times_s;
  std::vector<std::vector<Particle>> particles;
  std::map<std::int64_t, Shown> shown;
  std::vector<Shown> past;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const FragmentFrame frame = frames.read(i);
    if (!scene) {
      Eigen::AlignedBox3d box;
      for (const Fragment& f : frame.fragments)
        for (const Vec3& x : f.surface.points) box.extend(x);
      origin = chosen_origin(box);
      scene = std::make_unique<GlbScene>(frame.materials, origin);
    }
    times_s.push_back(frame.time_s);
    particles.push_back(frame.particles);
    for (const Fragment& f : frame.fragments) {
      // What does not move has the pieces' own names and centres.
      const std::string name = frames.is_still() ? f.name : frame_name(frame, f.name);
      const Vec3 place = frames.is_still() ? f.centre : origin;
      const GlbScene::Vertices vertices{f.surface.points, f.surface.normals, place};
      const auto before = shown.find(f.id);
      if (before != shown.end() && before->second.end == i && before->second.has_topology_of(f.surface)) {
        scene->add_target(before->second.mesh, f.surface, vertices);
        ++before->second.end;
        continue;
      }
      if (before != shown.end()) past.push_back(std::move(before->second));
      Shown& now = shown[f.id] = Shown(f.surface, i);
      now.mesh = scene->add_mesh(name, f.surface, vertices);
      now.node = scene->add_node(name, now.mesh, Vec3(place - origin), {f.id, f.parent, f.mass_kg, f.volume_m3});
    }
  }
  for (auto& entry : shown) past.push_back(std::move(entry.second));
  if (frames.size() > 1) {
    const int times = scene->add_times(times_s);
    for (const Shown& one : past) {
      std::vector<double> scale(frames.size(), 0);
      std::fill(scale.begin() + static_cast<std::ptrdiff_t>(one.first),
                scale.begin() + static_cast<std::ptrdiff_t>(one.end), 1.0);
      scene->animate_scale(one.node, times, scale);
      if (one.end > one.first + 1) scene->animate_targets(one.node, times, frames.size(), one.first);
    }
    add_particles(*scene, particles, origin, times);
  }
  scene->write(file);
}

}  // namespace brisance::exports
