#include "mesh/formats/polygon_soup.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/words.hpp"

#include "mesh/formats/group_lines.hpp"
#include "mesh/surface/triangulate_polygon.hpp"

#include <limits>

#include <spdlog/spdlog.h>

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

void require_within_limits(const PolygonSoup& soup, const std::filesystem::path& file) {
  if (soup.places.empty())
    throw core::Error(fmt::format("{}: holds no faces ({} vertices). Export a surface with faces.", file.string(),
                                  soup.points.size()));
  if (std::max(soup.points.size(), soup.corners.size()) > std::numeric_limits<std::int32_t>::max())
    throw core::Error(fmt::format("{}: more than 2^31 face corners. Simplify the surface.", file.string()));
}

/// Counts of what `to_surface` dropped.
struct Dropped {
  std::int64_t corners = 0, polygons = 0;
};

void report(const Dropped& dropped, const Surface& surface, const std::filesystem::path& file) {
  if (surface.triangles.empty())
    throw core::Error(
        fmt::format("{}: each of its {} has fewer than 3 corners at different places. Export a "
                    "surface with faces.",
                    file.string(), core::counted(dropped.polygons, "face")));
  if (dropped.corners + dropped.polygons > 0)
    spdlog::warn("{}: dropped {} that faces have twice, and {} with fewer than 3 others.", file.string(),
                 core::counted(dropped.corners, "corner"), core::counted(dropped.polygons, "face"));
}

}  // namespace

std::vector<std::size_t> outline_corners(const PolygonSoup& soup, std::size_t p) {
  std::vector<std::size_t> outline;
  const auto same_place = [&](std::size_t i, std::size_t j) {
    return soup.points[soup.corners[i]] == soup.points[soup.corners[j]];
  };
  for (std::size_t c = soup.first_corner[p]; c < soup.first_corner[p + 1]; ++c) {
    if (!outline.empty() && same_place(outline.back(), c)) continue;
    if (outline.size() > 1 && same_place(outline[outline.size() - 2], c))
      outline.pop_back();
    else
      outline.push_back(c);
  }
  while (outline.size() >= 3) {  // the same across the ends of the outline
    if (same_place(outline.front(), outline.back()) || same_place(outline.front(), outline[outline.size() - 2]))
      outline.pop_back();
    else if (same_place(outline[1], outline.back()))
      outline.erase(outline.begin());
    else
      break;
  }
  return outline;
}

Surface to_surface(PolygonSoup soup, const std::filesystem::path& file, const FailAt& fail) {
  require_within_limits(soup, file);
  Surface surface;
  Dropped dropped;
  for (std::size_t p = 0; p < soup.places.size(); ++p) {
    check_polygon(soup, p, fail);
    const std::vector<std::size_t> outline = outline_corners(soup, p);
    if (outline.size() < 3) {
      ++dropped.polygons;
      continue;
    }
    dropped.corners += static_cast<std::int64_t>(soup.first_corner[p + 1] - soup.first_corner[p] - outline.size());
    std::vector<std::int32_t> corners;
    for (const std::size_t c : outline) corners.push_back(static_cast<std::int32_t>(soup.corners[c]));
    for (const auto& triangle : triangulate_polygon(soup.points, corners)) {
      surface.triangles.push_back(triangle);
      surface.source_face.push_back(static_cast<std::int32_t>(p));
    }
  }
  surface.vertices = std::move(soup.points);
  surface.groups = std::move(soup.groups);
  keep_within_limits(surface.groups, file);
  report(dropped, surface, file);
  return surface;
}

}  // namespace brisance::mesh
