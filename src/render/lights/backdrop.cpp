#include "render/lights/backdrop.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::render {

Backdrop::Backdrop(const Options& options, const CameraAxes& axes, const std::array<double, 2>& tangents,
                   const PlaneLook& planes)
    : bottom_(options.lighting.background_bottom),
      top_(options.lighting.background_top),
      forward_(axes.forward.cast<float>()),
      up_(axes.up.cast<float>()),
      tangent_(static_cast<float>(tangents[1])),
      shows_surroundings_(std::ranges::find(options.appearance.lights, "environment", &Specification::kind) !=
                          options.appearance.lights.end()),
      centre_(planes.centre),
      fade_m_(1.6F * planes.length) {
  const double corner = std::atan(std::hypot(tangents[0], tangents[1]));
  inner_cosine_ = static_cast<float>(std::cos(corner * 1.01));
  outer_cosine_ = static_cast<float>(std::cos(std::max(1.02 * corner, std::min(2 * corner, 1.5))));
}

float Backdrop::share_in_view(float cosine) const {
  if (cosine >= inner_cosine_) return 1;
  const float t = std::clamp((cosine - outer_cosine_) / (inner_cosine_ - outer_cosine_), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

Rgb Backdrop::seen(const Vec3f& direction, const Rgb& surroundings) const {
  const float cosine = direction.dot(forward_);
  const float share = shows_surroundings_ ? 0 : share_in_view(cosine);
  if (share == 0) return surroundings;
  const float height = std::clamp(0.5F + 0.5F * direction.dot(up_) / (cosine * tangent_), 0.0F, 1.0F);
  return share * (bottom_ + height * (top_ - bottom_)) + (1 - share) * surroundings;
}

float Backdrop::share_of_plane(const Vec3f& position) const {
  const float distance = (position - centre_).norm() / fade_m_;
  return std::exp(-distance * distance);
}

}  // namespace brisance::render
