#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

double enclosed_volume_m3(const Surface& surface) {
  if (surface.vertices.empty()) return 0;
  // Signed volumes of cones to one vertex add up to the enclosed volume, without loss of digits far from the origin.
  const Vec3& apex = surface.vertices[0];
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += (surface.vertices[a] - apex).cross(surface.vertices[b] - apex).dot(surface.vertices[c] - apex);
  return sum / 6;
}

}  // namespace brisance::mesh
