/// Light that is scattered once in a half space: the term that diffusion blurs most.
#pragma once

#include "medium.hpp"

namespace brisance::render::media {

/// Radiance leaving for irradiance entering, between directions outside, as a BRDF [1/sr]:
///
///   f = α'/(4π η²) F_t(μ_i) F_t(μ_o)/(μ'_i + μ'_o)
///
/// with cosines μ outside and μ' inside: the integral along the refracted ray of [Jensen et al. 2001, eq. (6)] over a
/// plane that is lit evenly.
[[nodiscard]] Channels single_scattering(const Medium& medium, double cosine_in, double cosine_out);

/// Share of the light that enters from even surroundings, and leaves after exactly one event. Light that is reflected
/// inside, before or after, is not counted.
[[nodiscard]] Channels single_scattering_albedo(const Medium& medium);

/// A distance along the refracted ray where light was scattered, and σ'_s e^(−σ'_t s)/density.
struct ScatteringPoint {
  double distance;  ///< s [m]
  Channels weight;
};

/// Exponential, by the extinction of one channel chosen evenly; the weight divides by the density of all three (balance
/// heuristic).
/// @param u, v  uniform in [0, 1): channel and distance
[[nodiscard]] ScatteringPoint sample_scattering_point(const Medium& medium, double u, double v);

/// What arrives at a point inside from a direction outside, as a factor of its radiance, per solid angle outside:
///
///   μ_i/(η² μ'_i) F_t(μ_i) e^(−σ'_t s'),  s' = s μ_i/μ'_i
///
/// where s is the straight distance to the surface, as if nothing were refracted [Jensen et al. 2001, section 3.2];
/// exact under a plane. The η² of radiance that leaves again is in it.
/// @param cosine_in  μ_i at the point of the surface that the straight ray crosses, in (0, 1]
[[nodiscard]] Channels light_through_surface(const Medium& medium, double cosine_in, double distance);

}  // namespace brisance::render::media
