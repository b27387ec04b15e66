/// Remeshing of bodies that are thin compared with the wanted edge length.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/remesh.hpp"

namespace brisance::mesh {

/// As remesh, but all creases are kept, however near to each other they are and whatever needles they make: the rims of
/// a thin plate are as near as it is thick. Local.
[[nodiscard]] Surface remesh_with_all_creases(const Surface& surface, const RemeshOptions& options,
                                              RemeshReport& report);

/// The given triangles, halved until no edge is longer than 4/3 of the wanted length: the same shape to rounding.
/// Local.
[[nodiscard]] Surface divide_triangles(const Surface& surface, const RemeshOptions& options, RemeshReport& report);

}  // namespace brisance::mesh
