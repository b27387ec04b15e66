/// Contact by overlaps of tets in a step: when pairs are found, and their forces.
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/timer.hpp"

#include "contact_phase.hpp"

namespace brisance::sim {

void ContactPhase::bound_overlap_stiffness() const {
  overlaps_->bound_stiffness_by(is_explicit() ? surface_stiffness_step() : 0);
}

void ContactPhase::find_overlaps() {
  if (!overlaps_) return;
  core::ScopedTimer timer(seconds_.contact);
  bound_overlap_stiffness();
  overlaps_->find_for_step(mesh_);
}

void ContactPhase::find_overlaps_after_cuts() {
  if (!overlaps_) return;
  core::ScopedTimer timer(seconds_.contact);
  overlaps_->find_after_changes(mesh_);
}

// Constant over the coarse step, also for sub-cycled nodes, as in add_surface_forces.
void ContactPhase::add_overlap_forces(double dt_s) {
  if (!overlaps_) return;
  find_overlaps_after_cuts();
  core::ScopedTimer timer(seconds_.contact);
  const core::StepSharesOf shares_of = limits_.step_shares();
  const auto forces = overlaps_->forces_for_step(mesh_, scratch_.forces.span(),
                                                 {.dt_s = dt_s, .gravity = scene_.gravity, .shares = shares_of});
  for (const contact::OverlapForce& node : forces) add(node.slot, node.force, shares_of);
}

core::ExactSum ContactPhase::stored_in_overlaps() const {
  if (!overlaps_) return {};
  bound_overlap_stiffness();
  overlaps_->find(mesh_, mesh_.motion.span());
  return overlaps_->stored();
}

contact::DeformableReport ContactPhase::report() const {
  if (overlaps_) return overlaps_->report();
  if (!surface_) return {};
  const contact::SurfaceReport& found = surface_->report();
  return {.pairs = found.contacts,
          .across = found.across_ranks,
          .deepest = found.deepest_share,
          .deepest_place = found.deepest_place,
          .deepest_edge_m = found.deepest_edge_m,
          .deep = found.deep};
}

void ContactPhase::start_overlaps(bool takes_start) {
  contact::DeformableParameters parameters = scene_.contact;
  parameters.criterion = contact_criterion(scene_);
  overlaps_ = std::make_unique<contact::OverlapContact>(parameters);
  if (!takes_start) return;
  bound_overlap_stiffness();
  overlaps_->take_start(mesh_);
}

}  // namespace brisance::sim
