/// Triangles that cross are cut along each other.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh::solids {

/// The same points in space, by triangles that meet in shared vertices and edges alone: each is cut along all others
/// that cut, touch or overlap it (exact constructions; new points are rounded once, and what rounding made cross is cut
/// again). Of triangles on the same three vertices one stays. Orientation and source_face follow from the triangle a
/// part was cut from. Deterministic.
/// @param surface  welded; open or non-manifold is fine
/// Throws core::Error if crossings are left after several rounds. Local.
[[nodiscard]] Surface resolve_intersections(Surface surface);

}  // namespace brisance::mesh::solids
