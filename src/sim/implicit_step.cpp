/// Implicit steps: Newton's method on M (v − v₀) = h f(x, v), x = x₀ + h v, from where the old velocities lead. Without
/// contact one iteration is the linear implicit Euler step [RSR]; with contact it goes on until the nodes that touch
/// are those that it was solved for (implicit_contacts.cpp).
#include "brisance/contact/fields.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/fields.hpp"

#include "implicit_attempt.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

constexpr int kMostLimits = 3;           ///< sets of limits of friction after none
constexpr double kLimitsSettled = 0.01;  ///< of limits of friction: what another set would change [–]

}  // namespace

bool ImplicitSteps::try_step(double dt_s, Attempt& attempt) {
  const dynamics::StepEquation equation = dynamics::implicit_euler(dt_s);
  const std::size_t slots = mesh_.node_id.size();
  attempt.motion = mesh_.motion;
  attempt.forces.resize(slots);
  attempt.right.assign(slots, Vec3::Zero());
  colliders_.advance(comm_, state_.time_s + dt_s, dt_s, scene_.gravity);

  // Where the old velocities lead; regions take their nodes along.
  for (std::int32_t i : caches_.owned)
    for (int k = 0; k < 3; ++k) {
      dist::NodeMotion& m = attempt.motion[LocalNode(i)];
      m.position[k] += dt_s * m.velocity[k];
    }
  grip(dt_s, attempt.prescribed_before, attempt.motion.span());
  attempt.held = held_axes();
  find_loads(dt_s, attempt.motion.span(), attempt.loaded);

  attempt.change.resize(slots, Vec3::Zero());  // the last step's: as good a guess as any
  for (std::int32_t i : caches_.prescribed)
    for (int k = 0; k < 3; ++k)
      if ((attempt.held[static_cast<std::size_t>(i)] >> k & 1) != 0) attempt.change[static_cast<std::size_t>(i)][k] = 0;
  attempt.limits.clear();
  find_end_forces(dt_s, attempt);
  find_right_side(equation, attempt);
  double floor = 0;
  if (!settle_contacts(equation, floor, attempt)) return false;
  // Friction: limits from what presses without it, and again from what presses with it.
  for (int i = 0; i < kMostLimits && change_of_limits(attempt) > kLimitsSettled; ++i) {
    go_along(0, equation, attempt);
    if (!settle_contacts(equation, floor, attempt)) return false;
  }
  return true;
}

void ImplicitSteps::step(double until_s) {
  flow_and_internal_forces();
  crack();
  Attempt attempt;
  {
    core::ScopedTimer timer(seconds_.integration);
    attempt.prescribed_before = motion_of_prescribed();
    if (scene_.output.energy_ledger) {
      attempt.elastic_before =
          dynamics::corotational_energy(mesh_, mesh_.motion.span(), scene_.time.strain, dist::home_elements(mesh_));
      attempt.contact_before = contact_energy();
    }
    attempt.change = std::move(last_change_);
    double dt_s = length(until_s);
    while (!try_step(dt_s, attempt)) {
      halve(dt_s, attempt.failure);
      std::ranges::fill(attempt.change, Vec3::Zero());
      dt_s = length(until_s);
    }
    accept(dt_s, attempt);
    finish(dt_s, until_s);
  }
  check_finite();
  refresh_step_bound();
  warn_of_turns();
}

void ImplicitSteps::forget() {
  LargeSteps::forget();
  last_change_.clear();
}

void ImplicitSteps::accept(double dt_s, Attempt& attempt) {
  book_loads(dt_s, attempt.motion.span(), attempt.loaded);
  if (scene_.output.energy_ledger) book(dt_s, attempt);
  for (std::int32_t i : caches_.owned)  // a guess for the next step
    attempt.change[static_cast<std::size_t>(i)] =
        Vec3(attempt.motion[LocalNode(i)].velocity) - Vec3(mesh_.motion[LocalNode(i)].velocity);
  std::swap(mesh_.motion, attempt.motion);
  if (colliders_.size() > 0) {
    auto& forgiven = mesh_.field(contact::kForgivenDepth);
    const core::ExactSum of_springs =
        colliders_.finish_implicit_step(contact_nodes(), attempt.contacts, dt_s, forgiven.span(), state_.contact_work);
    state_.numerical_loss.subtract(of_springs);
    state_.numerical_loss.add(attempt.contact_before);
    state_.numerical_loss.subtract(contact_energy());
  }
  last_change_ = std::move(attempt.change);
}

// M (v − v₀) = h F gives ½ v·M v − ½ v₀·M v₀ = h v·F − ½ (v − v₀)·M (v − v₀): the last term is lost, and so is what
// elastic forces at the end of the step, times the way, fall short of the energy that they have released. What the
// forces of the equations lack of those there are is booked nowhere.
void ImplicitSteps::book(double dt_s, const Attempt& attempt) {
  auto &viscous = mesh_.field(kViscousWork), &supplied = mesh_.field(kSuppliedWork);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const double mass = mesh_.mass[n];
    const Vec3 v(attempt.motion[n].velocity), change = v - Vec3(mesh_.motion[n].velocity);
    const Vec3 damping = Vec3(attempt.forces[n].viscous) - scene_.time.mass_damping_per_s * mass * v;
    viscous[n] -= dt_s * damping.dot(v);
    state_.numerical_loss.add(0.5 * mass * change.squaredNorm());
    const dynamics::HeldAxes held = attempt.held[static_cast<std::size_t>(i)];
    if (held == 0) continue;
    const Vec3 others = Vec3(attempt.forces[n].force) + mass * (scene_.gravity - scene_.time.mass_damping_per_s * v);
    for (int k = 0; k < 3; ++k)
      if ((held >> k & 1) != 0) supplied[n] += v[k] * (mass * change[k] - dt_s * others[k]);
  }
  AlignedNodeField<dist::NodeForce> internal(mesh_.node_id.size());
  dynamics::corotational_forces(mesh_, attempt.motion.span(), scene_.time.strain, internal.span());
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const Vec3 elastic = Vec3(internal[n].force) - Vec3(internal[n].viscous);
    state_.numerical_loss.add(-dt_s * elastic.dot(Vec3(attempt.motion[n].velocity)));
  }
  state_.numerical_loss.add(attempt.elastic_before);
  state_.numerical_loss.subtract(
      dynamics::corotational_energy(mesh_, attempt.motion.span(), scene_.time.strain, dist::home_elements(mesh_)));
}

}  // namespace brisance::sim
