/// All materials of a run: the scene's, their graded forms, and the crushed forms of both (sim/crush.hpp).
#pragma once

#include "brisance/material/material.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <span>
#include <vector>

namespace brisance::sim {

/// The scene's materials, then the graded ones, with stiffness and damping scaled by the same factor. Local.
[[nodiscard]] std::vector<material::Material> with_graded_forms(std::span<const material::Material> materials,
                                                                std::span<const mesh::GradedRegion> graded);

/// with_graded_forms, then the crushed forms of those that can be crushed. Local.
[[nodiscard]] std::vector<material::Material> material_table(std::span<const material::Material> materials,
                                                             std::span<const mesh::GradedRegion> graded);

/// For each material of the table, its index in with_crushed_forms(materials), the list in files; a graded form has the
/// index of its ungraded material. Local.
[[nodiscard]] std::vector<material::Index> named_materials(std::span<const material::Material> materials,
                                                           std::span<const mesh::GradedRegion> graded);

}  // namespace brisance::sim
