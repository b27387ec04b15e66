/// Rigid pieces for Houdini, and through Houdini Engine for Unreal.
#include "brisance/io/atomic_file.hpp"

#include "exports/skin/places.hpp"
#include "exports/writers/houdini_geo.hpp"
#include "exports/writers/rigid_files.hpp"
#include "exports/writers/up_axis.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

namespace {

Vec3 y_up(const Vec3& v) { return turned(v, Up::y); }

/// The surfaces of all pieces with their names and groups.
HoudiniGeo pieces_at_rest(const RigidScene& scene) {
  HoudiniGeo geo;
  GeoAttribute place{"P", "point", 3, {}, {}, false}, normal{"N", "normal", 3, {}, {}, false},
      texture{"uv", "texturecoord", 3, {}, {}, false}, name{"name", "", 1, {}, {}, false},
      first{"orig_name", "", 1, {}, {}, false}, material{"material", "", 1, {}, {}, false};
  GeoGroup inside{"inside", {}}, outside{"outside", {}};
  for (std::size_t f = 0; f < scene.last.fragments.size(); ++f) {
    const Fragment& fragment = scene.last.fragments[f];
    const Surface& s = fragment.surface;
    const std::vector<Vec3> normals = scene.rest_normals(f);
    // Vertices at one place are one point.
    std::unordered_map<Place, std::int64_t, HashOfPlace> points;
    std::vector<std::int64_t> point(s.rest.size());
    for (std::size_t i = 0; i < s.rest.size(); ++i) {
      const auto [entry, is_new] = points.try_emplace(place_of(s.rest[i]), geo.num_points);
      if (is_new) place.add(y_up(s.rest[i])), ++geo.num_points;
      point[i] = entry->second;
    }
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
      for (const std::int32_t corner : {s.triangles[t][0], s.triangles[t][2], s.triangles[t][1]}) {  // clockwise
        const auto i = static_cast<std::size_t>(corner);
        geo.corners.push_back(point[i]);
        normal.add(y_up(normals[i]));
        texture.add(s.texture.empty() ? Vec3(Vec3::Zero()) : Vec3(s.texture[i][0], s.texture[i][1], 0));
      }
      name.words.push_back(fragment.name);
      first.words.push_back(scene.first_name[f]);
      material.words.push_back(scene.last.materials[static_cast<std::size_t>(s.material[t])]);
      inside.members.push_back(s.kinds[t] == FaceKind::crack ? 1 : 0);
      outside.members.push_back(s.kinds[t] == FaceKind::crack ? 0 : 1);
    }
  }
  geo.of_points = {std::move(place)};
  geo.of_vertices = {std::move(normal), std::move(texture)};
  geo.of_primitives = {std::move(name), std::move(first), std::move(material)};
  geo.groups = {std::move(inside), std::move(outside)};
  return geo;
}

/// A point for each piece and particle of a frame.
HoudiniGeo points_in(const RigidScene& scene, std::size_t frame) {
  HoudiniGeo geo;
  GeoAttribute place{"P", "point", 3, {}, {}, false}, orient{"orient", "quaternion", 4, {}, {}, false},
      pivot{"pivot", "vector", 3, {}, {}, false}, v{"v", "vector", 3, {}, {}, false},
      w{"w", "vector", 3, {}, {}, false}, mass{"mass", "", 1, {}, {}, false}, radius{"pscale", "", 1, {}, {}, false},
      born{"birth", "", 1, {}, {}, false}, name{"name", "", 1, {}, {}, false}, first{"orig_name", "", 1, {}, {}, false};
  const auto add = [&](const Vec3& x, const Eigen::Quaterniond& turn, const Vec3& about, const Vec3& velocity,
                       const Vec3& spin) {
    place.add(y_up(x));
    const Eigen::Quaterniond q = turned(turn, Up::y);
    orient.numbers.insert(orient.numbers.end(), {q.x(), q.y(), q.z(), q.w()});
    pivot.add(y_up(about));
    v.add(y_up(velocity));
    w.add(y_up(spin));
    ++geo.num_points;
  };
  for (std::size_t f = 0; f < scene.last.fragments.size(); ++f) {
    const Fragment& fragment = scene.last.fragments[f];
    const auto [velocity, spin] = scene.velocities(frame, f);
    add(scene.motion(frame, f).position, scene.motion(frame, f).rotation, scene.centre(f), velocity, spin);
    mass.numbers.push_back(fragment.mass_kg);
    radius.numbers.push_back(0);
    born.numbers.push_back(scene.tracks.times_s.front());
    name.words.push_back(fragment.name);
    first.words.push_back(scene.first_name[f]);
  }
  for (const Particle& p : scene.tracks.particles[frame]) {
    add(p.position, Eigen::Quaterniond::Identity(), Vec3::Zero(), p.velocity, Vec3::Zero());
    mass.numbers.push_back(0);
    radius.numbers.push_back(p.radius_m);
    born.numbers.push_back(p.born_s);
    name.words.push_back(fmt::format("{}_{}", p.is_dust ? "dust" : "crumb", p.id));
    first.words.push_back(name.words.back());
  }
  geo.of_points = {std::move(place), std::move(orient), std::move(pivot), std::move(v),    std::move(w),
                   std::move(mass),  std::move(radius), std::move(born),  std::move(name), std::move(first)};
  return geo;
}

/// The bonds in a frame: two anchors each, at the middle of the crack on either piece.
HoudiniGeo constraints_in(const RigidScene& scene, std::size_t frame) {
  HoudiniGeo geo;
  geo.sides = 2;
  geo.is_closed = false;
  GeoAttribute place{"P", "point", 3, {}, {}, false}, name{"name", "", 1, {}, {}, false},
      first{"orig_name", "", 1, {}, {}, false}, kind{"constraint_name", "", 1, {}, {}, false},
      type{"constraint_type", "", 1, {}, {}, false}, strength{"strength", "", 1, {}, {}, false},
      area{"area", "", 1, {}, {}, false};
  GeoGroup broken{"broken", scene.is_broken[frame]};
  for (std::size_t k = 0; k < scene.bonds.size(); ++k) {
    const Bond& bond = scene.bonds[k];
    for (const std::size_t f : {bond.a, bond.b}) {
      geo.corners.push_back(static_cast<std::int64_t>(geo.num_points++));
      place.add(y_up(scene.placed(frame, f, bond.place)));
      name.words.push_back(scene.last.fragments[f].name);
      first.words.push_back(scene.first_name[f]);
    }
    kind.words.emplace_back("Glue");
    type.words.emplace_back("all");
    strength.numbers.push_back(scene.strength_n[k]);
    area.numbers.push_back(bond.area_m2);
  }
  geo.of_points = {std::move(place), std::move(name), std::move(first)};
  geo.of_primitives = {std::move(kind), std::move(type), std::move(strength), std::move(area)};
  geo.groups = {std::move(broken)};
  return geo;
}

std::filesystem::path geo_name(const std::filesystem::path& frame) { return frame.stem().string() + ".geo"; }

}  // namespace

std::vector<std::filesystem::path> houdini_files(const std::filesystem::path& folder,
                                                 const std::vector<std::filesystem::path>& frames) {
  std::vector<std::filesystem::path> files{folder / "pieces.geo"};
  for (const std::filesystem::path& frame : frames) {
    files.push_back(folder / "points" / geo_name(frame));
    files.push_back(folder / "constraints" / geo_name(frame));
  }
  return files;
}

void write_houdini(const std::filesystem::path& folder, const RigidScene& scene,
                   const std::vector<std::filesystem::path>& frames) {
  io::write_atomically(folder / "pieces.geo", geo_text(pieces_at_rest(scene)));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    io::write_atomically(folder / "points" / geo_name(frames[i]), geo_text(points_in(scene, i)));
    io::write_atomically(folder / "constraints" / geo_name(frames[i]), geo_text(constraints_in(scene, i)));
  }
}

void write_unreal(const std::filesystem::path& file, const RigidScene& scene) {
  HoudiniGeo geo = pieces_at_rest(scene);
  // A level needs the one above it: where all pieces are in clusters, the largest stands alone.
  std::vector<std::int32_t> cluster = scene.cluster;
  if (std::ranges::find(cluster, -1) == cluster.end()) {
    const auto largest = std::ranges::max_element(scene.last.fragments, {}, &Fragment::volume_m3);
    cluster[static_cast<std::size_t>(largest - scene.last.fragments.begin())] = -1;
  }
  GeoAttribute level{"unreal_gc_piece", "", 1, {}, {}, true}, group{"unreal_gc_cluster", "", 1, {}, {}, true},
      collection{"unreal_gc_name", "", 1, {}, {}, false};
  for (std::size_t f = 0; f < scene.last.fragments.size(); ++f)
    for (std::size_t t = 0; t < scene.last.fragments[f].surface.triangles.size(); ++t) {
      level.numbers.push_back(cluster[f] < 0 ? 1 : 2);
      group.numbers.push_back(cluster[f]);
      collection.words.push_back(file.stem().string());
    }
  for (GeoAttribute* a : {&level, &group, &collection}) geo.of_primitives.push_back(std::move(*a));
  io::write_atomically(file, geo_text(geo));
}

}  // namespace brisance::exports
