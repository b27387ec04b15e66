#include "render/sampling/warp.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {

Eigen::Vector2f on_disc(Point2 sample) {
  const float a = 2 * sample.u - 1, b = 2 * sample.v - 1;
  if (a == 0 && b == 0) return Eigen::Vector2f::Zero();
  constexpr float kQuarter = std::numbers::pi_v<float> / 4;
  const bool wide = std::abs(a) > std::abs(b);
  const float radius = wide ? a : b;
  const float angle = wide ? kQuarter * (b / a) : 2 * kQuarter - kQuarter * (a / b);
  return radius * Eigen::Vector2f(std::cos(angle), std::sin(angle));
}

Vec3f about(const Vec3f& axis, const Eigen::Vector2f& across, float along) {
  const Vec3f u = axis.unitOrthogonal();
  return (across.x() * u + across.y() * axis.cross(u) + along * axis).normalized();
}

Vec3f cosine_direction(const Vec3f& axis, Point2 sample) {
  const Eigen::Vector2f across = on_disc(sample);
  return about(axis, across, std::sqrt(std::max(0.0F, 1 - across.squaredNorm())));
}

Vec3f on_sphere(Point2 sample) {
  const float z = 1 - 2 * sample.u, radius = std::sqrt(std::max(0.0F, 1 - z * z));
  const float angle = 2 * std::numbers::pi_v<float> * sample.v;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

}  // namespace brisance::render
