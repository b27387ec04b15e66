/// Checks of [fracture] that involve several keys.
#pragma once

#include "brisance/sim/parameters.hpp"

#include "app/scene/origins.hpp"

namespace brisance::app {

/// Throws core::Error, with the place in the file, for the first key that the chosen criterion does not have.
void check_fracture(const sim::Scene& scene, const Origins& origins);

/// Cohesive tractions between crack faces need a fracture energy, and an integrator that supports them. Throws as
/// above.
void check_cohesion(const sim::Scene& scene, const Origins& origins);

}  // namespace brisance::app
