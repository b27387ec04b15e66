/// Cuts pieces of a cage back to the body inside it: the outside of the result is exactly the body's surface.
#pragma once

#include "brisance/mesh/tets/piece_surface.hpp"

#include <vector>

namespace brisance::mesh {

/// The part of a piece inside a body (exact predicates; new points are rounded once). The result may be several solids,
/// in a reproducible order, or none. On the body's surface source_face is that of the body and neighbour kNoNeighbour;
/// on cracks both are those of the piece. Labels are kept. Where the body has patches (solidify.hpp) that stick out of
/// the cage, the cage's outside replaces them, without a source_face.
/// @param piece  of a cage that strictly contains the body; must not touch itself (smoothed pieces never do)
/// @param body   meshable (check.hpp)
/// Throws core::Error if the piece ends inside a body without patches, so that the cage does not contain it, or the
/// piece touches itself on the body's surface. Local.
[[nodiscard]] std::vector<PieceSurface> intersect(const PieceSurface& piece, const Surface& body);

}  // namespace brisance::mesh
