/// The solid described by a surface with defects: open, self-intersecting or in parts, as web models are.
#pragma once

#include "brisance/mesh/surface.hpp"

namespace brisance::mesh {

/// Areas of input and patches in the solid's outside.
struct SolidifyReport {
  double input_area_m2 = 0;
  double kept_area_m2 = 0;   ///< area of input triangles that are part of the outside
  double patch_area_m2 = 0;  ///< area of the patches
};

/// The solid whose outside consists of as much of the surface as possible, closed by patches as small as possible.
/// Crossing triangles are cut along each other, the space around is filled with tets that have all of them as faces,
/// and a minimum cut decides which tets are inside:
///
///   Σ area of patches + Σ area of triangles whose front is in + Σ area of triangles whose back is out → min
///
/// So closed surfaces that overlap become their union, and a hole is closed where its patch is smaller than the surface
/// that it closes. The result is closed, manifold, outward and free of self-intersections; each triangle is a part of
/// an input triangle (source_face as there) or of a patch (kNoSourceTriangle). Input inside the solid, or without an
/// inside of its own, is not part of it. Local, deterministic.
/// @param surface  cleaned (clean.hpp), its triangles facing outward
/// Throws core::Error if there is no inside, if the triangles cannot be cut, or if the space cannot be filled.
[[nodiscard]] Surface solidify(const Surface& surface, SolidifyReport& report);

}  // namespace brisance::mesh
