/// Contact by overlaps of tets in a step: when pairs are found, and their forces beside those of elements.
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

void Simulation::find_overlaps() {
  if (!overlaps_) return;
  core::ScopedTimer timer(seconds_.contact);
  overlaps_->bound_stiffness_by(implicit_stepper_ ? 0 : surface_stiffness_step());
  overlaps_->find_for_step(mesh_);
}

void Simulation::find_overlaps_after_cuts() {
  if (!overlaps_) return;
  core::ScopedTimer timer(seconds_.contact);
  overlaps_->find_after_changes(mesh_);
}

// Held for the coarse step, also for nodes that take shorter ones, as contact of surfaces is.
void Simulation::overlap_contact_forces(double dt_s) {
  if (!overlaps_) return;
  find_overlaps_after_cuts();
  core::ScopedTimer timer(seconds_.contact);
  const core::StepSharesOf shares_of = step_shares();
  const auto forces = overlaps_->forces_for_step(mesh_, scratch_.forces.span(),
                                                 {.dt_s = dt_s, .gravity = scene_.gravity, .shares = shares_of});
  for (const contact::OverlapForce& node : forces) press(node.slot, node.force, shares_of);
}

core::ExactSum Simulation::stored_in_overlaps() const {
  if (!overlaps_) return {};
  overlaps_->bound_stiffness_by(implicit_stepper_ ? 0 : surface_stiffness_step());
  overlaps_->find(mesh_, mesh_.motion.span());
  return overlaps_->stored();
}

contact::DeformableReport Simulation::deformable_contacts() const {
  return overlaps_ ? overlaps_->report() : surface_report();
}

}  // namespace brisance::sim
