/// One explicit step. Each phase is one named call; the order is the order in which they act on the state.
#include "explicit_stepper.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/sim/fields.hpp"

#include <algorithm>

namespace brisance::sim {

namespace {

/// Of what elements leave of the longest stable step, what the vibrations of cohesive links take, and the least that
/// they take.
constexpr double kTieShare = 0.75, kLeastTieShare = 0.03;

}  // namespace

ExplicitStepper::ExplicitStepper(Model& model, Phases& phases)
    : ModelView(model), phases_(phases), integrator_(dynamics::make_integrator(model.scene.time.integrator)) {}

void ExplicitStepper::step(double until_s) {
  flow_and_internal_forces();
  phases_.contact.find_overlaps();
  phases_.cracks.crack();
  const double dt_s = choose_step(until_s);
  gather_subcycled();
  phases_.loads.add_forces(dt_s);
  phases_.contact.add_rigid_forces(dt_s);
  phases_.contact.add_body_forces(dt_s);
  phases_.contact.note_forces();
  add_cohesive_forces(dt_s);
  integrate(dt_s);
  finish_step(dt_s, dt_s == until_s - state_.time_s ? until_s : state_.time_s + dt_s);
}

// Elements use `step_safety` of what a step bears (VALIDATION A8), damping included, and the usual step is as long as
// that; what cohesive links add stays within the rest. A step is shorter where it has to land on a moment, which is no
// reason for stiffer cohesive links.
void ExplicitStepper::add_cohesive_forces(double dt_s) {
  if (!links_) return;
  core::ScopedTimer timer(seconds_.fracture);
  const double share = std::max(kLeastTieShare, kTieShare * (1 - scene_.time.step_safety));
  state_.contact_step_change.subtract(
      links_->add_forces(mesh_, std::max(dt_s, state_.usual_step_s), share, scratch_.forces.span()));
}

void ExplicitStepper::integrate(double dt_s) {
  begin_subcycling(dt_s);
  core::ScopedTimer timer(seconds_.integration);
  const dynamics::NodeSpans nodes{mesh_.motion.span(), scratch_.forces.span(), mesh_.inverse_mass.span(),
                                  scene_.output.energy_ledger ? mesh_.field(kViscousWork).span() : std::span<double>()};
  std::vector<dist::NodeMotion> before;
  for (std::int32_t i : caches_.prescribed) before.push_back(mesh_.motion[LocalNode(i)]);
  const auto look_ahead = [&](std::span<dist::NodeMotion> predicted, std::span<dist::NodeForce> forces) {
    phases_.motion.apply(dt_s, before, predicted);
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
  phases_.motion.prescribe(dt_s, before);
}

void ExplicitStepper::finish_step(double dt_s, double end_s) {
  phases_.contact.book_rigid(dt_s);
  phases_.loads.book(dt_s);
  phases_.contact.book_bodies(dt_s);
  phases_.ledger.book_change_of_step(dt_s);
  finish_coarse_step();
  {
    core::ScopedTimer timer(seconds_.halo);
    mesh_.update_ghost_motion();
  }
  state_.time_s = end_s;
  state_.last_step_s = dt_s;
  ++state_.num_steps;
  if (scene_.time.watch_energy) phases_.ledger.watch();
  if (state_.num_steps % scene_.time.strain_refresh_steps == 0) {
    phases_.limits.check_finite();
    phases_.cracks.crush();
    phases_.dust.release();
    phases_.limits.refresh();
  }
}

double ExplicitStepper::choose_step(double until_s) {
  const double frequency =
      colliders_.size() > 0 ? colliders_.max_frequency(state_.bound.largest_wave_frequency, state_.bound.smallest_mass)
                            : 0;
  const double stable = integrator_->stable_step(state_.bound.coarse_step_s, frequency);
  const double dt_s = std::min(scene_.time.step_safety * state_.watch.share * stable, scene_.time.max_step_s);
  phases_.limits.refuse_useless_step(dt_s,
                                     scene_.time.step_safety * integrator_->stable_step(state_.bound.coarse_step_s, 0));
  state_.usual_step_s = dt_s;
  // Land on `until_s` exactly, and not with a remainder step left over.
  const double left = until_s - state_.time_s;
  if (left <= dt_s) return left;
  return left < 2 * dt_s ? 0.5 * left : dt_s;
}

}  // namespace brisance::sim
