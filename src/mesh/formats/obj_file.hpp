/// Contents of a Wavefront OBJ file: polygons, the texture coordinates at their corners, materials and colours.
#pragma once

#include "mesh/formats/polygon_soup.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
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
  std::vector<std::string> materials;             ///< names of `usemtl`, each once, in the order of the file
  std::vector<std::int32_t> material_of_polygon;  ///< row of `materials`; -1 before the first `usemtl`
  std::vector<std::array<double, 3>> colours;     ///< of each point, as far as any has one; empty if none has
};

/// Throws core::Error "FILE:LINE: …" for words that are no numbers. Local.
/// @param with_texture  false: texture records, materials and colours are skipped unchecked
[[nodiscard]] ObjFile parse_obj(const std::filesystem::path& file, std::string_view bytes, bool with_texture);

/// The triangles of the polygons; errors name the polygon's line. Throws core::Error. Local.
[[nodiscard]] Surface surface_of(const ObjFile& obj, const std::filesystem::path& file);

}  // namespace brisance::mesh
