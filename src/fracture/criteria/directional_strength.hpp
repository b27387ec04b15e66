/// Strength that depends on the direction: the tensor is scaled along the material's axes, so that one limit holds for
/// all directions.
///
///   T' = A T A,  A = R Σ e_i e_iᵀ/√r_i Rᵀ
///
/// e_i are the axes at rest, R their rotation since, r_i the material's strength_ratio. Under tension along axis i the
/// material is r_i times as strong as `toughness`; along n it fails at σ = toughness/Σ (n·e_i)²/r_i, which is
/// Hankinson's formula (1921). The plane, perpendicular to the eigenvector of T', is inclined towards the weak
/// directions.
#pragma once

#include "brisance/dist/mesh.hpp"
#include "brisance/material/material.hpp"

namespace brisance::fracture {

/// The least toughness of any direction, as a share of the material's own.
[[nodiscard]] double weakest_share(const material::Material& m);

/// A for elements that have turned by R.
[[nodiscard]] Mat3 strength_scale(const material::Material& m, const Mat3& rotation);

/// R of the star's elements of the k-th material: the rotation of their mean deformation, weighed with their volumes at
/// rest. Terms are added in the star's order. Local.
[[nodiscard]] Mat3 rotation_of_star(const dist::Mesh& mesh, LocalNode n, std::size_t k);

/// R of one element. Local.
[[nodiscard]] Mat3 rotation_of_element(const dist::Mesh& mesh, LocalElement e);

}  // namespace brisance::fracture
