/// Checks of a [[load]] that involve several keys.
#pragma once

#include "brisance/sim/load_parameters.hpp"

#include "app/scene/origins.hpp"

#include <vector>

namespace brisance::app {

/// Sets values that follow from other keys; throws core::Error, with the place in the file, for the first error.
void complete_and_check_loads(std::vector<sim::LoadParameters>& loads, const Origins& origins);

}  // namespace brisance::app
