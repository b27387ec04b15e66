/// All materials that a run computes with: the scene's, graded forms of them, and the crushed material of both
/// (sim/crush.hpp).
#pragma once

#include "brisance/material/material.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <span>
#include <vector>

namespace brisance::sim {

/// The scene's materials, then its graded ones: of other stiffness and damping, by the same factor. Local.
[[nodiscard]] std::vector<material::Material> with_graded_forms(std::span<const material::Material> materials,
                                                                std::span<const mesh::GradedRegion> graded);

/// Those, then the crushed forms of those that can be crushed. Local.
[[nodiscard]] std::vector<material::Material> material_table(std::span<const material::Material> materials,
                                                             std::span<const mesh::GradedRegion> graded);

/// Where each of the table stands in with_crushed_forms(materials), the list that files name: graded forms are what
/// they are forms of. Local.
[[nodiscard]] std::vector<material::Index> named_materials(std::span<const material::Material> materials,
                                                           std::span<const mesh::GradedRegion> graded);

}  // namespace brisance::sim
