/// One time step. Each phase is one named call; the order is the order in which they act on the state.
#include "brisance/contact/fields.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/simulation.hpp"

#include "implicit_stepper.hpp"

#include <algorithm>

namespace brisance::sim {

namespace {

/// Of what elements leave of the longest stable step, what the vibrations of cohesive links take, and the least that
/// they take.
constexpr double kTieShare = 0.75, kLeastTieShare = 0.03;

}  // namespace

void Simulation::step(double until_s) {
  const double start_s = state_.time_s;
  if (state_.num_steps == 0) give_impulses(-std::numeric_limits<double>::infinity(), start_s);
  balance();
  state_.kept_half_step.reset();
  if (implicit_stepper_)
    implicit_stepper_->step(until_s);
  else
    explicit_step(until_s);
  give_impulses(start_s, state_.time_s);
}

void Simulation::explicit_step(double until_s) {
  flow_and_internal_forces();
  find_overlaps();
  crack();
  const double dt_s = choose_step(until_s);
  gather_subcycled();
  load_forces(dt_s);
  contact_forces(dt_s);
  body_contact_forces(dt_s);
  note_contact_forces();
  cohesive_forces(dt_s);
  integrate(dt_s);
  finish_step(dt_s, dt_s == until_s - state_.time_s ? until_s : state_.time_s + dt_s);
}

void Simulation::flow_and_internal_forces() {
  core::ScopedTimer timer(seconds_.forces);
  coarse_updates_ += mesh_.num_element_slots();
  scratch_.forces.resize(mesh_.node_id.size());
  dynamics::flow_and_internal_forces(element_spans(), mesh_.materials, mesh_.motion.span(),
                                     mesh_.field(dynamics::kPlasticState), scratch_.forces.span(), force_options());
}

void Simulation::crack() {
  if (!rounds_ || state_.time_s < state_.next_fracture_s) return;
  crack_at(state_.time_s);
  if (scene_.fracture.evaluate_interval_share > 0)
    state_.next_fracture_s =
        state_.time_s + scene_.fracture.evaluate_interval_share / state_.bound.largest_wave_frequency;
}

void Simulation::crack_at(double clock_s) {
  if (!rounds_) return;
  core::ScopedTimer timer(seconds_.fracture);
  rounds_->hold(constrained_regions());
  if (!rounds_->run(mesh_, scratch_.forces.span(), clock_s, state_.num_steps)) return;
  renew_touched();
  if (implicit_stepper_) implicit_stepper_->take_in_cuts();
}

void Simulation::contact_forces(double dt_s) {
  if (colliders_.size() == 0) {
    dust_.move(colliders_, dt_s, scene_.gravity);
    return;
  }
  core::ScopedTimer timer(seconds_.contact);
  colliders_.add_forces(contact_nodes(), dt_s, scene_.gravity, mesh_.field(contact::kContactOffset).span(),
                        scratch_.forces.span(), step_shares());
  dust_.move(colliders_, dt_s, scene_.gravity);
  colliders_.advance(comm_, state_.time_s + dt_s, dt_s, scene_.gravity);
}

// The criterion comes before contact in a step: it has the forces that brought nodes where they are.
void Simulation::note_contact_forces() {
  if (!begin_contact_accelerations()) return;
  for (const contact::NodeContact& c : colliders_.contacts()) add_contact_acceleration(c.node, c.force());
  for (const contact::ShortContact& c : colliders_.short_contacts())
    add_contact_acceleration(c.pressing.node, c.pressing.force());
  for (const ContactLoad& node : scratch_.pressed) add_contact_acceleration(node.slot, node.force);
}

bool Simulation::begin_contact_accelerations() {
  auto* push = mesh_.find_field(fracture::kContactAcceleration);
  if (push != nullptr) std::ranges::fill(push->span(), fracture::kContactAcceleration.initial);
  return push != nullptr;
}

void Simulation::add_contact_acceleration(std::int32_t slot, const Vec3& force) {
  const LocalNode n(slot);
  Eigen::Map<Vec3>(mesh_.field(fracture::kContactAcceleration)[n].data()) += mesh_.inverse_mass[n] * force;
}

// Forces that are held for the coarse step (ContactLoad).
void Simulation::body_contact_forces(double dt_s) {
  surface_contact_forces(dt_s);
  overlap_contact_forces(dt_s);
}

// Elements use `step_safety` of what a step bears (VALIDATION A8), damping included, and the usual step is as long as
// that; what cohesive links add stays within the rest. A step is shorter where it has to land on a moment, which is no
// reason for stiffer cohesive links.
void Simulation::cohesive_forces(double dt_s) {
  if (!ties_) return;
  core::ScopedTimer timer(seconds_.fracture);
  const double share = std::max(kLeastTieShare, kTieShare * (1 - scene_.time.step_safety));
  state_.contact_step_change.subtract(
      ties_->add_forces(mesh_, std::max(dt_s, state_.usual_step_s), share, scratch_.forces.span()));
}

void Simulation::integrate(double dt_s) {
  begin_subcycling(dt_s);
  core::ScopedTimer timer(seconds_.integration);
  const dynamics::NodeSpans nodes{mesh_.motion.span(), scratch_.forces.span(), mesh_.inverse_mass.span(),
                                  scene_.output.energy_ledger ? mesh_.field(kViscousWork).span() : std::span<double>()};
  std::vector<dist::NodeMotion> before;
  for (std::int32_t i : caches_.prescribed) before.push_back(mesh_.motion[LocalNode(i)]);
  const auto look_ahead = [&](std::span<dist::NodeMotion> predicted, std::span<dist::NodeForce> forces) {
    grip(dt_s, before, predicted);
    mesh_.halo().update_ghosts(predicted);
    dynamics::internal_forces(element_spans(), mesh_.materials, predicted, forces,
                              {.viscous_split = false, .separation_bound = false});
    for (const LoadedNode& node : scratch_.loaded)  // as they are at the start: so their work is what is booked
      for (int k = 0; k < 3; ++k) forces[static_cast<std::size_t>(node.slot)].force[k] += node.force[k];
    contact::ContactNodes there = contact_nodes();
    there.motion = predicted;
    colliders_.look_ahead(there, dt_s, scene_.gravity, mesh_.field(contact::kContactOffset).span(), forces);
  };
  integrator_->step(nodes, scene_.gravity, dt_s, look_ahead);
  colliders_.finish_look_ahead(comm_, dt_s);
  prescribe(dt_s, before);
}

void Simulation::finish_step(double dt_s, double end_s) {
  if (colliders_.size() > 0) {
    core::ScopedTimer timer(seconds_.contact);
    colliders_.add_work(mesh_.motion.span(), dt_s, state_.contact_work);
  }
  dust_.book(colliders_, state_.contact_work);
  book_loads(dt_s);
  book_surface_contact(dt_s);
  book_change_of_step(dt_s);
  finish_coarse_step();
  {
    core::ScopedTimer timer(seconds_.halo);
    mesh_.update_ghost_motion();
  }
  state_.time_s = end_s;
  state_.last_step_s = dt_s;
  ++state_.num_steps;
  if (scene_.time.watch_energy) watch_energy();
  if (state_.num_steps % scene_.time.strain_refresh_steps == 0) {
    check_finite();
    crush();
    release_dust();
    refresh_step_bound();
  }
}

double Simulation::choose_step(double until_s) {
  const double frequency =
      colliders_.size() > 0 ? colliders_.max_frequency(state_.bound.largest_wave_frequency, state_.bound.smallest_mass)
                            : 0;
  const double stable = integrator_->stable_step(state_.bound.coarse_step_s, frequency);
  const double dt_s = std::min(scene_.time.step_safety * state_.watch.share * stable, scene_.time.max_step_s);
  refuse_useless_step(dt_s);
  state_.usual_step_s = dt_s;
  // Land on `until_s` exactly, and not with a remainder step left over.
  const double left = until_s - state_.time_s;
  if (left <= dt_s) return left;
  return left < 2 * dt_s ? 0.5 * left : dt_s;
}

}  // namespace brisance::sim
