/// Checks of a [[part]] or a [[factor]] that involve several keys.
#pragma once

#include "brisance/sim/parameters.hpp"

#include "app/scene/origins.hpp"

namespace brisance::app {

/// Sets values that follow from other keys; throws core::Error, with the place in the file, for the first error.
void complete_and_check_parts(sim::Scene& scene, const Origins& origins);
void check_factors(const sim::Scene& scene, const Origins& origins);

}  // namespace brisance::app
