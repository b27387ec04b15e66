/// The half step between what symplectic Euler's velocities and works belong to and where its positions are.
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

namespace {

/// ½ m |v + s a|² − ½ m |v|²: kinetic energy that leading a velocity on by the time s adds.
double kinetic_lead(double mass, const Vec3& v, const Vec3& a, double s) {
  return mass * (s * a.dot(v) + 0.5 * s * s * a.squaredNorm());
}

}  // namespace

// p += dt v with the velocity of the middle of the step. So after a step velocities, and what was lost and supplied
// with them, are those of half a step before the positions. Both are led on to the positions' time with the forces of
// the step. The step is the usual one: a shorter one, taken to land on a moment, does not bring the two together.
HalfStep Simulation::half_step() const {
  HalfStep half;
  const double lead_s = 0.5 * state_.led_step_s;
  if (lead_s == 0) return half;
  auto add = [&](LocalNode n, const Vec3& a) {
    const Vec3 v(mesh_.motion[n].velocity);
    half.kinetic.add(kinetic_lead(mesh_.mass[n], v, a, lead_s));
    half.viscous.add(-lead_s * Vec3(scratch_.forces[n].viscous).dot(v - lead_s * a));
  };
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    if (mesh_.field(dist::kRegions)[n] == 0) add(n, free_acceleration(n));
  }
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    add(LocalNode(caches_.prescribed[i]), scratch_.grips[i].acceleration);
    half.supplied.add(lead_s * scratch_.grips[i].power);
  }
  contact::ContactWork work;
  colliders_.add_work(mesh_.motion.span(), lead_s, work);
  half.supplied.add(work.supplied);
  half.contact_loss.add(work.dissipated);
  return half;
}

// What symplectic Euler keeps, to second order, is the energy led on by half a step, for as long as the step is the
// same. Another step h' leaves positions and velocities as they are, and what is kept from then on is the energy led on
// by h'/2: the difference, (h' − h)/2 times the power of the conservative forces, is the step's doing and nobody
// else's.
void Simulation::book_change_of_step(double dt_s) {
  const double from_s = 0.5 * state_.led_step_s, to_s = 0.5 * state_.usual_step_s;
  if (scene_.time.integrator != dynamics::Integrator::symplectic_euler || from_s == to_s) return;
  state_.led_step_s = state_.usual_step_s;
  if (!scene_.output.energy_ledger) return;
  auto& account = mesh_.field(kStepChangeWork);
  auto book = [&](LocalNode n, const Vec3& a) {
    const Vec3 v = Vec3(mesh_.motion[n].velocity) - dt_s * a;  // before the step
    account[n] += kinetic_lead(mesh_.mass[n], v, a, to_s) - kinetic_lead(mesh_.mass[n], v, a, from_s) -
                  (to_s - from_s) * Vec3(scratch_.forces[n].viscous).dot(v + 0.5 * dt_s * a);
  };
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    if (mesh_.field(dist::kRegions)[n] == 0) book(n, free_acceleration(n));
  }
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    const LocalNode n(caches_.prescribed[i]);
    book(n, scratch_.grips[i].acceleration);
    account[n] -= (to_s - from_s) * scratch_.grips[i].power;
  }
  contact::ContactWork work;
  colliders_.add_work(mesh_.motion.span(), to_s - from_s, work);
  state_.contact_step_change.add(work.dissipated);
  state_.contact_step_change.subtract(work.supplied);
  const auto bodies = [&](double lead_s) {
    const double steps = lead_s / dt_s;
    const auto between = colliders_.energies_between_bodies_led_on(steps);
    double energy = between.dissipated - between.supplied;
    for (std::size_t b = 0; b < colliders_.size(); ++b) energy += colliders_.kinetic_energy_led_on(b, steps - 1);
    return energy;
  };
  state_.body_step_change += bodies(to_s) - bodies(from_s);
}

}  // namespace brisance::sim
