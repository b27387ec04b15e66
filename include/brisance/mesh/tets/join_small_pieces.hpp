/// Pieces too small to matter become part of a neighbour again.
#pragma once

#include "brisance/mesh/tets/piece_surface.hpp"

#include <vector>

namespace brisance::mesh {

/// Joins each piece below a volume to the piece it shares the largest crack area with, smallest first: the crack
/// between them goes, and both surfaces are sewn together along its rim. Volumes add up as before. A piece stays where
/// no neighbour takes it: it touches none, or the union would not be manifold.
/// @param pieces  cut from one body by cracks that both sides hold with the same vertices up to round-off, whatever
/// their
///                triangles between those; without texture coordinates. The union keeps the neighbour's label
/// @return how many small pieces are left. Local, deterministic, does not throw.
int join_small_pieces(std::vector<PieceSurface>& pieces, double smallest_m3);

}  // namespace brisance::mesh
