/// Flat bodies extruded to plates, for functions that require solids.
#pragma once

#include "brisance/breaking/mode_file.hpp"
#include "brisance/modes/pieces/pieces.hpp"

namespace brisance::breaking {

/// The plate over a flat body (mesh::extruded) with the flat body's modes, scaled to norm 1 and to the energies of
/// their cracks in the plate. Faces over an edge have its strength η, faces inside a prism have 1. Local. Throws
/// core::BadInput if the file holds a solid, or the thickness is not positive.
[[nodiscard]] ModeFile plate_of(const ModeFile& flat, double thickness_m);

/// Converts pieces of a flat body to pieces of its plate.
[[nodiscard]] modes::PieceLabels plate_of(const modes::PieceLabels& flat, double thickness_m);

}  // namespace brisance::breaking
