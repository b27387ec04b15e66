/// Names the walls of cavities.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

namespace brisance::mesh {

inline constexpr const char* kCavityName = "cavity";

/// Adds kCavityName to the names of the boundary faces whose shell faces inward. A source triangle that lies both on
/// such a shell and on an outer one gets it for both. Local.
void name_cavities(TetMesh& mesh);

}  // namespace brisance::mesh
