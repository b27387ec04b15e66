/// Convex hulls, computed by Bullet.
#pragma once

#include "brisance/core/types.hpp"

#include <span>

namespace brisance::rigid {

/// Volume of the convex hull of points; 0 for points in a plane [m³]. Local.
[[nodiscard]] double hull_volume(std::span<const Vec3> points);

}  // namespace brisance::rigid
