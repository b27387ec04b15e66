/// Moves bodies out of obstacles.
#pragma once

#include "world_body.hpp"

namespace brisance::rigid {

/// Of bodies deep inside a fixed or kinematic obstacle: removes the velocity of the centre into it, reduces that along
/// it by friction, and moves the body out by a share of the depth. To be called after a step.
void lift_sunk_bodies(btCollisionDispatcher& dispatcher, const WorldBodies& bodies);

}  // namespace brisance::rigid
