/// Elastic constants that depend on the direction: as given by a scene, and as used by the formulas.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <string>

namespace brisance::material {

/// Upper triangle of a symmetric 6×6 matrix, row by row.
using UpperTriangle = std::array<double, 21>;

/// Constants along the axes of an orthotropic material. Shear moduli and Poisson's ratios are in the order 12, 13, 23;
/// ν_ij is the contraction along j over the extension along i, under tension along i.
struct Orthotropic {
  Vec3 youngs_moduli = Vec3::Zero();    ///< E1, E2, E3 [Pa]
  Vec3 poissons_ratios = Vec3::Zero();  ///< ν12, ν13, ν23 [–]
  Vec3 shear_moduli = Vec3::Zero();     ///< G12, G13, G23 [Pa]
};

/// The anisotropic law σ_ij = C_ijkl ε_kl  [OH99] (5), 21 constants.
struct Anisotropy {
  // -- as given, along the material's axes: one of these two
  Orthotropic orthotropic;
  UpperTriangle voigt{};  ///< stiffness C_IJ in Voigt's order 11 22 33 23 13 12, shears γ = 2 e_ij [Pa]; or zero

  // -- derived by turned_to; zero where the constants are not those of an elastic material
  UpperTriangle stiffness{};  ///< C in world axes at rest, in the order xx yy zz xy yz zx [Pa]
  double mean_lambda = 0;  ///< λ and μ of C averaged over all directions: the nearest isotropic solid; λ ≥ 0 [Pa]
  double mean_mu = 0;
  /// λ ≥ 0 and 2μ of an isotropic solid that is nowhere less stiff, ε:C:ε ≤ λ (tr ε)² + 2μ ε:ε for every ε [Pa].
  double bound_lambda = 0;
  double bound_two_mu = 0;
};

/// Columns: axis 1 along `grain`, axis 2 along the component of `second` across it, axis 3 by the right-hand rule. Zero
/// where the two are parallel or one is zero.
[[nodiscard]] Mat3 axes_of(const Vec3& grain, const Vec3& second);

/// The constants with the values derived for these axes. Does not throw.
[[nodiscard]] Anisotropy turned_to(Anisotropy given, const Mat3& axes);

/// Why these constants are not those of an elastic material, as the end of a sentence; empty where they are.
[[nodiscard]] std::string complaint_about(const Anisotropy& given);

}  // namespace brisance::material
