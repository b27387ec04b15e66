/// Merges pieces below a volume into a neighbour.
#pragma once

#include "brisance/mesh/tets/piece_surface.hpp"

#include <vector>

namespace brisance::mesh {

/// Joins each piece below a volume to the piece with which it shares the largest crack area, smallest piece first: the
/// crack between them is removed, and both surfaces are sewn together along its rim. The total volume is unchanged. A
/// piece remains where no neighbour can take it: it touches none, or the union would not be manifold.
/// @param pieces  cut from one body by cracks whose two sides have the same vertices up to round-off, with any
/// triangles between those; without texture coordinates. The union keeps the neighbour's label
/// @return number of small pieces that remain. Local, deterministic, does not throw.
int join_small_pieces(std::vector<PieceSurface>& pieces, double smallest_m3);

}  // namespace brisance::mesh
