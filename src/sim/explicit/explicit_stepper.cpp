/// One explicit step: one call for each phase, in the order in which they change the state.
#include "explicit_stepper.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/sim/fields.hpp"

#include <algorithm>

namespace brisance::sim {

namespace {

/// Share of the stable step for vibrations of cohesive links: over the rest that elements leave, and at least [–].
constexpr double kLinkShare = 0.75, kLeastLinkShare = 0.03;

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

// Elements, damping included, use `step_safety` of the stability limit (VALIDATION A8); cohesive links stay within the
// rest. Their stiffness is chosen for the usual step, also where a step is shorter in order to end at a prescribed
// time.
void ExplicitStepper::add_cohesive_forces(double dt_s) {
  if (!links_) return;
  core::ScopedTimer timer(seconds_.fracture);
  const double share = std::max(kLeastLinkShare, kLinkShare * (1 - scene_.time.step_safety));
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
    for (const LoadedNode& node : scratch_.loaded)  // values at the start of the step, whose work is booked
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
      colliders_.size() > 0
          ? contact::max_frequency(colliders_, state_.bound.largest_wave_frequency, state_.bound.smallest_mass)
          : 0;
  const double stable = integrator_->stable_step(state_.bound.coarse_step_s, frequency);
  const double dt_s = std::min(scene_.time.step_safety * state_.watch.share * stable, scene_.time.max_step_s);
  phases_.limits.refuse_useless_step(dt_s,
                                     scene_.time.step_safety * integrator_->stable_step(state_.bound.coarse_step_s, 0));
  state_.usual_step_s = dt_s;
  // End at `until_s` exactly, without a short remainder step.
  const double left = until_s - state_.time_s;
  if (left <= dt_s) return left;
  return left < 2 * dt_s ? 0.5 * left : dt_s;
}

}  // namespace brisance::sim
