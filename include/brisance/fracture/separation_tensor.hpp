/// The separation tensor of a node and what is read from it: how hard, and across which plane, it is pulled apart.
#pragma once

#include "brisance/core/types.hpp"

#include <span>

namespace brisance::fracture {

/// Separation tensor of one node: how hard the tets around it pull it apart.
///
///   ζ = ½ ( −m(f⁺) + Σ m(fᵢ⁺) + m(f⁻) − Σ m(fᵢ⁻) ),  m(a) = a aᵀ/|a|, m(0) = 0     [OH99] eq. (32)
///
/// @param tensile, compressive  fᵢ⁺ and fᵢ⁻ of the star's tets in ascending element id [N]; empty is allowed
/// @return symmetric 3×3 [N]; its largest eigenvalue meets the toughness, its eigenvector is the plane normal
/// Local (no communication); does not throw.
[[nodiscard]] Mat3 separation_tensor(std::span<const Vec3> tensile, std::span<const Vec3> compressive);

/// The largest eigenvalue and its eigenvector.
struct PrincipalSeparation {
  double force = 0;               ///< v⁺ [N]
  Vec3 normal = Vec3::UnitX();    ///< unit normal of the fracture plane, world coordinates
};

/// Where the two or three largest eigenvalues agree to 1e-9 of the spectrum's size, any normal in their plane (or any at
/// all) would do [OH99 section 4.1]; chosen is then the projection of the first of the axes x, y, z that lies within 60°
/// of that plane. The sign makes the largest component positive. A pure function of ζ. Local; does not throw.
[[nodiscard]] PrincipalSeparation principal_separation(const Mat3& zeta);

}  // namespace brisance::fracture
