/// The implementation of mesh/surface/thin_remesh.hpp in brisance-solids.
#pragma once

#include "brisance/mesh/surface/remesh.hpp"

namespace brisance::mesh::solids {

[[nodiscard]] Surface remesh_with_all_creases(const Surface& surface, const RemeshOptions& options,
                                              RemeshReport& report);
[[nodiscard]] Surface divide_triangles(const Surface& surface, const RemeshOptions& options, RemeshReport& report);

}  // namespace brisance::mesh::solids
