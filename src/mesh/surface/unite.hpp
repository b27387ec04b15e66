/// Union of solids.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <span>

namespace brisance::mesh {

/// Surface of the union of solids (exact predicates; new points are rounded once). Triangles along the seams may have
/// any shape: remesh it. source_face holds each triangle's own index. Deterministic. Local.
/// @param solids  closed, manifold, outward, free of self-intersections, at least one
/// Throws core::Error if the union is not manifold: solids that touch only in an edge or a corner.
[[nodiscard]] Surface unite(std::span<const Surface> solids);

}  // namespace brisance::mesh
