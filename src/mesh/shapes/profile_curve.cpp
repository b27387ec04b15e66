#include "brisance/mesh/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::mesh {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

Vec2 at_angle(double phi) { return {std::cos(phi), std::sin(phi)}; }

}  // namespace

Vec2 ProfileCurve::point(double fraction) const {
  if (radius_m > 0) return centre + radius_m * at_angle(first_rad + fraction * (last_rad - first_rad));
  return fraction < 1 ? Vec2(from + fraction * (to - from)) : to;
}

Vec2 ProfileCurve::direction(double fraction) const {
  if (!(radius_m > 0)) return (to - from).normalized();
  const Vec2 outward = at_angle(first_rad + fraction * (last_rad - first_rad));
  return last_rad > first_rad ? Vec2(-outward.y(), outward.x()) : Vec2(outward.y(), -outward.x());
}

ProfileCurve::Point ProfileCurve::nearest(const Vec2& x) const {
  if (!(radius_m > 0)) {
    const Vec2 along = to - from;
    const double fraction = std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return {point(fraction), along.normalized()};
  }
  const Vec2 away = x - centre;
  const double low = std::min(first_rad, last_rad), high = std::max(first_rad, last_rad);
  const double angle = std::atan2(away.y(), away.x());
  if (away.norm() > 0 && angle + kTurn * std::ceil((low - angle) / kTurn) <= high) {
    const Vec2 outward = away.normalized();
    const double sense = last_rad > first_rad ? 1 : -1;
    return {centre + radius_m * outward, sense * Vec2(-outward.y(), outward.x())};
  }
  const double end = (point(0) - x).norm() <= (point(1) - x).norm() ? 0 : 1;
  return {point(end), direction(end)};
}

}  // namespace brisance::mesh
