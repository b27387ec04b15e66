/// Updates after cuts. They are confined to the elements near the cuts, so the cost of a crack does not depend on the
/// size of the mesh.
#include "crack_phase.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/contact/forces/edge_contact.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/error.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/critical_step.hpp"

#include "time_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace brisance::sim {

fracture::Services CrackPhase::services() {
  fracture::Services services;
  services.corner_forces = [this](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
    dynamics::corner_forces(element_spans(), mesh_.materials, mesh_.motion.span(), chosen, result);
  };
  services.cuts_finished = [this] { take_in_cuts(); };
  services.node_born = [this](LocalNode created, LocalNode a, LocalNode b, double t) {
    auto& offset = mesh_.field(contact::kContactOffset);
    const auto position = [this](LocalNode n) { return Vec3(mesh_.motion[n].position); };
    offset[created] =
        contact::offset_at_birth(colliders_, position(created), t, {position(a), offset[a]}, {position(b), offset[b]});
  };
  return services;
}

void CrackPhase::crack() {
  if (!rounds_ || state_.time_s < state_.next_fracture_s) return;
  crack_at(state_.time_s);
  if (scene_.fracture.evaluate_interval_share > 0)
    state_.next_fracture_s =
        state_.time_s + scene_.fracture.evaluate_interval_share / state_.bound.largest_wave_frequency;
}

void CrackPhase::crack_at(double clock_s) {
  if (!rounds_) return;
  core::ScopedTimer timer(seconds_.fracture);
  rounds_->hold(constrained_regions());
  if (!rounds_->run(mesh_, scratch_.forces.span(), clock_s, state_.num_steps)) return;
  renew_touched();
  stepper_->take_in_cuts();
}

void CrackPhase::take_in_cuts() {
  face_loads_.forget();
  const auto touched = mesh_.touched_nodes();
  const auto masses_before = mesh_.masses_before();
  const std::size_t slots = mesh_.node_id.size();
  caches_.wave_frequency.resize(slots, 0);
  scratch_.mass_before.resize(slots, 0);

  std::vector<std::int32_t> now, before;
  double largest = state_.bound.largest_wave_frequency, smallest_mass = state_.bound.smallest_mass;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const LocalNode n = touched[i];
    const bool is_new = masses_before[i] == 0;
    if (is_new) enter_into_caches(n);
    scratch_.mass_before[n] = masses_before[i];
    if (meets_colliders(n)) now.push_back(n.value);
    if (meets_colliders(n) && !is_new) before.push_back(n.value);
    largest = std::max(largest, caches_.wave_frequency[n]);
    smallest_mass = std::min(smallest_mass, mesh_.mass[n]);
  }
  state_.bound.largest_wave_frequency = largest;  // of this rank, until StepLimits::agree
  state_.bound.smallest_mass = smallest_mass;
  scratch_.touched.insert(scratch_.touched.end(), touched.begin(), touched.end());

  // Springs depend on a node's mass, position and contact offset, so those of untouched nodes are unchanged.
  const contact::ContactNodes nodes = contact_nodes();
  state_.contact_cut_loss.add(
      contact_energy({nodes.motion, scratch_.mass_before.span(), nodes.wave_frequency, before}));
  state_.contact_cut_loss.subtract(contact_energy({nodes.motion, nodes.mass, nodes.wave_frequency, now}));
}

void CrackPhase::renew_touched() {
  std::vector<LocalNode>& touched = scratch_.touched;
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  const std::vector<std::int32_t> elements = dist::elements_around(mesh_, touched);

  const dynamics::Strains found = limits_.strains();
  scratch_.steps.resize(found.norm.size());
  scratch_.stiffness.resize(mesh_.node_id.size());
  dynamics::strains_and_stiffness_of(element_spans(), mesh_.materials, mesh_.motion.span(), elements, found,
                                     scratch_.stiffness.span());
  rounds_->note_strain(mesh_, touched, scratch_.strain);
  auto& added_stiffness = mesh_.field(dynamics::kAddedStiffness);
  for (LocalNode n : touched) added_stiffness[n] = scratch_.stiffness[n] * mesh_.inverse_mass[n];
  // Every rank that holds an element of a touched node finds the same step for it.
  std::vector<LocalNode> around = mesh_.update_ghosts_of<double>(touched, added_stiffness.span());
  const std::vector<std::int32_t> others = dist::elements_around(mesh_, around);
  dynamics::strains_and_stiffness_of(element_spans(), mesh_.materials, mesh_.motion.span(), others, found,
                                     scratch_.stiffness.span());
  around.insert(around.end(), touched.begin(), touched.end());
  const std::vector<std::int32_t> all = dist::elements_around(mesh_, around);
  const auto local =
      dynamics::critical_step_of(element_spans(), mesh_.materials, all, found, added_stiffness.span(), scratch_.steps);
  limits_.agree(local, state_.bound);
  limits_.update_step_classes(all);

  scratch_.forces.resize(mesh_.node_id.size());
  scratch_.partial_forces.resize(mesh_.node_id.size());
  dynamics::internal_forces_of(element_spans(), mesh_.materials, mesh_.motion.span(), elements,
                               scratch_.partial_forces.span(), force_options());
  for (LocalNode n : touched) scratch_.forces[n] = scratch_.partial_forces[n];
  if (overlaps_) overlaps_->note_cuts();
  if (surface_) surface_->note_cuts(touched);
  if (edges_) edges_->forget();
  if (links_) links_->take_in(mesh_, touched);
  touched.clear();
  if (scene_.fracture.check_invariants) require_as_computed_anew();
}

void CrackPhase::require_as_computed_anew() const {
  core::agree(comm_, [&] {
    AlignedNodeField<dist::NodeForce> forces(mesh_.node_id.size());
    dynamics::internal_forces(element_spans(), mesh_.materials, mesh_.motion.span(), forces.span(), force_options());
    for (std::int32_t i : caches_.owned)
      if (const LocalNode n(i); std::memcmp(&forces[n], &scratch_.forces[n], sizeof(dist::NodeForce)) != 0)
        throw core::Error("step " + std::to_string(state_.num_steps) + ": the force on node " +
                          std::to_string(mesh_.node_id[n].value) +
                          " was not renewed after a cut (a fault of the program, please report)");
    std::size_t num_owned = 0;
    for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i) num_owned += mesh_.is_owned(LocalNode(i)) ? 1 : 0;
    if (num_owned != caches_.owned.size())
      throw core::Error("step " + std::to_string(state_.num_steps) +
                        ": nodes are missing in a cache after a cut (a fault of the program, please report)");
  });
}

}  // namespace brisance::sim
