/// Means of the Fresnel reflectance over diffuse light, and what diffusion theory makes of them.
#pragma once

namespace brisance::render::media {

/// Share of diffuse light from outside that a medium of this index (≥ 1) reflects:
///
///   F_ext = ∫ 2μ F(μ) dμ   in closed form [Walsh 1926]
[[nodiscard]] double external_reflectance(double index);

/// Share of diffuse light from inside that is reflected back: F_int = 1 − (1 − F_ext)/η², by reciprocity.
[[nodiscard]] double internal_reflectance(double index);

/// The polynomial that stands for F_int in diffusion theory, for η > 1 [Jensen et al. 2001, section 2.2]:
///
///   F_dr = −1.440/η² + 0.710/η + 0.668 + 0.0636 η
[[nodiscard]] double internal_reflectance_fit(double index);

/// A = (1 + F_int)/(1 − F_int): the extrapolated boundary lies 2 A/(3 σ'_t) outside. With the polynomial, but the exact
/// 1 for η = 1, where the polynomial is not meant to hold.
[[nodiscard]] double boundary_mismatch(double index);

}  // namespace brisance::render::media
