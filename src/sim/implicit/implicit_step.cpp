/// Implicit steps: Newton's method on M (v − v₀) = h f(x, v), x = x₀ + h v, from x₀ + h v₀. Without contact one
/// iteration is the linear implicit Euler step [RSR]; with contact iterations continue until the contacts are those
/// that the equations were solved for (implicit_contacts.cpp).
#include "brisance/contact/fields.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/sim/fields.hpp"

#include "trial_step.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

constexpr double kSettled = 1e-3;         ///< change of contact forces by another iteration, over the forces [–]
constexpr double kRoughlySettled = 0.03;  ///< the same, before friction
constexpr int kMostLimits = 3;            ///< updates of friction limits
constexpr double kLimitsSettled = 0.01;   ///< change of friction limits by another update, over the limits [–]

}  // namespace

bool ImplicitDynamics::try_step(double dt_s, Trial& trial) {
  const dynamics::StepEquation equation = equation_of(dt_s);
  const std::size_t slots = mesh_.node_id.size();
  trial.motion = mesh_.motion;
  trial.forces.resize(slots);
  trial.right.assign(slots, Vec3::Zero());
  colliders_.advance(comm_, state_.time_s + dt_s, dt_s, scene_.gravity);

  // The first iterate is x₀ + h v₀, with prescribed nodes at their end.
  for (std::int32_t i : caches_.owned)
    for (int k = 0; k < 3; ++k) {
      dist::NodeMotion& m = trial.motion[LocalNode(i)];
      m.position[k] += dt_s * m.velocity[k];
    }
  find_start_terms(equation, trial);
  phases_.motion.apply(dt_s, trial.prescribed_before, trial.motion.span());
  trial.held = constrained_axes();
  find_loads(dt_s, trial.motion.span(), trial.loaded);

  trial.change.resize(slots, Vec3::Zero());  // initial guess: the change in the last step
  for (std::int32_t i : caches_.prescribed)
    for (int k = 0; k < 3; ++k)
      if ((trial.held[static_cast<std::size_t>(i)] >> k & 1) != 0) trial.change[static_cast<std::size_t>(i)][k] = 0;
  trial.limits.clear();
  trial.overlaps.limits.friction = trial.overlaps.friction_at_start;
  if (goes_too_deep(trial)) return false;
  find_end_forces(equation, trial);
  find_right_side(equation, trial);
  double floor = 0;
  // With deformable contact, the solution without friction is only a step towards that with it.
  if (!settle_contacts(equation, floor, overlaps() != nullptr ? kRoughlySettled : kSettled, trial)) return false;
  // Friction limits: from normal forces without friction, then again from those with it.
  for (int i = 0; i < kMostLimits && change_of_limits(trial) > kLimitsSettled; ++i) {
    apply_update(0, equation, trial);
    if (!settle_contacts(equation, floor, kSettled, trial)) return false;
  }
  return !goes_too_deep(trial);
}

void ImplicitDynamics::step(double until_s) {
  renew_basis();
  flow_and_internal_forces();
  phases_.contact.find_overlaps();
  crack_and_choose_length();
  phases_.contact.find_overlaps_after_cuts();
  Trial trial;
  begin_overlaps(trial);
  {
    core::ScopedTimer timer(seconds_.integration);
    trial.prescribed_before = motion_of_prescribed();
    if (keeps_account()) {
      trial.elastic_before = elastic_ ? *elastic_
                                      : dynamics::corotational_energy(mesh_, mesh_.motion.span(), scene_.time.strain,
                                                                      dist::home_elements(mesh_));
      trial.contact_before = contact_energy();
    }
    trial.change = std::move(last_change_);
    double dt_s = length(until_s);
    const auto is_good = [&] {
      if (!try_step(dt_s, trial)) return false;
      find_end(dt_s, trial);
      return !scene_.time.watch_energy || !gains_energy(trial);
    };
    while (!is_good()) {
      halve(dt_s, trial.failure);
      std::ranges::fill(trial.change, Vec3::Zero());
      dt_s = length(until_s);
    }
    accept(dt_s, trial);
    finish(dt_s, until_s);
  }
  phases_.limits.check_finite();
  phases_.limits.refresh();
  warn_of_turns();
}

double ImplicitDynamics::usual_step_s() const {
  return state_.crack_steps > 0 ? state_.crack_step_s : scene_.time.step_s;
}

// A crack continues at the end of the tet that it has crossed, no sooner than its speed allows
// (fracture::Parameters::crack_speed_share); the step is the time until then. After the crack has stopped, each step is
// twice as long as the last one until steps have their full length. The scene bounds the number of short steps
// (time.crack_steps).
void ImplicitDynamics::crack_and_choose_length() {
  was_cut_ = false;
  crack();
  const double length_s = was_cut_ ? longest_wait() : state_.crack_steps > 0 ? 2 * state_.crack_step_s : 0;
  const bool is_short = 0 < length_s && length_s < scene_.time.step_s && state_.crack_steps < scene_.time.crack_steps;
  state_.crack_step_s = is_short ? length_s : 0;
  state_.crack_steps = is_short ? state_.crack_steps + 1 : 0;
}

double ImplicitDynamics::longest_wait() const {
  const auto& ready_s = mesh_.field(fracture::kReadyTime);
  double longest_s = 0;
  for (const std::int32_t i : caches_.owned) longest_s = std::max(longest_s, ready_s[LocalNode(i)] - state_.time_s);
  return comm_.max(longest_s);
}

void ImplicitDynamics::take_in_cuts() {
  ImplicitStepper::take_in_cuts();
  was_cut_ = true;
  elastic_.reset();
  state_.knows_accelerations = 0;
}

void ImplicitDynamics::forget() {
  ImplicitStepper::forget();
  last_change_.clear();
  elastic_.reset();
}

dynamics::StepEquation ImplicitDynamics::equation_of(double dt_s) const {
  return scene_.time.integrator == dynamics::Integrator::hht
             ? dynamics::hilber_hughes_taylor(dt_s, scene_.time.hht_alpha)
             : dynamics::implicit_euler(dt_s);
}

void ImplicitDynamics::find_start_terms(const dynamics::StepEquation& equation, Trial& trial) {
  if (!equation.needs_start_forces()) return;
  trial.start_forces.resize(mesh_.node_id.size());
  dynamics::corotational_forces(mesh_, mesh_.motion.span(), scene_.time.strain, trial.start_forces.span());
  trial.start_impulse.assign(mesh_.node_id.size(), Vec3::Zero());
  const auto& last = mesh_.field(kAcceleration);
  const auto force_on = [&](LocalNode n) {
    return smooth_force(n, trial.start_forces[n], Vec3(mesh_.motion[n].velocity));
  };
  std::vector<Vec3> accelerations(mesh_.node_id.size(), Vec3::Zero());
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    accelerations[static_cast<std::size_t>(i)] =
        state_.knows_accelerations != 0 ? Vec3(last[n].data()) : Vec3(force_on(n) / mesh_.mass[n]);
  }
  if (state_.knows_accelerations == 0) keep_in_basis(accelerations);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const Vec3 force = force_on(n), &acceleration = accelerations[static_cast<std::size_t>(i)];
    trial.start_impulse[static_cast<std::size_t>(i)] =
        equation.step_s *
        (equation.acceleration_share * mesh_.mass[n] * acceleration + equation.old_force_share * force);
    Eigen::Map<Vec3>(trial.motion[n].position) +=
        equation.start_shift * (acceleration + Vec3(mesh_.field(kOuterAcceleration)[n].data()));
  }
}

/// Accounts of a step that was solved.
void ImplicitDynamics::find_end(double dt_s, Trial& trial) const {
  if (keeps_account()) find_account(equation_of(dt_s), trial);
}

void ImplicitDynamics::accept(double dt_s, Trial& trial) {
  book_loads(dt_s, trial.motion.span(), trial.loaded);
  const dynamics::StepEquation equation = equation_of(dt_s);
  if (scene_.output.energy_ledger) book(trial);
  if (equation.needs_start_forces()) hand_on_accelerations(equation, trial);
  for (std::int32_t i : caches_.owned)  // a guess for the next step
    trial.change[static_cast<std::size_t>(i)] =
        Vec3(trial.motion[LocalNode(i)].velocity) - Vec3(mesh_.motion[LocalNode(i)].velocity);
  std::swap(mesh_.motion, trial.motion);
  if (colliders_.size() > 0) take_in_contacts(dt_s, trial);
  note_contact_forces(trial.contacts);
  if (overlaps() != nullptr) take_in_overlaps(trial);
  last_change_ = std::move(trial.change);
  elastic_.reset();
  if (keeps_account() && mesh_.field(dynamics::kPlasticState).empty()) elastic_ = trial.elastic;
}

void ImplicitDynamics::hand_on_accelerations(const dynamics::StepEquation& equation, const Trial& trial) {
  auto& acceleration = mesh_.field(kAcceleration);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const Vec3 before = smooth_force(n, trial.start_forces[n], Vec3(mesh_.motion[n].velocity));
    const Vec3 after = smooth_force(n, trial.internal[n], Vec3(trial.motion[n].velocity));
    Eigen::Map<Vec3>(acceleration[n].data()) =
        (equation.end_share_after() * after + equation.start_share_after() * before) / mesh_.mass[n];
  }
  state_.knows_accelerations = 1;
  auto& outer = mesh_.field(kOuterAcceleration);
  for (std::int32_t i : caches_.owned) outer[LocalNode(i)] = {};
  const auto add = [&](std::int32_t slot, const Vec3& force) {
    const LocalNode n(slot);
    Eigen::Map<Vec3>(outer[n].data()) += force / mesh_.mass[n];
  };
  for (const LoadedNode& node : trial.loaded) add(node.slot, node.force);
  for (const contact::EndContact& c : trial.contacts) add(c.node, c.force());
  for (const auto& node : trial.overlaps.found.nodes) add(node.slot, node.spring + node.damper + node.friction);
  keep_in_basis(acceleration);
  keep_in_basis(outer);
}

/// @param trial  its motion is that before the step
void ImplicitDynamics::take_in_contacts(double dt_s, const Trial& trial) {
  auto& offset = mesh_.field(contact::kContactOffset);
  contact::ContactNodes nodes = contact_nodes();
  AlignedNodeField<dist::NodeMotion> on_average;
  if (equation_of(dt_s).needs_start_forces()) {  // mean velocities of the step
    on_average = mesh_.motion;
    for (const contact::EndContact& c : trial.contacts)
      Eigen::Map<Vec3>(on_average[LocalNode(c.node)].velocity) =
          (Vec3(mesh_.motion[LocalNode(c.node)].position) - Vec3(trial.motion[LocalNode(c.node)].position)) / dt_s;
    nodes.motion = on_average.span();
  }
  const core::ExactSum of_springs =
      colliders_.finish_implicit_step(nodes, trial.contacts, dt_s, offset.span(), state_.contact_work);
  state_.numerical_loss.subtract(of_springs);
  state_.numerical_loss.add(trial.contact_before);
  state_.numerical_loss.subtract(contact_energy());
}

/// Books the work of overlapping pairs in the step.
/// @param trial  its motion is that before the step
void ImplicitDynamics::take_in_overlaps(const Trial& trial) {
  for (const auto& node : trial.overlaps.found.nodes) {
    const Vec3 displacement =
        Vec3(mesh_.motion[LocalNode(node.slot)].position) - Vec3(trial.motion[LocalNode(node.slot)].position);
    state_.surface_work.add((node.damper + node.friction).dot(displacement));
    state_.numerical_loss.add(-node.spring.dot(displacement));
  }
  // EnergyLedger::energies subtracts the stored energy from the work of contact.
  core::ExactSum change = trial.overlaps.stored_before;
  change.subtract(overlaps()->stored());
  state_.numerical_loss.add(change);
  state_.surface_work.add(change);
}

}  // namespace brisance::sim
