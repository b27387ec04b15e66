/// Elements compressed to a small share of their volume lose their stiffness for good (Material::crush_below). Crushed
/// material keeps its volume and mass and carries almost no stress. Each material that can be crushed gets a crushed
/// form, a material like any other at the end of the mesh's list.
#pragma once

#include "brisance/material/material.hpp"

#include <span>
#include <vector>

namespace brisance::sim {

/// The scene's materials, then the crushed forms of those that can be crushed, in the same order.
[[nodiscard]] std::vector<material::Material> with_crushed_forms(std::span<const material::Material> materials);

/// Index of each material's crushed form in that list; the material's own index where it has none.
[[nodiscard]] std::vector<material::Index> crushed_forms(std::span<const material::Material> materials);

}  // namespace brisance::sim
