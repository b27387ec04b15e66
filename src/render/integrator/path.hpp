/// Radiance along one camera ray: diffuse surfaces under sun and sky, any number of bounces.
#pragma once

#include "light.hpp"
#include "sampler.hpp"
#include "tracer.hpp"

namespace brisance::render {

/// Planes fade into the background away from a point, so that no horizon is visible.
struct Fade {
  Vec3f centre;
  float distance;  ///< [m]
};

/// Unbiased estimate of the radiance arriving along `ray` [1: a white surface in white light]. Paths end by Russian
/// roulette from the third surface on. A plane fades into the background away from `fade.centre`.
/// @param height  position of the ray in the picture, 0 bottom … 1 top
[[nodiscard]] Rgb radiance(const Tracer& tracer, const Light& light, const Ray& ray, float height, const Fade& fade,
                           Sampler& sampler);

}  // namespace brisance::render
