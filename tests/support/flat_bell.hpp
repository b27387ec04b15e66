/// A flat dumb-bell.
#pragma once

#include "brisance/mesh/plane/plane_mesh.hpp"

#include <cstdint>

namespace brisance::test {

/// Unit squares in the plane z = 2, two triangles each: 3×3 of them and 4×3, joined by one. Area 22, neck 1 wide.
inline mesh::PlaneMesh flat_bell() {
  mesh::PlaneMesh bell;
  mesh::Surface& surface = bell.surface;
  for (int y = 0; y <= 3; ++y)
    for (int x = 0; x <= 8; ++x) surface.vertices.emplace_back(x, y, 2);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 8; ++x) {
      if (x == 3 && y != 1) continue;
      const std::int32_t a = 9 * y + x;
      surface.triangles.push_back({a, a + 1, a + 10});
      surface.triangles.push_back({a, a + 10, a + 9});
      surface.source_face.insert(surface.source_face.end(), {8 * y + x, 8 * y + x});
    }
  return bell;
}

}  // namespace brisance::test
