#include "model_setup.hpp"

#include "brisance/contact/bodies.hpp"
#include "brisance/contact/fields.hpp"
#include "brisance/dynamics/plastic_state.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/fracture/fronts.hpp"

#include <algorithm>
#include <limits>

namespace brisance::sim {

void ModelSetup::share_uncut_altitudes() {
  std::vector<double>& largest = mesh_.facts.max_inverse_altitudes_squared;
  const std::size_t num_materials = scene_.materials.size();
  const std::vector<mesh::GradedRegion>& graded = mesh_.facts.graded;
  for (std::size_t i = 0; i < graded.size(); ++i)
    largest[graded[i].of] = std::max(largest[graded[i].of], largest[num_materials + i]);
  for (std::size_t i = 0; i < graded.size(); ++i) largest[num_materials + i] = largest[graded[i].of];
  for (std::size_t i = 0; i < model_.crushed_form.size(); ++i)
    largest[model_.crushed_form[i]] = std::max(largest[model_.crushed_form[i]], largest[i]);
}

void ModelSetup::note_uncut_mesh() {
  share_uncut_altitudes();
  note_loaded_faces(scene_, mesh_);
  if (bodies_touch(scene_)) contact::note_bodies(mesh_);
  fracture::note_uncut_areas(mesh_);
  fracture::note_fronts(mesh_);
  note_wave_speeds();
}

void ModelSetup::start_plastic_strain() {
  const std::span<dynamics::PlasticBlock> state = mesh_.field(dynamics::kPlasticState);
  if (state.empty()) return;
  for (std::int32_t slot = 0; slot < mesh_.num_element_slots(); ++slot)
    if (const LocalElement e(slot); mesh_.is_held(e))
      dynamics::set_plastic_strain(state, e, mesh_.material(e).initial_plastic_strain);
}

void ModelSetup::note_wave_speeds() {
  std::vector<double> speeds;
  for (const auto& m : mesh_.materials) speeds.push_back(material::pressure_wave_speed(m));
  for (std::size_t i = 0; i < num_solid_materials(); ++i) speeds[model_.crushed_form[i]] = speeds[i];
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh_.is_owned(n))
      mesh_.field(contact::kWaveSpeed)[n] = speeds[mesh_.material_of[LocalElement(mesh_.star(n).front())]];
  rebuild_caches();
  double largest = 0, smallest_mass = std::numeric_limits<double>::infinity();
  for (std::int32_t i : caches_.owned) {
    largest = std::max(largest, caches_.wave_frequency[LocalNode(i)]);
    smallest_mass = std::min(smallest_mass, mesh_.mass[LocalNode(i)]);
  }
  state_.bound.largest_wave_frequency = comm_.max(largest);
  state_.bound.smallest_mass = comm_.min(smallest_mass);
}

void ModelSetup::rebuild_caches() {
  caches_ = {};
  face_loads_.forget();
  caches_.wave_frequency.assign(mesh_.node_id.size(), 0);
  for (std::int32_t i = 1; i < mesh_.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh_.is_owned(n)) enter_into_caches(n);
}

}  // namespace brisance::sim
