/// Checks of what is given to a rigid::World.
#pragma once

#include "brisance/rigid/world.hpp"

namespace brisance::rigid {

/// Throw core::Error that names the value out of range. Local.
void require_valid(const Obstacle& obstacle);
void require_valid(const WorldParameters& parameters);

}  // namespace brisance::rigid
