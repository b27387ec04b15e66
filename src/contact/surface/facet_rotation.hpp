/// The rigid rotation of a facet: its angular velocity, and the forces on its corners that are a pure moment.
#pragma once

#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/core/types.hpp"

#include <array>

namespace brisance::contact {

/// Forces on three corners whose sum is zero and whose moment about any point is τ: fₖ = (J⁻¹ τ) × (xₖ − x̄), J being
/// the inertia of corners of unit mass about their centre x̄ [N].
[[nodiscard]] std::array<Vec3, 3> couple(const FacetCorners& x, const Vec3& moment);

/// Angular velocity of three corners, J⁻¹ Σ (xₖ − x̄) × vₖ, which is conjugate to the couple [rad/s].
[[nodiscard]] Vec3 spin_of(const FacetCorners& x, const std::array<Vec3, 3>& velocity);

}  // namespace brisance::contact
