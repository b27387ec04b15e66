/// Moves the middles of boundary edges onto the surface.
#pragma once

#include "brisance/dist/distribute.hpp"

#include "middles.hpp"

namespace brisance::dist {

/// Queries the displacement of every middle of a boundary edge and applies as much of it as keeps the tets well shaped:
/// where one of a tet's children would lose more than half of its smallest altitude, or four fifths of its volume,
/// against straight edges, the tet's middles go half of the way, and if that does not suffice none. The same on any
/// number of ranks; call after Middles::number. Collective.
/// @param times_before  number of earlier refinements
/// @return sums over all ranks
RefinementReport curve_middles(const Mesh& mesh, int times_before, const WayOfMiddle& way_of_middle, Middles& middles);

}  // namespace brisance::dist
