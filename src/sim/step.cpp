/// One time step. Each phase is one named call; the order is the order in which they act on the state.
#include "brisance/core/timer.hpp"
#include "brisance/dynamics/explicit_step.hpp"
#include "brisance/sim/simulation.hpp"

#include <algorithm>

namespace brisance::sim {

void Simulation::step(double until_s) {
  kept_half_step_.reset();
  flow_and_internal_forces();
  crack();
  const double dt_s = choose_step(until_s);
  contact_forces(dt_s);
  integrate(dt_s);
  finish_step(dt_s, dt_s == until_s - time_s_ ? until_s : time_s_ + dt_s);
}

void Simulation::flow_and_internal_forces() {
  core::ScopedTimer timer(seconds_.forces);
  forces_.resize(mesh_.node_id.size());
  dynamics::flow_and_internal_forces(element_spans(), mesh_.materials, mesh_.motion.span(), mesh_.plastic,
                                     forces_.span(), force_options());
}

void Simulation::crack() {
  if (!rounds_ || time_s_ < next_fracture_s_) return;
  bool changed = false;
  {
    core::ScopedTimer timer(seconds_.fracture);
    rounds_->hold(held_regions());
    changed = rounds_->run(mesh_, forces_.span(), time_s_, num_steps_);
    if (changed) {
      rebuild_caches();
      contact_cut_loss_.add(contact_before_cuts_);
      contact_cut_loss_.subtract(contact_energy());
    }
  }
  if (scene_.fracture.evaluate_interval_share > 0)
    next_fracture_s_ = time_s_ + scene_.fracture.evaluate_interval_share / largest_wave_frequency_;
  if (changed) {
    refresh_step_bound();
    core::ScopedTimer timer(seconds_.forces);
    forces_.resize(mesh_.node_id.size());
    dynamics::internal_forces(element_spans(), mesh_.materials, mesh_.motion.span(), forces_.span(), force_options());
  }
}

void Simulation::contact_forces(double dt_s) {
  if (colliders_.size() == 0) return;
  core::ScopedTimer timer(seconds_.contact);
  // Forgiven depths live in the node state; contact reads and shrinks them.
  NodeField<double> forgiven(mesh_.node_id.size(), 0);
  for (std::int32_t i : owned_) forgiven[LocalNode(i)] = mesh_.state[LocalNode(i)].forgiven_depth;
  colliders_.add_forces(contact_nodes(), dt_s, scene_.gravity, forgiven.span(), forces_.span());
  for (std::int32_t i : owned_) mesh_.state[LocalNode(i)].forgiven_depth = forgiven[LocalNode(i)];
  colliders_.advance(comm_, time_s_ + dt_s, dt_s, scene_.gravity);
}

void Simulation::integrate(double dt_s) {
  core::ScopedTimer timer(seconds_.integration);
  const dynamics::NodeSpans nodes{mesh_.motion.span(), forces_.span(), mesh_.inverse_mass.span(),
                                  scene_.output.energy_ledger ? viscous_work_.span() : std::span<double>()};
  std::vector<dist::NodeMotion> before;
  for (std::int32_t i : prescribed_) before.push_back(mesh_.motion[LocalNode(i)]);
  switch (scene_.time.integrator) {
    case dynamics::Integrator::symplectic_euler:
      dynamics::symplectic_euler(nodes, scene_.gravity, dt_s);
      break;
    case dynamics::Integrator::forward_euler:
      dynamics::forward_euler(nodes, scene_.gravity, dt_s);
      break;
    case dynamics::Integrator::taylor2: {
      predicted_.resize(mesh_.node_id.size());
      predicted_forces_.resize(mesh_.node_id.size());
      dynamics::predict(nodes, scene_.gravity, dt_s, predicted_.span());
      grip(dt_s, before, predicted_.span());
      mesh_.halo().update_ghosts(predicted_.span());
      dynamics::internal_forces(element_spans(), mesh_.materials, predicted_.span(), predicted_forces_.span(),
                                {.viscous_split = false, .separation_bound = false});
      dynamics::taylor2(nodes, predicted_forces_.span(), scene_.gravity, dt_s);
      break;
    }
  }
  prescribe(dt_s, before);
}

void Simulation::finish_step(double dt_s, double end_s) {
  if (colliders_.size() > 0) {
    core::ScopedTimer timer(seconds_.contact);
    colliders_.add_work(mesh_.motion.span(), dt_s, contact_work_);
  }
  {
    core::ScopedTimer timer(seconds_.halo);
    mesh_.update_ghost_motion();
  }
  time_s_ = end_s;
  last_step_s_ = dt_s;
  ++num_steps_;
  if (scene_.time.watch_energy) watch_energy();
  if (num_steps_ % scene_.time.strain_refresh_steps == 0) {
    check_finite();
    refresh_step_bound();
  }
  if (scene_.migrate_every_steps > 0 && num_steps_ % scene_.migrate_every_steps == 0) migrate_at_random();
}

double Simulation::choose_step(double until_s) {
  // Elements and contact springs together keep dt if dt/dt_elements + dt ω/2 <= 1.
  const double frequency =
      colliders_.size() > 0 ? colliders_.max_frequency(largest_wave_frequency_, smallest_mass_) : 0;
  const double stable = 1 / (1 / bound_.element_step_s + 0.5 * frequency);
  const double dt_s = std::min(scene_.time.step_safety * watched_share_ * stable, scene_.time.max_step_s);
  refuse_useless_step(dt_s);
  // Land on `until_s` exactly, and not with a splinter of a step left over.
  const double left = until_s - time_s_;
  if (left <= dt_s) return left;
  return left < 2 * dt_s ? 0.5 * left : dt_s;
}

}  // namespace brisance::sim
