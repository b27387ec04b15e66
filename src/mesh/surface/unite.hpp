/// Several solids become one.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <span>

namespace brisance::mesh {

/// Surface of the union of solids (exact predicates; new points are rounded once). Triangles along the seams may be of
/// any shape: remesh it. They number themselves in source_face. Deterministic. Local.
/// @param solids  closed, manifold, outward, free of self-intersections, at least one
/// Throws core::Error if the union is not manifold: solids that touch in an edge or a corner alone.
[[nodiscard]] Surface unite(std::span<const Surface> solids);

}  // namespace brisance::mesh
