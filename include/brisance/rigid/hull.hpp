/// Convex hulls, computed by Bullet.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::rigid {

/// Volume of the convex hull of points; 0 for points in a plane [m³]. Local.
[[nodiscard]] double hull_volume(std::span<const Vec3> points);

struct HullCorners {
  double volume = 0;                                   ///< [m³]
  std::vector<std::int32_t> corners;                   ///< indices of the points at the hull's corners
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< of the same points, seen from outside anticlockwise
};

/// The same with corners and triangles. Bullet rounds points to a ten-thousandth of their extent, so others may lie
/// outside by as much. Local.
[[nodiscard]] HullCorners hull_corners(std::span<const Vec3> points);

}  // namespace brisance::rigid
