/// The half-step shift of symplectic Euler: velocities and works belong to half a step before the positions.
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/sim/fields.hpp"

#include "energy_ledger.hpp"

#include <algorithm>

namespace brisance::sim {

namespace {

/// ½ m |v + shift|² − ½ m |v|²: the change of kinetic energy by a shift of the velocity [J].
double kinetic_shift(double mass, const Vec3& v, const Vec3& shift) {
  return mass * (shift.dot(v) + 0.5 * shift.squaredNorm());
}

}  // namespace

// p += dt v uses the velocity of the middle of the step. So after a step velocities, losses and supplied work belong to
// half a step before the positions. They are shifted to the time of the positions with the forces of the step. The
// shift is half the usual step, also after a shorter one that ended at a prescribed time.
HalfStep EnergyLedger::half_step() const {
  HalfStep half;
  const double shift_s = 0.5 * state_.half_shift_step_s;
  if (shift_s == 0) return half;
  auto add = [&](LocalNode n, const Vec3& a) {
    const Vec3 v(mesh_.motion[n].velocity);
    half.kinetic.add(kinetic_shift(mesh_.mass[n], v, shift_s * a));
    half.viscous.add(-shift_s * Vec3(scratch_.forces[n].viscous).dot(v - shift_s * a));
  };
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    if (mesh_.field(dist::kRegions)[n] == 0) add(n, free_acceleration(n));
  }
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    add(LocalNode(caches_.prescribed[i]), scratch_.constraints[i].acceleration);
    half.supplied.add(shift_s * scratch_.constraints[i].power);
  }
  for (const LoadedNode& node : scratch_.loaded) half.supplied.add(shift_s * node.shares.now * node.power);
  contact::ContactWork work;
  colliders_.add_work_over([&](const core::StepShares& shares) { return shares.now * shift_s; }, mesh_.motion.span(),
                           work);
  half.supplied.add(work.supplied);
  half.contact_loss.add(work.dissipated);
  for (const ContactLoad& node : scratch_.pressed) half.contact_loss.add(-shift_s * node.shares.now * node.power);
  return half;
}

// As long as the step h is constant, symplectic Euler conserves, to second order, the energy shifted by h/2. A change
// to h' leaves positions and velocities as they are, and the energy shifted by h'/2 is conserved from then on. The
// difference, (h' − h)/2 times the power of the conservative forces, is added by the change of the step alone.
//
// The kick of nodes around elements that have changed class contains that change
// (ExplicitStepper::kick_across_changes); here only the part that the kick lacks is booked.
void EnergyLedger::book_change_of_step(double dt_s) {
  const double from_s = 0.5 * state_.half_shift_step_s, to_s = 0.5 * state_.usual_step_s;
  if (!dynamics::kind_of(scene_.time.integrator).is_leap_frog) return;
  if (from_s == to_s && scratch_.changed.empty()) return;
  state_.half_shift_step_s = state_.usual_step_s;
  if (!scene_.output.energy_ledger) return;
  auto& account = mesh_.field(kStepChangeWork);
  // A change of the half-step shift of the velocity; `kick` is the velocity that the step added.
  auto book = [&](LocalNode n, const Vec3& kick, const Vec3& from, const Vec3& to, const Vec3& viscous_impulse) {
    const Vec3 v = Vec3(mesh_.motion[n].velocity) - kick;  // before the step
    account[n] += kinetic_shift(mesh_.mass[n], v, to) - kinetic_shift(mesh_.mass[n], v, from) -
                  viscous_impulse.dot(v + 0.5 * kick);
  };
  const auto is_changed = [&](std::int32_t slot) {
    return std::ranges::binary_search(scratch_.changed, slot, {}, &ChangedNode::slot);
  };
  if (from_s != to_s)
    for (std::int32_t i : caches_.owned) {
      const LocalNode n(i);
      if (mesh_.field(dist::kRegions)[n] != 0 || is_changed(i)) continue;
      const Vec3 a = free_acceleration(n);
      book(n, dt_s * a, from_s * a, to_s * a, (to_s - from_s) * Vec3(scratch_.forces[n].viscous));
    }
  for (const ChangedNode& node : scratch_.changed) {
    const LocalNode n(node.slot);
    if (mesh_.field(dist::kRegions)[n] != 0) continue;
    const auto acceleration = [&](const dist::NodeForce& force) -> Vec3 {
      return mesh_.inverse_mass[n] * Vec3(force.force) + scene_.gravity;
    };
    const Vec3 kick = dt_s * free_acceleration(n), beyond = kick - dt_s * acceleration(node.now);
    const Vec3 viscous_beyond = dt_s * (Vec3(scratch_.forces[n].viscous) - Vec3(node.now.viscous));
    book(n, kick, from_s * acceleration(node.before), to_s * acceleration(node.now) + beyond,
         to_s * Vec3(node.now.viscous) + viscous_beyond - from_s * Vec3(node.before.viscous));
  }
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    const LocalNode n(caches_.prescribed[i]);
    const Vec3& a = scratch_.constraints[i].acceleration;
    book(n, dt_s * a, from_s * a, to_s * a, (to_s - from_s) * Vec3(scratch_.forces[n].viscous));
    account[n] -= (to_s - from_s) * scratch_.constraints[i].power;
  }
  // The shift at the present shares, less that at the last ones and what the kick covers.
  const auto seconds = [&](const core::StepShares& shares) {
    return to_s * shares.now - from_s * shares.before + dt_s * (shares.kick - shares.now);
  };
  for (const LoadedNode& node : scratch_.loaded) account[LocalNode(node.slot)] -= seconds(node.shares) * node.power;
  contact::ContactWork work, on_bodies;
  colliders_.add_work_over(seconds, mesh_.motion.span(), work);
  state_.contact_step_change.add(work.dissipated);
  for (const ContactLoad& node : scratch_.pressed) state_.contact_step_change.add(-seconds(node.shares) * node.power);
  state_.contact_step_change.subtract(work.supplied);
  // kinetic_energy_shifted has the part of the kick; `supplied` takes out the work on bodies on a path.
  colliders_.add_work_over(
      [&](const core::StepShares& shares) { return seconds(shares) - (to_s - from_s) * shares.kick; },
      mesh_.motion.span(), on_bodies);
  state_.contact_step_change.add(on_bodies.on_bodies);
  state_.contact_step_change.add(on_bodies.supplied);
  const auto bodies = [&](double shift_s) {
    const double steps = shift_s / dt_s;
    const auto between = colliders_.between_bodies().energies(steps);
    double energy = between.dissipated - between.supplied;
    for (std::size_t b = 0; b < colliders_.size(); ++b) energy += colliders_.kinetic_energy_shifted(b, steps - 1);
    return energy;
  };
  state_.body_step_change += bodies(to_s) - bodies(from_s);
}

}  // namespace brisance::sim
