/// Implicit steps: Newton's method on M (v − v₀) = h f(x, v), x = x₀ + h v, from where the old velocities lead. Without
/// contact one iteration is the linear implicit Euler step [RSR]; with contact it goes on until the nodes that touch
/// are those that it was solved for (implicit_contacts.cpp).
#include "brisance/contact/fields.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/simulation.hpp"

#include "implicit_attempt.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr int kMostHalvings = 8;
constexpr int kSolvedStepsToLengthen = 4;  ///< before a halved step is doubled again
constexpr int kMostLimits = 3;             ///< sets of limits of friction after none
constexpr double kLimitsSettled = 0.01;    ///< of limits of friction: what another set would change [–]
constexpr double kFalseStrain = 1e-3;      ///< of a linear strain under a turn, worth a warning

}  // namespace

bool Simulation::try_implicit_step(double dt_s, Attempt& attempt) {
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
  attempt.held.assign(slots, 0);
  for (std::int32_t i : caches_.prescribed) {
    const auto axes = held_axes(LocalNode(i));
    attempt.held[static_cast<std::size_t>(i)] =
        static_cast<dynamics::HeldAxes>((axes[0] ? 1 : 0) | (axes[1] ? 2 : 0) | (axes[2] ? 4 : 0));
  }
  mesh_.halo().update_ghosts(std::span(attempt.held));
  if (!scene_.loads.empty()) {
    mesh_.halo().update_ghosts(attempt.motion.span());
    face_loads_.find(scene_, mesh_, attempt.motion.span(), state_.time_s, dt_s, attempt.loaded);
  }

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

double Simulation::implicit_length(double until_s) const {
  const double usual_s = std::ldexp(std::min(scene_.time.step_s, scene_.time.max_step_s), -state_.halvings);
  double left_s = until_s - state_.time_s;
  if (state_.time_s < scene_.duration_s) left_s = std::min(left_s, scene_.duration_s - state_.time_s);
  constexpr double kSplinter = 1e-6;  ///< of a step: times are sums, and miss the end by rounding
  return left_s < (1 + kSplinter) * usual_s ? left_s : usual_s;
}

void Simulation::implicit_step(double until_s) {
  Attempt attempt;
  {
    core::ScopedTimer timer(seconds_.integration);
    for (std::int32_t i : caches_.prescribed) attempt.prescribed_before.push_back(mesh_.motion[LocalNode(i)]);
    if (scene_.output.energy_ledger) {
      attempt.elastic_before =
          dynamics::corotational_energy(mesh_, mesh_.motion.span(), scene_.time.strain, dist::home_elements(mesh_));
      attempt.contact_before = contact_energy();
    }
    attempt.change = std::move(scratch_.last_change);
    double dt_s = implicit_length(until_s);
    while (!try_implicit_step(dt_s, attempt)) {
      if (state_.halvings == kMostHalvings)
        throw core::Error(fmt::format(
            "step {}, t = {:.6g} s: a step of {:.3g} s failed, and so did longer ones: {}. Try a smaller time.step_s, "
            "a larger time.solver_tolerance, or another -dyn_pc_type (gamg, bjacobi).",
            state_.num_steps, state_.time_s, dt_s, attempt.failure));
      ++state_.halvings;
      state_.solved_steps = 0;
      if (comm_.is_root())
        spdlog::warn("step {}, t = {:.6g} s: a step of {:.3g} s failed: {}. Halved.", state_.num_steps, state_.time_s,
                     dt_s, attempt.failure);
      std::ranges::fill(attempt.change, Vec3::Zero());
      dt_s = implicit_length(until_s);
    }
    if (state_.halvings > 0 && ++state_.solved_steps == kSolvedStepsToLengthen) {
      --state_.halvings;
      state_.solved_steps = 0;
    }
    accept(dt_s, attempt);
    const double start_s = state_.time_s;
    state_.time_s = start_s + dt_s;
    for (const double end_s : {until_s, scene_.duration_s})
      if (dt_s == end_s - start_s) state_.time_s = end_s;
    state_.last_step_s = state_.usual_step_s = dt_s;
    ++state_.num_steps;
  }
  check_finite();
  refresh_step_bound();
  warn_of_turns();
}

void Simulation::accept(double dt_s, Attempt& attempt) {
  for (const LoadedNode& node : attempt.loaded) {
    const LocalNode n(node.slot);
    add_load_impulse(n, dt_s * node.force, dt_s * node.force.dot(Vec3(attempt.motion[n].velocity)));
  }
  if (scene_.output.energy_ledger) book_implicit_step(dt_s, attempt);
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
  scratch_.last_change = std::move(attempt.change);
}

// M (v − v₀) = h F gives ½ v·M v − ½ v₀·M v₀ = h v·F − ½ (v − v₀)·M (v − v₀): the last term is lost, and so is what
// elastic forces at the end of the step, times the way, fall short of the energy that they have released. What the
// forces of the equations lack of those there are is booked nowhere.
void Simulation::book_implicit_step(double dt_s, const Attempt& attempt) {
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

void Simulation::warn_of_turns() {
  if (scene_.time.strain != dynamics::Strain::linear || has_warned_of_turns_) return;
  const double false_strain = comm_.max(dynamics::largest_false_strain(mesh_, dist::home_elements(mesh_)));
  if (false_strain < kFalseStrain) return;
  has_warned_of_turns_ = true;
  if (comm_.is_root())
    spdlog::warn(
        "t = {:.6g} s: something has turned by {:.2g} degrees, which time.strain = \"linear\" takes for a strain of "
        "−{:.2g}. \"corotational\" does not.",
        state_.time_s, std::acos(1 - false_strain) * 180 / std::numbers::pi, false_strain);
}

}  // namespace brisance::sim
