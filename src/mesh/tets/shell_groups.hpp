/// From the names on a body's surface to the names of its tets.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

namespace brisance::mesh {

inline constexpr double kNamedShare =
    0.9;  ///< of a shell's area that has a name: then it is the name of what is inside

/// Sets `group` of a mesh whose faces have groups: the tets inside a closed shell have the names that at least
/// kNamedShare of its area has; walls of cavities do not count. Local. Throws what tet_neighbours does.
void name_tets(TetMesh& mesh);

}  // namespace brisance::mesh
