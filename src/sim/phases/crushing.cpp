/// Crushing: elements compressed to a small share of their volume change their material.
#include "brisance/dynamics/internal_forces.hpp"

#include "crack_phase.hpp"
#include "sim/for_each_state.hpp"

namespace brisance::sim {

std::vector<std::int32_t> CrackPhase::newly_crushed() const {
  std::vector<std::int32_t> able, crushed;
  for (std::int32_t i = 0; i < mesh_.num_element_slots(); ++i)
    if (const material::Index m = mesh_.material_of[LocalElement(i)];
        model_.crushed_form[m] != m && mesh_.is_held(LocalElement(i)))
      able.push_back(i);
  for_each_state(mesh_, able, [&](LocalElement e, const dynamics::ElementState& state) {
    if (state.determinant < mesh_.material(e).crush_below) crushed.push_back(e.value);
  });
  return crushed;
}

void CrackPhase::crush() {
  if (mesh_.materials.size() == num_solid_materials()) return;
  std::vector<std::int32_t> crushed = newly_crushed();
  std::vector<dynamics::ElementState> before(crushed.size()), after(crushed.size());
  const auto evaluate = [&](std::span<dynamics::ElementState> states) {
    dynamics::element_states(element_spans(), mesh_.materials, mesh_.motion.span(), crushed, states);
  };
  evaluate(before);
  for (const std::int32_t e : crushed) {
    material::Index& m = mesh_.material_of[LocalElement(e)];
    m = model_.crushed_form[m];
  }
  evaluate(after);
  for (std::size_t k = 0; k < crushed.size(); ++k) {
    if (!mesh_.is_home(LocalElement(crushed[k]))) continue;
    state_.crushing_loss.add(before[k].elastic_energy);
    state_.crushing_loss.add(-after[k].elastic_energy);
  }
}

}  // namespace brisance::sim
