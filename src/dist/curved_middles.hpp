/// Middles of edges of the boundary, put where the surface is.
#pragma once

#include "brisance/dist/distribute.hpp"

#include "middles.hpp"

namespace brisance::dist {

/// Asks for every middle of an edge on the boundary where it belongs, and lets it go there as far as the tets bear it:
/// a tet one of whose children would lose more than half of its smallest altitude, or four fifths of its volume,
/// against straight edges makes its middles stop half way, and then stay. The same on any number of ranks; after
/// Middles::number. Collective.
/// @param times_before  that the mesh was divided already
/// @return of all ranks
RefinementReport curve_middles(const Mesh& mesh, int times_before, const WayOfMiddle& way_of_middle, Middles& middles);

}  // namespace brisance::dist
