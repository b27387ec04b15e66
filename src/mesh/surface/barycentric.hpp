/// Barycentric coordinates in a triangle.
#pragma once

#include "brisance/core/types.hpp"

#include <array>

namespace brisance::mesh {

/// Barycentric coordinates of a point's projection onto the triangle's plane; they add up to 1, and are (1, 0, 0) in a
/// triangle without area. Local.
[[nodiscard]] inline std::array<double, 3> barycentric(const std::array<Vec3, 3>& corners, const Vec3& point) {
  const Vec3 u = corners[1] - corners[0], v = corners[2] - corners[0], x = point - corners[0];
  const Vec3 normal = u.cross(v);
  if (normal.squaredNorm() == 0) return {1, 0, 0};
  const double b = x.cross(v).dot(normal) / normal.squaredNorm();
  const double c = u.cross(x).dot(normal) / normal.squaredNorm();
  return {1 - b - c, b, c};
}

}  // namespace brisance::mesh
