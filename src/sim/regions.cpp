/// Regions: Dirichlet conditions that fix nodes or prescribe their motion.
#include "brisance/sim/regions.hpp"

#include "brisance/sim/fields.hpp"

#include "places.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

bool contains(const RegionParameters& region, const Vec3& x) {
  switch (region.shape) {
    case RegionShape::box:
      return in_box(region, x);
    case RegionShape::sphere:
      return in_sphere(region, x);
    case RegionShape::half_space:
      return in_half_space(region, x);
    case RegionShape::torus:
      return in_torus(region, x);
    case RegionShape::group:
      break;  // chosen by name, not by place: group_regions
  }
  return false;
}

/// ∫ of the ramped unit speed from 0 to t [s].
double ramped_time(const RegionParameters& region, double t) {
  if (region.ramp_s <= 0) return t;
  return t < region.ramp_s ? 0.5 * t * t / region.ramp_s : t - 0.5 * region.ramp_s;
}

/// Mean of the ramped unit speed over a step, exact for a step of any length: no difference of two times [–].
double mean_ramp(const RegionParameters& region, double from_s, double dt_s) {
  if (region.ramp_s <= from_s) return 1;
  const double rising_s = std::min(dt_s, region.ramp_s - from_s);
  const double rising = (from_s + 0.5 * rising_s) / region.ramp_s;
  return (rising * rising_s + (dt_s - rising_s)) / dt_s;
}

}  // namespace

RegionMotion motion_over(const RegionParameters& region, double from_s, double dt_s) {
  const double ramp = mean_ramp(region, from_s, dt_s), rate = region.angular_velocity.norm();
  const double angle = rate * ramp * dt_s, half_sine = std::sin(0.5 * angle);
  RegionMotion m;
  m.pivot = region.pivot + ramped_time(region, from_s) * region.velocity;
  m.shift = ramp * region.velocity;
  m.axis = rate > 0 ? Vec3(region.angular_velocity / rate) : Vec3(Vec3::Zero());
  m.swing = std::sin(angle) / dt_s;
  m.inward = 2 * half_sine * half_sine / dt_s;
  return m;
}

std::uint32_t regions_at(const Scene& scene, const Vec3& rest) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < scene.regions.size(); ++i)
    if (contains(scene.regions[i], rest)) mask |= 1U << i;
  return mask;
}

Eigen::Isometry3d region_path(const RegionParameters& region, double time_s) {
  const double t = std::min(time_s, region.until_s), rate = region.angular_velocity.norm();
  const Vec3 held = Vec3(region.axes[0] ? 1 : 0, region.axes[1] ? 1 : 0, region.axes[2] ? 1 : 0);
  Eigen::Isometry3d path = Eigen::Isometry3d::Identity();
  if (rate > 0)
    path.linear() = Eigen::AngleAxisd(rate * ramped_time(region, t), region.angular_velocity / rate).matrix();
  path.translation() = region.pivot + ramped_time(region, t) * region.velocity.cwiseProduct(held);
  return path;
}

fracture::ConstrainedRegions regions_constrained_at(const Scene& scene, double time_s) {
  fracture::ConstrainedRegions held;
  for (std::size_t i = 0; i < scene.regions.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (time_s < scene.regions[i].until_s && scene.regions[i].axes[axis]) held.by_axis[axis] |= 1U << i;
  return held;
}

}  // namespace brisance::sim
