/// The solid that a messy surface means: open, crossing itself, in parts, as models from the web are.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

/// How much of the input became the solid's outside.
struct SolidifyReport {
  double input_area_m2 = 0;
  double kept_area_m2 = 0;   ///< of the input's triangles that are part of the outside
  double patch_area_m2 = 0;  ///< of patches
};

/// The solid whose outside is as much of the surface as possible, closed by patches as small as possible. Crossing
/// triangles are cut along each other, the space around is filled with tets that have all of them as faces, and a
/// minimum cut decides which tets are in:
///
///   Σ area of patches + Σ area of triangles whose front is in + Σ area of triangles whose back is out → min
///
/// So closed surfaces that overlap become their union, and holes are closed where the patch is smaller than what it
/// closes. The result is closed, manifold, outward and free of self-intersections; each triangle is a part of an input
/// triangle (source_face as there) or of a patch (kNoSourceTriangle). Input inside the solid, or without an inside of
/// its own, is not part of it. Local, deterministic.
/// @param surface  cleaned (clean.hpp), its triangles facing outward
/// Throws core::Error if there is no inside, or the triangles cannot be cut or the space not be filled.
[[nodiscard]] Surface solidify(const Surface& surface, SolidifyReport& report);

}  // namespace brisance::mesh
