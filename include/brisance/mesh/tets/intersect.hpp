/// Pieces of a cage, cut back to the body inside it: the outside of the result is exactly the body's surface.
#pragma once

#include "brisance/mesh/tets/piece_surface.hpp"

#include <vector>

namespace brisance::mesh {

/// What of a piece lies inside a body (exact predicates; new points are rounded once). A piece may leave several solids
/// behind, in no particular order but always the same, or none. On the body's surface source_face is that of the body
/// and neighbour kNoNeighbour; on cracks both stay as they were in the piece. Labels are kept. Where the body has
/// patches (solidify.hpp) they may stick out of the cage: there the cage's outside takes their place, without a
/// source_face.
/// @param piece  of a cage that strictly contains the body; must not touch itself (smoothed pieces never do)
/// @param body   meshable (check.hpp)
/// Throws core::Error if the piece ends inside a body without patches, so that the cage does not contain it, or the
/// piece touches itself on the body's surface. Local.
[[nodiscard]] std::vector<PieceSurface> intersect(const PieceSurface& piece, const Surface& body);

}  // namespace brisance::mesh
