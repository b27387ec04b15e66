#include "mesh/polygon_soup.hpp"

#include "brisance/core/error.hpp"

#include "mesh/triangulate_polygon.hpp"

#include <limits>

#include <spdlog/fmt/fmt.h>

namespace brisance::mesh {
namespace {

void check_polygon(const PolygonSoup& soup, std::size_t p, const FailAt& fail) {
  const std::size_t begin = soup.first_corner[p], end = soup.first_corner[p + 1];
  if (end - begin < 3)
    fail(soup.places[p], fmt::format("the face has {} corners, it needs at least 3: the file is damaged or truncated. "
                                     "Export or copy it again.",
                                     end - begin));
  for (std::size_t c = begin; c < end; ++c)
    if (soup.corners[c] < 0 || soup.corners[c] >= static_cast<std::int64_t>(soup.points.size()))
      fail(soup.places[p],
           fmt::format("a corner of the face is not one of the file's {} vertices. Correct the index or "
                       "export the file again.",
                       soup.points.size()));
}

}  // namespace

Surface to_surface(PolygonSoup soup, const std::filesystem::path& file, const FailAt& fail) {
  const std::size_t num_polygons = soup.places.size();
  if (num_polygons == 0)
    throw core::Error(fmt::format("{}: holds no faces ({} vertices). Export a surface with faces.", file.string(),
                                  soup.points.size()));
  if (std::max(soup.points.size(), soup.corners.size()) > std::numeric_limits<std::int32_t>::max())
    throw core::Error(fmt::format("{}: more than 2^31 face corners. Simplify the surface.", file.string()));

  Surface surface;
  std::vector<std::int32_t> corners;
  for (std::size_t p = 0; p < num_polygons; ++p) {
    check_polygon(soup, p, fail);
    corners.assign(soup.corners.begin() + static_cast<std::ptrdiff_t>(soup.first_corner[p]),
                   soup.corners.begin() + static_cast<std::ptrdiff_t>(soup.first_corner[p + 1]));
    for (const auto& triangle : triangulate_polygon(soup.points, corners)) {
      surface.triangles.push_back(triangle);
      surface.source_face.push_back(static_cast<std::int32_t>(p));
    }
  }
  surface.vertices = std::move(soup.points);
  return surface;
}

}  // namespace brisance::mesh
