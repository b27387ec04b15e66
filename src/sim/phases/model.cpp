#include "brisance/sim/phases/model.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/contact/forces/edge_contact.hpp"
#include "brisance/contact/forces/overlap_contact.hpp"
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/core/timer.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dynamics/integrator.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/sim/crush.hpp"
#include "brisance/sim/material_table.hpp"

namespace brisance::sim {

Model::~Model() = default;

void Model::set_up() {
  crushed_form = crushed_forms(with_graded_forms(scene.materials, mesh.facts.graded));
  named_material = named_materials(scene.materials, mesh.facts.graded);
}

void ModelView::flow_and_internal_forces() {
  core::ScopedTimer timer(seconds_.forces);
  model_.coarse_updates += mesh_.num_element_slots();
  scratch_.forces.resize(mesh_.node_id.size());
  dynamics::flow_and_internal_forces(element_spans(), mesh_.materials, mesh_.motion.span(),
                                     mesh_.field(dynamics::kPlasticState), scratch_.forces.span(), force_options());
}

bool ModelView::is_explicit() const { return !dynamics::is_implicit(scene_.time.integrator); }

bool ModelView::nodes_came_with_their_velocities() const {
  return dynamics::kind_of(scene_.time.integrator).moves_by_new_velocity;
}

dynamics::ForceOptions ModelView::force_options() const {
  return {.viscous_split = scene_.output.energy_ledger,
          .separation_bound = rounds_.has_value(),
          .since_flow_s = nodes_came_with_their_velocities() ? state_.last_step_s : 0,
          .step_class = mesh_.field(dynamics::kLastStepClass).span()};
}

fracture::ConstrainedRegions ModelView::constrained_regions() const {
  return regions_constrained_at(scene_, state_.time_s);
}

bool ModelView::meets_colliders(LocalNode n) const {
  return mesh_.find_field(dist::kVertex) == nullptr || dist::is_real(mesh_, n);
}

contact::ContactNodes ModelView::contact_nodes() const {
  const bool has_virtual_nodes = mesh_.find_field(dist::kVertex) != nullptr;
  return {mesh_.motion.span(), mesh_.mass.span(), caches_.wave_frequency.span(),
          has_virtual_nodes ? caches_.touchable : caches_.owned};
}

core::ExactSum ModelView::contact_energy(const contact::ContactNodes& nodes) const {
  return colliders_.stored_energy(nodes, mesh_.field(contact::kContactOffset).span());
}

double ModelView::surface_stiffness_step() const { return scene_.time.step_safety * state_.bound.coarse_step_s; }

contact::SurfaceStep ModelView::surface_step(double dt_s) const {
  return {.time_s = state_.time_s,
          .dt_s = dt_s,
          .last_dt_s = state_.last_step_s,
          .stiffness_step_s = surface_stiffness_step()};
}

void ModelView::enter_into_caches(LocalNode n) {
  caches_.owned.push_back(n.value);
  if (mesh_.find_field(dist::kVertex) != nullptr && meets_colliders(n)) caches_.touchable.push_back(n.value);
  if (mesh_.field(dist::kRegions)[n] != 0) caches_.prescribed.push_back(n.value);
  caches_.wave_frequency[n] = mesh_.field(contact::kWaveSpeed)[n] / mesh_.field(dist::kUncutEdgeLength)[n];
}

}  // namespace brisance::sim
