/// Bricks and mortar in running bond: bricks lie along x, courses are stacked along z, and leaves (layers) of the wall
/// follow each other along y.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/sim/part_parameters.hpp"

#include <array>

namespace brisance::sim {

/// Whether a tet belongs to the joints: its centroid lies in one, or the middle plane of one passes between its corners
/// or touches it from below. So joints are connected for tets of any size, and at least one tet thick. Local.
[[nodiscard]] bool is_mortar(const PartParameters& bond, const std::array<Vec3, 4>& corners);

}  // namespace brisance::sim
