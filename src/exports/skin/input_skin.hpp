/// An object's input surface where it was at rest, with all that a picture needs of it.
#pragma once

#include "brisance/io/objects_file.hpp"
#include "brisance/mesh/surface.hpp"

#include "exports/skin/triangle_search.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace brisance::exports {

/// The appearance of a corner of a triangle. Linear in between.
struct Appearance {
  Vec3 normal = Vec3::Zero();  ///< unit at corners
  std::array<double, 2> texture{0, 0};
  std::array<double, 3> colour{1, 1, 1};
};

/// Triangles welded into a surface, with their edges.
struct Net {
  std::vector<Vec3> points;  ///< [m]
  std::vector<Triangle> triangles;
  std::vector<std::array<std::int32_t, 2>> edges;       ///< two points each, the first of lower coordinates
  std::vector<Triangle> edges_of;                       ///< of each triangle: from corner k to corner k + 1
  std::vector<std::vector<std::int32_t>> triangles_at;  ///< of each edge

  /// Finds the edges of `triangles`.
  void find_edges();
  [[nodiscard]] std::array<Vec3, 3> corners(std::int32_t triangle) const;
  /// Twice the area, in the direction of the outward normal [m²].
  [[nodiscard]] Vec3 area_vector(std::int32_t triangle) const;
};

struct InputSkin {
  std::string name;
  Net net;
  std::vector<std::array<Appearance, 3>> appearances;  ///< of each triangle's corners
  std::vector<std::int32_t> material;                  ///< of each triangle, a row of `materials`
  std::vector<std::string> materials;                  ///< never empty
  bool has_texture = false, has_colours = false;
};

/// Outward unit normals of each triangle's corners: the mean over those around the corner that turn by less than the
/// angle against it, weighted by their angles.
[[nodiscard]] std::vector<std::array<Vec3, 3>> corner_normals(std::span<const Vec3> points,
                                                              std::span<const Triangle> triangles, double crease_deg);

/// Reads a surface as runs read it (mesh::clean), with texture coordinates, colours and materials. Throws core::Error.
/// Local.
[[nodiscard]] InputSkin read_input_skin(const io::PlacedObject& object, double crease_deg);

}  // namespace brisance::exports
