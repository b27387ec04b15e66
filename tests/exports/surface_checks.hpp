/// What tests ask of fragments' surfaces.
#pragma once

#include "brisance/exports/fragments.hpp"
#include "brisance/mesh/surface.hpp"

#include "exports/skin/triangle_search.hpp"

#include <array>
#include <map>
#include <utility>

namespace brisance::exports::test {

/// Number of edges that do not run as often one way as the other, by places at rest or now.
inline std::int64_t num_open_edges(const Surface& surface, const std::vector<Vec3>& points) {
  using Place = std::array<double, 3>;
  std::map<std::pair<Place, Place>, int> balance;
  const auto place = [&](std::int32_t v) {
    const Vec3& x = points[v];
    return Place{x.x() + 0.0, x.y() + 0.0, x.z() + 0.0};
  };
  for (const auto& triangle : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Place a = place(triangle[k]), b = place(triangle[(k + 1) % 3]);
      if (a < b) ++balance[{a, b}];
      if (b < a) --balance[{b, a}];
    }
  std::int64_t open = 0;
  for (const auto& [edge, sum] : balance) open += sum != 0 ? 1 : 0;
  return open;
}

/// Area at rest of the outside; of parts that face into the input, below 0 [m²].
inline double signed_outside_m2(const Surface& surface, const mesh::Surface& input, const TriangleSearch& search) {
  double area = 0;
  const auto twice_area = [](const std::vector<Vec3>& x, const Triangle& t) {
    return Vec3((x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]));
  };
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (surface.kinds[t] != FaceKind::outside) continue;
    const auto& [a, b, c] = surface.triangles[t];
    const auto below = search.nearest((surface.rest[a] + surface.rest[b] + surface.rest[c]) / 3).triangle;
    area += twice_area(surface.rest, surface.triangles[t])
                .dot(twice_area(input.vertices, input.triangles[below]).normalized()) /
            2;
  }
  return area;
}

/// Volume that a surface encloses, at rest or now [m³].
inline double volume_m3(const Surface& surface, const std::vector<Vec3>& points) {
  double volume = 0;
  for (const auto& [a, b, c] : surface.triangles) volume += points[a].dot(points[b].cross(points[c])) / 6;
  return volume;
}

}  // namespace brisance::exports::test
