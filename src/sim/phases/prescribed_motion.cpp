#include "prescribed_motion.hpp"

#include "brisance/sim/fields.hpp"
#include "brisance/sim/regions.hpp"

namespace brisance::sim {

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
    // The kinetic energy added by the Dirichlet condition, beside that of all other forces, gravity included.
    const Vec3 old_velocity(before[i].velocity), velocity(mesh_.motion[n].velocity);
    const Vec3 change = velocity - free_velocities[i];
    const double work = mesh_.mass[n] * change.dot(0.5 * (old_velocity + velocity));
    supplied[n] += work;
    if (!is_remainder) scratch_.constraints[i] = {(velocity - old_velocity) / dt_s, work / dt_s};
    // Viscous work was booked with the velocity of the unconstrained node.
    if (scene_.output.energy_ledger) viscous[n] -= 0.5 * dt_s * Vec3(scratch_.forces[n].viscous).dot(change);
  }
}

}  // namespace brisance::sim
