/// Light scattered once in a turbid solid.
#pragma once

#include "render/integrator/arrivals.hpp"
#include "render/integrator/branch.hpp"
#include "render/integrator/stage.hpp"
#include "render/sampling/sampler.hpp"

namespace brisance::render {

/// Scatters a branch once in the solid that it has just entered, at an exponential distance, adds what arrives straight
/// from the lights there, and turns it to a ray outside in an even direction; false if it ends there. Towards the
/// outside directions are straight, with the attenuation of the refracted ray (media::light_through_surface).
bool scatter_once(const Stage& stage, Branch& branch, Sampler& sampler, Arrivals& arrivals);

}  // namespace brisance::render
