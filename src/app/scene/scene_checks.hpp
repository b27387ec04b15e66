/// Checks of a scene that involve several keys: names that must exist, dimensions of a shape, keys that exclude each
/// other.
#pragma once

#include "brisance/sim/parameters.hpp"

#include "app/scene/origins.hpp"

namespace brisance::app {

/// Completes the scene (material of an object in a scene with one material) and throws core::Error, with the place of
/// the entry, for the first contradiction.
void complete_and_check(sim::Scene& scene, const Origins& origins);

}  // namespace brisance::app
