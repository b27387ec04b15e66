#include "exports/skin/input_skin.hpp"

#include "brisance/core/error.hpp"
#include "brisance/mesh/formats/face_appearance.hpp"
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/formats/texture.hpp"
#include "brisance/mesh/surface/clean.hpp"

#include "exports/skin/places.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>

#include <spdlog/spdlog.h>

namespace brisance::exports {
namespace {

/// Numbers materials by their names; faces without one are "outside".
class Materials {
public:
  explicit Materials(const mesh::FaceAppearance& appearances) : appearance_(appearances) {}

  [[nodiscard]] std::int32_t of_face(std::int32_t face) {
    const std::string name = name_of(face);
    const auto found = std::ranges::find(names_, name);
    const auto row = static_cast<std::int32_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(name);
    return row;
  }
  [[nodiscard]] std::vector<std::string> names() const { return names_; }

private:
  [[nodiscard]] std::string name_of(std::int32_t face) const {
    const std::int32_t row = appearance_.material_of(face);
    return row == mesh::kNoMaterial ? "outside" : appearance_.materials()[static_cast<std::size_t>(row)];
  }

  const mesh::FaceAppearance& appearance_;
  std::vector<std::string> names_;
};

/// Warns of coordinates that no texture can mean.
void check_texture(const std::filesystem::path& file, const InputSkin& skin) {
  constexpr double kFar = 1e4;
  std::size_t num_far = 0;
  for (const auto& corners : skin.appearances)
    for (const Appearance& appearance : corners)
      if (std::max(std::abs(appearance.texture[0]), std::abs(appearance.texture[1])) > kFar) ++num_far;
  if (num_far > 0)
    spdlog::warn("{}: {} corners have texture coordinates beyond {:g}; they are kept as they are.", file.string(),
                 num_far, kFar);
}

}  // namespace

void Net::find_edges() {
  std::unordered_map<std::uint64_t, std::int32_t> known;
  known.reserve(2 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Triangle& of = edges_of.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      std::int32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      const std::uint64_t key =
          (static_cast<std::uint64_t>(std::min(a, b)) << 32) | static_cast<std::uint32_t>(std::max(a, b));
      const auto [at, is_new] = known.try_emplace(key, static_cast<std::int32_t>(edges.size()));
      if (is_new) {
        if (is_lower(points[b], points[a]) || (!is_lower(points[a], points[b]) && b < a)) std::swap(a, b);
        edges.push_back({a, b});
        triangles_at.emplace_back();
      }
      of[k] = at->second;
      triangles_at[static_cast<std::size_t>(at->second)].push_back(static_cast<std::int32_t>(t));
    }
  }
}

std::array<Vec3, 3> Net::corners(std::int32_t triangle) const {
  const auto& [a, b, c] = triangles[static_cast<std::size_t>(triangle)];
  return {points[a], points[b], points[c]};
}

Vec3 Net::area_vector(std::int32_t triangle) const {
  const auto [a, b, c] = corners(triangle);
  return (b - a).cross(c - a);
}

std::vector<std::array<Vec3, 3>> corner_normals(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                                double crease_deg) {
  std::vector<Vec3> flat;
  std::vector<std::array<double, 3>> angles;
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> around(points.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& corner = triangles[t];
    flat.push_back((points[corner[1]] - points[corner[0]]).cross(points[corner[2]] - points[corner[0]]).normalized());
    auto& angle = angles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = points[corner[(k + 1) % 3]] - points[corner[k]],
                 v = points[corner[(k + 2) % 3]] - points[corner[k]];
      angle[k] = std::atan2(u.cross(v).norm(), u.dot(v));
      around[static_cast<std::size_t>(corner[k])].emplace_back(static_cast<std::int32_t>(t),
                                                               static_cast<std::int32_t>(k));
    }
  }
  const double least = std::cos(crease_deg * std::numbers::pi / 180);
  std::vector<std::array<Vec3, 3>> normals(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 sum = Vec3::Zero();
      for (const auto& [other, corner] : around[static_cast<std::size_t>(triangles[t][k])])
        if (flat[other].dot(flat[t]) >= least) sum += angles[other][corner] * flat[other];
      const double length = sum.norm();
      normals[t][k] = length > 0 ? Vec3(sum / length) : flat[t];
    }
  return normals;
}

InputSkin read_input_skin(const io::PlacedObject& object, double crease_deg) {
  mesh::CleanReport cleaned;
  const mesh::Surface raw = mesh::read_surface(object.file);
  std::map<std::array<double, 3>, Vec3> in_file;  // the place in the file of a scaled vertex
  mesh::Surface scaled = raw;
  for (Vec3& x : scaled.vertices) {
    const Vec3 before = x;
    x *= object.scale;
    in_file.try_emplace({x.x(), x.y(), x.z()}, before);
  }
  const mesh::Surface surface = mesh::clean(std::move(scaled), cleaned);
  const mesh::Texture texture = mesh::Texture::read(object.file, object.scale);
  const mesh::FaceAppearance of_faces = mesh::FaceAppearance::read(object.file);

  InputSkin skin;
  skin.name = object.name;
  skin.has_texture = !texture.empty();
  skin.has_colours = of_faces.has_colours();
  skin.net.triangles = surface.triangles;
  const bool is_turned = object.rotation != Mat3::Identity();
  for (const Vec3& x : surface.vertices)
    skin.net.points.push_back((is_turned ? Vec3(object.rotation * x) : x) + object.shift);
  skin.net.find_edges();
  Materials materials(of_faces);
  const auto normals = corner_normals(skin.net.points, skin.net.triangles, crease_deg);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const std::int32_t face = surface.source_face[t];
    skin.material.push_back(materials.of_face(face));
    auto& corners = skin.appearances.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& x = surface.vertices[surface.triangles[t][k]];
      corners[k].normal = normals[t][k];
      if (skin.has_texture) corners[k].texture = texture.at(face, x);
      const auto place = in_file.find({x.x(), x.y(), x.z()});
      if (skin.has_colours && place != in_file.end()) corners[k].colour = of_faces.colour_at(place->second);
    }
  }
  skin.materials = materials.names();
  if (skin.materials.empty()) throw core::Error(object.file.string() + " has no triangle with an area.");
  check_texture(object.file, skin);
  return skin;
}

}  // namespace brisance::exports
