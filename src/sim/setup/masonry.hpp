/// Bricks and mortar in running bond: bricks lie along x, courses are stacked along z, leaves of the wall stand one
/// behind the other along y.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/sim/part_parameters.hpp"

#include <array>

namespace brisance::sim {

/// Whether a tet belongs to the joints: its middle lies in one, or the middle plane of one passes between its corners,
/// or touches it from below.
/// So joints hang together however coarse the tets are, and are as thick as these where they are thinner. Local.
[[nodiscard]] bool is_mortar(const PartParameters& bond, const std::array<Vec3, 4>& corners);

}  // namespace brisance::sim
