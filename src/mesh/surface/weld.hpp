/// Merges coincident vertices.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>

namespace brisance::mesh {

/// Merges vertices nearer than `tolerance_m` (0: equal ones), and chains of such, into the lexicographically smallest
/// of them. The remaining vertices keep the order in which they first appear.
/// @return number of vertices merged into another one. Local; does not throw.
std::int64_t weld_vertices(Surface& surface, double tolerance_m);

/// Removes vertices of no triangle, keeping the order of the others. @return how many. Local; does not throw.
std::int64_t remove_unused_vertices(Surface& surface);

}  // namespace brisance::mesh
