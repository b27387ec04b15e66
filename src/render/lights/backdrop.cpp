#include "render/lights/backdrop.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::render {
namespace {

constexpr float kInvisible = 1e-3F;  ///< share of a plane below what eight bits of a picture show

}  // namespace

Backdrop::Backdrop(const Options& options, const CameraAxes& axes, const std::array<double, 2>& tangents,
                   const PlaneLook& planes)
    : bottom_(options.lighting.background_bottom),
      top_(options.lighting.background_top),
      forward_(axes.forward.cast<float>()),
      right_(axes.right.cast<float>()),
      up_(axes.up.cast<float>()),
      tangent_(static_cast<float>(tangents[1])),
      shows_surroundings_(std::ranges::find(options.appearance.lights, "environment", &Specification::kind) !=
                          options.appearance.lights.end()),
      centre_(planes.centre),
      fade_m_(1.6F * planes.length) {
  const double corner = std::atan(std::hypot(tangents[0], tangents[1]));
  inner_rad_ = static_cast<float>(1.01 * corner);
  outer_rad_ = static_cast<float>(std::max(1.02 * corner, std::min(2 * corner, 1.5)));
}

float Backdrop::share_in_view(const Vec3f& direction) const {
  const float angle = std::atan2(std::hypot(direction.dot(right_), direction.dot(up_)), direction.dot(forward_));
  const float t = std::clamp((outer_rad_ - angle) / (outer_rad_ - inner_rad_), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

Rgb Backdrop::seen(const Vec3f& direction, const Rgb& surroundings) const {
  const float share = shows_surroundings_ ? 0 : share_in_view(direction);
  if (share == 0) return surroundings;
  const float height = std::clamp(0.5F + 0.5F * direction.dot(up_) / (direction.dot(forward_) * tangent_), 0.0F, 1.0F);
  return share * (bottom_ + height * (top_ - bottom_)) + (1 - share) * surroundings;
}

float Backdrop::share_of_plane(const Vec3f& position) const {
  const float distance = (position - centre_).norm() / fade_m_;
  const float share = std::exp(-distance * distance);
  return share < kInvisible ? 0 : share;
}

}  // namespace brisance::render
