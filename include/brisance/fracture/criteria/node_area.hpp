/// Areas of a crack across a node's star.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"

namespace brisance::fracture {

/// A_n(n) = (1/6) Σ s |a_f·n| over the star's faces opposite the node, current positions, s the share of each tet that
/// is filled with material: with σ₀ n nᵀ in the star, v⁺ = σ₀ A_n (VALIDATION C0) [m²]. Owned nodes. Local.
[[nodiscard]] double projected_area(const dist::Mesh& mesh, LocalNode n, const Vec3& normal);

/// λ_min(½ Σ V ∇b ∇bᵀ/|∇b|), V the volume of the material, a lower bound of A_n over all directions, rest shape [m²].
/// Owned nodes. Local.
[[nodiscard]] double least_projected_area(const dist::Mesh& mesh, LocalNode n);

}  // namespace brisance::fracture
