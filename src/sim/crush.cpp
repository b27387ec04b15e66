#include "brisance/sim/crush.hpp"

#include "brisance/dist/home_elements.hpp"

#include "crack_phase.hpp"
#include "for_each_state.hpp"

namespace brisance::sim {

std::vector<material::Material> with_crushed_forms(std::span<const material::Material> materials) {
  std::vector<material::Material> list(materials.begin(), materials.end());
  for (const material::Material& m : materials) {
    if (!m.can_be_crushed()) continue;
    list.push_back(material::stiffened(m, m.crushed_stiffness_share));
    list.back().name += " (crushed)";
  }
  return list;
}

std::vector<material::Index> crushed_forms(std::span<const material::Material> materials) {
  std::size_t next = materials.size();
  std::vector<material::Index> forms;
  for (std::size_t i = 0; i < materials.size(); ++i)
    forms.push_back(static_cast<material::Index>(materials[i].can_be_crushed() ? next++ : i));
  forms.resize(next);
  for (std::size_t i = materials.size(); i < next; ++i)
    forms[i] = static_cast<material::Index>(i);  // crushed material stays crushed material
  return forms;
}

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
