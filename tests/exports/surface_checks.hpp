/// What tests ask of fragments' surfaces.
#pragma once

#include "brisance/exports/fragments.hpp"

#include <array>
#include <map>
#include <utility>

namespace brisance::exports::test {

/// Number of edges that do not run as often one way as the other, by places at rest.
inline std::int64_t num_open_edges(const Surface& surface) {
  using Place = std::array<double, 3>;
  std::map<std::pair<Place, Place>, int> balance;
  const auto place = [&](std::int32_t v) {
    const Vec3& x = surface.rest[v];
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

/// Area at rest of the triangles of a kind [m²].
inline double area_m2(const Surface& surface, FaceKind kind) {
  double area = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (surface.kinds[t] != kind) continue;
    const auto& [a, b, c] = surface.triangles[t];
    area += (surface.rest[b] - surface.rest[a]).cross(surface.rest[c] - surface.rest[a]).norm() / 2;
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
