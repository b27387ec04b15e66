/// Plates: extruded outlines that are thin compared with the wanted edge length.
#pragma once

#include "brisance/mesh/surface.hpp"
#include "brisance/mesh/surface/remesh.hpp"

#include <optional>

namespace brisance::mesh {

/// Remeshes the surface if it is a right prism no thicker than 1.2 edges: both faces get the same triangles, so that
/// tets lie between nodes on top of each other; holes remain. Corners of the outline that turn by more than the angle
/// stay in place. source_face is that of the nearest triangle. Local, deterministic.
/// @param report  becomes empty: no crease is lost
[[nodiscard]] std::optional<Surface> prism_surface(const Surface& surface, double edge_m, double feature_angle_deg,
                                                   RemeshReport& report);

}  // namespace brisance::mesh
