/// Regions that hold nodes still or move them as told.
#include "brisance/sim/regions.hpp"

#include "brisance/sim/fields.hpp"

#include "places.hpp"
#include "prescribed_motion.hpp"

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
      break;  // not a matter of place: group_regions
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

/// The rigid motion of a region over one step: turn about the axis through the moving pivot, and shift.
struct RegionMotion {
  Vec3 pivot;            ///< at the start [m]
  Vec3 shift;            ///< mean velocity of the pivot [m/s]
  Vec3 axis;             ///< unit, or zero
  double swing, inward;  ///< sin θ/dt and (1 − cos θ)/dt for the angle θ of the step [1/s]
  /// Mean velocity over the step of what is at x when it begins [m/s].
  [[nodiscard]] Vec3 velocity(const Vec3& x) const {
    const Vec3 across = axis.cross(x - pivot);
    return shift + swing * across + inward * axis.cross(across);
  }
};

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

}  // namespace

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

std::array<bool, 3> PrescribedMotion::constrained_axes(LocalNode n) const {
  std::array<bool, 3> held{};
  for (std::size_t r = 0; r < scene_.regions.size(); ++r) {
    const RegionParameters& region = scene_.regions[r];
    if ((mesh_.field(dist::kRegions)[n] >> r & 1) == 0 || state_.time_s >= region.until_s) continue;
    for (int k = 0; k < 3; ++k) held[k] = held[k] || region.axes[k];
  }
  return held;
}

void PrescribedMotion::apply(double dt_s, const std::vector<dist::NodeMotion>& before,
                             std::span<dist::NodeMotion> after) const {
  if (caches_.prescribed.empty()) return;
  std::vector<RegionMotion> motions;
  for (const RegionParameters& region : scene_.regions) motions.push_back(motion_over(region, state_.time_s, dt_s));
  const auto& regions_of = mesh_.field(dist::kRegions);
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    const LocalNode n(caches_.prescribed[i]);
    dist::NodeMotion& m = after[n.value];
    const Vec3 old_position(before[i].position);
    for (std::size_t r = 0; r < scene_.regions.size(); ++r) {
      const RegionParameters& region = scene_.regions[r];
      if ((regions_of[n] >> r & 1) == 0 || state_.time_s >= region.until_s) continue;
      const Vec3 velocity = motions[r].velocity(old_position);
      for (int k = 0; k < 3; ++k) {
        if (!region.axes[k]) continue;
        m.position[k] = old_position[k] + dt_s * velocity[k];
        m.velocity[k] = velocity[k];
      }
    }
  }
}

void PrescribedMotion::prescribe(double dt_s, const std::vector<dist::NodeMotion>& before) {
  std::vector<Vec3> free_velocities;
  free_velocities.reserve(caches_.prescribed.size());
  for (std::int32_t i : caches_.prescribed) free_velocities.emplace_back(mesh_.motion[LocalNode(i)].velocity);
  apply(dt_s, before, mesh_.motion.span());
  const bool is_remainder =
      dt_s < 1e-3 * state_.usual_step_s && scratch_.constraints.size() == caches_.prescribed.size();
  scratch_.constraints.resize(caches_.prescribed.size());
  auto &supplied = mesh_.field(kSuppliedWork), &viscous = mesh_.field(kViscousWork);
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    const LocalNode n(caches_.prescribed[i]);
    // The Dirichlet condition changed the kinetic energy beyond what all other forces, gravity included, did.
    const Vec3 old_velocity(before[i].velocity), velocity(mesh_.motion[n].velocity);
    const Vec3 change = velocity - free_velocities[i];
    const double work = mesh_.mass[n] * change.dot(0.5 * (old_velocity + velocity));
    supplied[n] += work;
    if (!is_remainder) scratch_.constraints[i] = {(velocity - old_velocity) / dt_s, work / dt_s};
    // Viscous work was booked with the velocity the node would have had.
    if (scene_.output.energy_ledger) viscous[n] -= 0.5 * dt_s * Vec3(scratch_.forces[n].viscous).dot(change);
  }
}

}  // namespace brisance::sim
