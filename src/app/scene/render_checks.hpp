/// Checks of [render] and [camera] that involve several keys.
#pragma once

#include "brisance/sim/parameters.hpp"

#include "app/scene/origins.hpp"

namespace brisance::app {

/// Throws core::Error, with the place in the file, for the first error: a parameter that its kind does not have, a
/// missing image, an unknown name, objects that cannot be told apart, camera keys that do not ascend.
void check_pictures(const sim::Scene& scene, const Origins& origins);

}  // namespace brisance::app
