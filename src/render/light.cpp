#include "light.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::render {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Area-preserving map of a point to the unit disc: concentric squares become concentric circles (Shirley and Chiu
/// 1997).
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

}  // namespace

Vec3f cosine_direction(const Vec3f& axis, Point2 sample) {
  const Eigen::Vector2f across = on_disc(sample);
  return about(axis, across, std::sqrt(std::max(0.0F, 1 - across.squaredNorm())));
}

Light::Light(const Lighting& lighting, const CameraAxes& axes, const Vec3& up)
    : lighting_(lighting), up_(up.normalized().cast<float>()) {
  const Vec3 unit_up = up.normalized();
  const Vec3 back = axes.right.cross(unit_up).normalized();  // horizontal, from the scene towards the camera
  const double azimuth = lighting.sun_azimuth_from_view_deg * kDegree, elevation = lighting.sun_elevation_deg * kDegree;
  const Vec3 level = std::cos(azimuth) * back + std::sin(azimuth) * axes.right;
  sun_ = (std::cos(elevation) * level + std::sin(elevation) * unit_up).cast<float>();
  sun_radius_ = static_cast<float>(std::tan(lighting.sun_radius_deg * kDegree));
}

Vec3f Light::sun_direction(Point2 sample) const { return about(sun_, sun_radius_ * on_disc(sample), 1); }

Rgb Light::sky(const Vec3f& direction) const {
  const float height = std::max(0.0F, direction.dot(up_));
  return lighting_.sky_horizon + std::sqrt(height) * (lighting_.sky_zenith - lighting_.sky_horizon);
}

Rgb Light::background(float height) const {
  return lighting_.background_bottom + height * (lighting_.background_top - lighting_.background_bottom);
}

}  // namespace brisance::render
