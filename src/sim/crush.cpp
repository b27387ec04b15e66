#include "brisance/sim/crush.hpp"

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

}  // namespace brisance::sim
