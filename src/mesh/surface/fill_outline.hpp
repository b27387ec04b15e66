/// Triangles inside plane outlines, by Delaunay refinement.
#pragma once

#include "brisance/mesh/surface.hpp"

#include "mesh/surface/polygon_fill.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::mesh {

/// Closed curves that do not cross: around parts, around holes in them, and so on.
struct Outline {
  std::vector<Vec2> points;                                ///< [m]
  std::vector<std::array<std::int32_t, 2>> segments = {};  ///< between points, in either direction

  /// Appends a closed curve.
  void add_loop(const std::vector<Vec2>& loop);
};

/// Fills the region that an odd number of curves surrounds, with angles above 20° where the outline allows it. Corners
/// and segments of the outline are kept; long segments are divided. Deterministic. The mean edge is about
/// `edge_length_m` where no segment is much shorter. Triangles are counter-clockwise; source_face holds each one's own
/// index.
[[nodiscard]] Surface fill_outline(const Outline& outline, double edge_length_m, double z);

}  // namespace brisance::mesh
