/// Contents of a Wavefront OBJ file: polygons, and the texture coordinates at their corners.
#pragma once

#include "mesh/formats/polygon_soup.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace brisance::mesh {

inline constexpr std::int64_t kNoTextureCorner = -1;

struct ObjFile {
  PolygonSoup polygons;
  std::vector<std::array<double, 2>> texture_points;  ///< u, v
  /// For each entry of polygons.corners an index of texture_points, not yet checked; kNoTextureCorner where it has
  /// none.
  std::vector<std::int64_t> texture_corners;
};

/// Throws core::Error "FILE:LINE: …" for words that are no numbers. Local.
/// @param with_texture  false: texture records are skipped unchecked
[[nodiscard]] ObjFile parse_obj(const std::filesystem::path& file, std::string_view bytes, bool with_texture);

}  // namespace brisance::mesh
