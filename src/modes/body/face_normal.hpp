/// Normals of faces between cells.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/simplices.hpp"

namespace brisance::modes {

/// Unit normal, of either sign. An edge of a plane mesh has it in the plane z = const. Local.
[[nodiscard]] Vec3 face_normal(const Simplices& mesh, const Face& face);

}  // namespace brisance::modes
