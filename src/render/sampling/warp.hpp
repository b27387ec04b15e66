/// Maps of uniform points to directions.
#pragma once

#include "brisance/render/colour.hpp"

#include "render/sampling/sampler.hpp"

namespace brisance::render {

/// Area-preserving map of a point to the unit disc: concentric squares become concentric circles (Shirley and Chiu
/// 1997).
[[nodiscard]] Eigen::Vector2f on_disc(Point2 sample);

/// The unit vector with these components across and along an axis (unit), of any length.
[[nodiscard]] Vec3f about(const Vec3f& axis, const Eigen::Vector2f& across, float along);

/// Unit vector about `axis` with density cos θ/π.
[[nodiscard]] Vec3f cosine_direction(const Vec3f& axis, Point2 sample);

/// Unit vector with density 1/(4π).
[[nodiscard]] Vec3f on_sphere(Point2 sample);

}  // namespace brisance::render
