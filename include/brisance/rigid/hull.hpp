/// Convex hulls, computed by Bullet.
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::rigid {

/// Volume of the convex hull of points; 0 for points in a plane [m³]. Local.
[[nodiscard]] double hull_volume(std::span<const Vec3> points);

struct HullCorners {
  double volume = 0;                  ///< [m³]
  std::vector<std::int32_t> corners;  ///< indices of the points at the hull's corners
};

/// The same with the corners. Bullet rounds points to a ten-thousandth of their extent, so others may lie outside by as
/// much. Local.
[[nodiscard]] HullCorners hull_corners(std::span<const Vec3> points);

}  // namespace brisance::rigid
