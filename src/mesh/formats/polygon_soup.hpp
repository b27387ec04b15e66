/// Common result of all surface readers: points and polygons, each with its place in the file.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace brisance::mesh {

/// Polygons of a file, before their corners are checked. Polygon p has corners [first_corner[p], first_corner[p + 1]).
struct PolygonSoup {
  std::vector<Vec3> points;           ///< [m]
  std::vector<std::int64_t> corners;  ///< 0-based indices of points
  std::vector<std::size_t> first_corner{0};
  std::vector<std::int64_t> places;  ///< line, or byte, of each polygon
  Groups groups = {};                ///< of_source is indexed by polygons; shorter where the last ones have none

  void end_polygon(std::int64_t place) {
    first_corner.push_back(corners.size());
    places.push_back(place);
  }
  /// The same for a polygon with a group, or kNoGroup.
  void end_polygon(std::int64_t place, std::int32_t group) {
    if (group != kNoGroup) groups.of_source.resize(places.size(), kNoGroup), groups.of_source.push_back(group);
    end_polygon(place);
  }
};

/// Throws the error for a place in the file: `fail_at_line` or `fail_at_byte`.
using FailAt = std::function<void(std::int64_t place, std::string_view message)>;

/// The corners of polygon p that bound an area, as positions in soup.corners: of equal successive corners the first,
/// and no corner at which the outline reverses. Fewer than three: the polygon has no area. Corners are valid indices of
/// points. Local; does not throw.
[[nodiscard]] std::vector<std::size_t> outline_corners(const PolygonSoup& soup, std::size_t p);

/// Checks corners and counts, then triangulates. Repeated corners are dropped (`outline_corners`), and so are polygons
/// with fewer than three remaining, with a warning in the log that counts them. Errors at a polygon go through `fail`.
/// Throws core::Error. Local.
[[nodiscard]] Surface to_surface(PolygonSoup soup, const std::filesystem::path& file, const FailAt& fail);

}  // namespace brisance::mesh
