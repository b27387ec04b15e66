/// Loads in a step: forces on faces, impulses between two steps, and the work and momentum of both.
#include "load_phase.hpp"

#include "brisance/sim/loads/loads.hpp"

#include <algorithm>
#include <map>

namespace brisance::sim {

void LoadPhase::add_forces(double dt_s) {
  scratch_.loaded.clear();
  if (scene_.loads.empty()) return;
  face_loads_.find(scene_.loads, mesh_, mesh_.motion.span(), state_.time_s, dt_s, scratch_.loaded);
  const core::StepSharesOf shares_of = limits_.step_shares();
  for (LoadedNode& node : scratch_.loaded) {
    if (shares_of) node.shares = shares_of(node.slot);
    for (int k = 0; k < 3; ++k) scratch_.forces[LocalNode(node.slot)].force[k] += node.shares.kick * node.force[k];
  }
}

void LoadPhase::add_impulse(LocalNode n, const Vec3& momentum, double work) {
  mesh_.field(kLoadWork)[n] += work;
  auto& impulse = mesh_.field(kLoadImpulse)[n];
  for (int k = 0; k < 3; ++k) impulse[static_cast<std::size_t>(k)] += momentum[k];
}

// The kick of a step changes kinetic energy by exactly dt f·(v_old + v_new)/2; for sub-cycled nodes, the first kick.
void LoadPhase::book(double dt_s) {
  for (LoadedNode& node : scratch_.loaded)
    book(node, Vec3(mesh_.motion[LocalNode(node.slot)].velocity), node.shares.kick * dt_s);
}

void LoadPhase::book(LoadedNode& node, const Vec3& velocity, double step_s) {
  node.power = node.force.dot(0.5 * (node.velocity_before + velocity));
  add_impulse(LocalNode(node.slot), step_s * node.force, step_s * node.power);
}

void LoadPhase::give_impulses(double after_s, double until_s) {
  const auto is_due = [&](const LoadParameters& load) {
    return load.kind == LoadKind::impulse && after_s < load.start_s && load.start_s <= until_s;
  };
  if (std::ranges::none_of(scene_.loads, is_due)) return;
  const double shift_s = 0.5 * state_.half_shift_step_s;
  std::map<std::int32_t, std::size_t> constraint_of;  // by slot
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) constraint_of[caches_.prescribed[i]] = i;
  for (const std::int32_t slot : caches_.owned) {
    const LocalNode n(slot);
    Vec3 change = Vec3::Zero(), shift = Vec3::Zero();
    for (const LoadParameters& load : scene_.loads)
      if (is_due(load) && selects(load, mesh_.rest[n]))
        change += impulse_velocity(load, Vec3(mesh_.motion[n].position));
    if (const auto constraint = constraint_of.find(slot); constraint != constraint_of.end()) {
      const auto held = motion_.constrained_axes(n);
      for (int k = 0; k < 3; ++k)
        if (held[static_cast<std::size_t>(k)]) change[k] = 0;
      if (shift_s != 0) shift = shift_s * scratch_.constraints[constraint->second].acceleration;
    } else if (shift_s != 0) {
      shift = shift_s * free_acceleration(n);
    }
    if (change == Vec3::Zero()) continue;
    Eigen::Map<Vec3> velocity(mesh_.motion[n].velocity);
    const Vec3 momentum = mesh_.mass[n] * change;
    add_impulse(n, momentum, momentum.dot(velocity + shift + 0.5 * change));  // as in half_step()
    velocity += change;
  }
  mesh_.update_ghost_motion();
}

}  // namespace brisance::sim
