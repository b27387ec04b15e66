/// What one key of a [[load]] cannot say alone.
#pragma once

#include "brisance/sim/load_parameters.hpp"

#include "app/scene/origins.hpp"

#include <vector>

namespace brisance::app {

/// Fills in what follows from other keys; throws core::Error, with the place in the file, for the first that is wrong.
void complete_and_check_loads(std::vector<sim::LoadParameters>& loads, const Origins& origins);

}  // namespace brisance::app
