/// Cuts intersecting triangles along each other.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh::solids {

/// The same surface as triangles that meet only in shared vertices and edges: each is cut along all others that
/// intersect, touch or overlap it (exact constructions; new points are rounded once, and intersections caused by
/// rounding are cut again). Of triangles on the same three vertices one remains. Orientation and source_face are those
/// of the original triangle. Deterministic.
/// @param surface  welded; may be open or non-manifold
/// Throws core::Error if intersections remain after several rounds. Local.
[[nodiscard]] Surface resolve_intersections(Surface surface);

}  // namespace brisance::mesh::solids
