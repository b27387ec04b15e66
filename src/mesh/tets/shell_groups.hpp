/// Names tets by the names on the body's surface.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

namespace brisance::mesh {

inline constexpr double kNamedShare =
    0.9;  ///< share of a shell's area with a name from which on the inside gets the name

/// Sets `group` of a mesh whose faces have groups: the tets inside a closed shell get the names that at least
/// kNamedShare of its area has; walls of cavities do not count. Local. Throws the errors of tet_neighbours.
void name_tets(TetMesh& mesh);

}  // namespace brisance::mesh
