/// Wraps input with defects into a closed surface.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <optional>

namespace brisance::mesh {

/// How much a wrap changed the body.
struct WrapReport {
  double volume_m3 = 0;  ///< volume of the wrap
  /// Volume of the wrap over that of the input where the input is closed; over that of a wrap with twice the alpha
  /// where it is open. Well below one in the second case: the wrap entered through a hole; use a larger alpha.
  double volume_ratio = 1;
  bool input_closed = false;
  /// Volume of the input itself, with its holes closed by cones to their middles [m³]; nothing where that is undefined:
  /// where the input crosses itself, has edges of three triangles or no consistent outside.
  std::optional<double> input_volume_m3;
};

/// Alpha wrap of a triangle soup (CGAL): the closed, manifold, non-intersecting surface that a ball of radius alpha
/// leaves when it carves towards the input and stays `offset` away from it.
/// @param relative_alpha, relative_offset  fractions of the bounding box's diagonal; 1/20 … 1/60 and 1/300 … 1/600
/// worked on every scan and soup tested
/// `source_face` names the input face nearest to the middle of each triangle. Throws core::Error if the input has no
/// triangle, no extent, or the parameters are not positive. Local.
[[nodiscard]] Surface wrap(const Surface& surface, double relative_alpha, double relative_offset, WrapReport& report);
[[nodiscard]] Surface wrap(const Surface& surface, double relative_alpha = 1.0 / 40,
                           double relative_offset = 1.0 / 450);

}  // namespace brisance::mesh
