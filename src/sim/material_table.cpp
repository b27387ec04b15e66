#include "brisance/sim/material_table.hpp"

#include "brisance/sim/crush.hpp"

namespace brisance::sim {

std::vector<material::Material> with_graded_forms(std::span<const material::Material> materials,
                                                  std::span<const mesh::GradedRegion> graded) {
  std::vector<material::Material> list(materials.begin(), materials.end());
  for (const mesh::GradedRegion& form : graded)
    list.push_back(material::stiffened(materials[static_cast<std::size_t>(form.of)], form.stiffness));
  return list;
}

std::vector<material::Material> material_table(std::span<const material::Material> materials,
                                               std::span<const mesh::GradedRegion> graded) {
  return with_crushed_forms(with_graded_forms(materials, graded));
}

std::vector<material::Index> named_materials(std::span<const material::Material> materials,
                                             std::span<const mesh::GradedRegion> graded) {
  const std::vector<material::Material> solid = with_graded_forms(materials, graded);
  const std::vector<material::Index> crushed = crushed_forms(solid), crushed_name = crushed_forms(materials);
  std::vector<material::Index> names(crushed.size());
  for (std::size_t i = 0; i < solid.size(); ++i) {
    const std::size_t of = i < materials.size() ? i : static_cast<std::size_t>(graded[i - materials.size()].of);
    names[crushed[i]] = crushed_name[of];
    names[i] = static_cast<material::Index>(of);
  }
  return names;
}

}  // namespace brisance::sim
