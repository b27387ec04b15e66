/// Diffuse light in a plane slab in closed form: what the half space of a dipole leaves out.
#pragma once

#include "medium.hpp"

namespace brisance::render::media {

/// Shares of the light that entered a slab.
struct SlabLight {
  Channels reflected;    ///< leaves on the side where it entered
  Channels transmitted;  ///< leaves on the other side
};

/// Diffusion between the extrapolated boundaries of a slab, with a plane source at depth ℓ = 1/σ'_t:
///
///   R = α' cosh(σ_tr z_b) sinh(σ_tr (t + z_b − ℓ))/sinh(σ_tr (t + 2z_b)),  z_b = 2A/(3σ'_t)
///   T = α' cosh(σ_tr z_b) sinh(σ_tr (ℓ + z_b))/sinh(σ_tr (t + 2z_b)),
///
/// which is the sum over all image sources (the multipole of Donner and Jensen 2005). Light that crosses without
/// scattering is not part of it. Not valid where the thickness t is below ℓ.
/// @param thickness  t [m]
[[nodiscard]] SlabLight slab_light(const Medium& medium, double thickness);

}  // namespace brisance::render::media
