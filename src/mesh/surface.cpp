#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

double enclosed_volume_m3(const Surface& surface) {
  if (surface.vertices.empty()) return 0;
  // Cones to one vertex: their signed volumes add up to the inside, and a body far from the origin loses no digits.
  const Vec3& apex = surface.vertices[0];
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += (surface.vertices[a] - apex).cross(surface.vertices[b] - apex).dot(surface.vertices[c] - apex);
  return sum / 6;
}

}  // namespace brisance::mesh
