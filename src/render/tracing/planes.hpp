/// Rays on infinite planes.
#pragma once

#include "render/geometry/geometry.hpp"
#include "render/geometry/ray.hpp"

namespace brisance::render {

/// Distance to a plane met from above; kFar if the ray does not meet it, or later than Ray::far.
[[nodiscard]] float distance_to(const Plane& plane, const Ray& ray);

/// The hit of a plane at that distance, with the colour of its tiles.
[[nodiscard]] Hit plane_hit(const Geometry& geometry, const Plane& plane, const Ray& ray, float distance);

/// Is a point under a plane, in the solid half space?
[[nodiscard]] bool is_below_plane(const Geometry& geometry, const Vec3f& point);

}  // namespace brisance::render
