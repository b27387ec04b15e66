/// Plates: bodies that are one outline pulled along an axis, and thin beside the wanted edge length.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/remesh.hpp"

#include <optional>

namespace brisance::mesh {

/// The surface anew, if it is a right prism no thicker than 1.2 edges: both faces have the same triangles, so that tets
/// come to stand between nodes that lie over each other; holes stay. Corners of the outline that turn by more than the
/// angle stay where they are. source_face is carried over from the nearest triangle. Local, deterministic.
/// @param report  becomes empty: no crease is lost
[[nodiscard]] std::optional<Surface> prism_surface(const Surface& surface, double edge_m, double feature_angle_deg,
                                                   RemeshReport& report);

}  // namespace brisance::mesh
