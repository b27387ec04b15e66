/// What one key of a [[part]] or a [[factor]] cannot say alone.
#pragma once

#include "brisance/sim/parameters.hpp"

#include "app/scene/origins.hpp"

namespace brisance::app {

/// Fills in what follows from other keys; throws core::Error, with the place in the file, for the first that is wrong.
void complete_and_check_parts(sim::Scene& scene, const Origins& origins);
void check_factors(const sim::Scene& scene, const Origins& origins);

}  // namespace brisance::app
