/// Removes triangles without area, whose corners lie on a line.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>

namespace brisance::mesh {

/// Removes triangles with a repeated corner, and those whose three corners lie exactly on a line: the middle corner is
/// inserted into the neighbour across the long edge instead, which becomes two, so that the surface stays closed (a
/// flat triangle whose long edge is open or has several neighbours stays).
/// @return number of flat triangles removed. Local; does not throw.
std::int64_t remove_flat_triangles(Surface& surface);

}  // namespace brisance::mesh
