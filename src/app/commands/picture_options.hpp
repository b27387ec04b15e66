/// From what a scene says of pictures to the options of the renderer.
#pragma once

#include "brisance/render/options.hpp"
#include "brisance/sim/parameters.hpp"

namespace brisance::app {

/// Takes size, camera, materials, lights, samples and the like from a scene; an automatic camera only its field of view
/// and up. Local.
void take_from_scene(render::Options& options, const sim::Scene& scene);

}  // namespace brisance::app
