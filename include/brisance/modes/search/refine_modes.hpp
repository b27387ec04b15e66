/// Joint refinement: all modes of a body look for less energy together.
#pragma once

#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/search/find_modes.hpp"

namespace brisance::modes {

/// Lowers Σ E over the modes of each connected part, its constant one left alone, by rotating modes into one another
/// two at a time: same cracks, same pieces, less energy. The modes of a part then stand in the order of their energies.
///
/// A mode that was turned is no longer the optimum of a convex step: its relative_gap becomes 1, nothing certified.
/// Searching each mode again with all others fixed gains little: below 0.1 % on a bunny of 3601 tets.
/// @param modes  of that body
/// Local, deterministic; does not throw.
void refine_modes(const Body& body, ModeSet& modes);

}  // namespace brisance::modes
