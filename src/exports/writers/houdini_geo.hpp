/// Geometry in Houdini's JSON text (.geo).
#pragma once

#include "brisance/core/types.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace brisance::exports {

/// A column over points, vertices or primitives: numbers, or words.
struct GeoAttribute {
  std::string name;
  std::string kind;                ///< how it transforms: point, vector, normal, quaternion, texturecoord; or empty
  std::size_t width = 1;           ///< numbers in each row
  std::vector<double> numbers;     ///< row by row
  std::vector<std::string> words;  ///< of each row, instead of numbers
  bool is_integer = false;

  void add(const Vec3& v) { numbers.insert(numbers.end(), {v.x(), v.y(), v.z()}); }
};

struct GeoGroup {
  std::string name;
  std::vector<char> members;  ///< of each primitive
};

/// Primitives are polygons with `sides` corners each, closed, or open: curves.
struct HoudiniGeo {
  std::size_t num_points = 0, sides = 3;
  bool is_closed = true;
  std::vector<std::int64_t> corners;  ///< points of all vertices
  std::vector<GeoAttribute> of_points, of_vertices, of_primitives;
  std::vector<GeoGroup> groups;  ///< of primitives

  [[nodiscard]] std::size_t num_primitives() const { return corners.size() / sides; }
  /// Appends an attribute and returns it, valid until the next one of its list.
  static GeoAttribute& column(std::vector<GeoAttribute>& list, std::string name, std::size_t width = 1,
                              std::string kind = "");
};

/// The file's contents. Local; does not throw.
[[nodiscard]] std::string geo_text(const HoudiniGeo& geo);

}  // namespace brisance::exports
