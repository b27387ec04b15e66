/// Closed surfaces of prisms: a polygon extruded along an axis.
#pragma once

#include "brisance/mesh/surface.hpp"

#include "mesh/surface/polygon_fill.hpp"

#include <vector>

namespace brisance::mesh {

/// The prism over a simple counter-clockwise polygon [m], from −height/2 to +height/2 along z. Both caps have the same
/// triangles, so that a plate thinner than the edge length is filled by prisms rather than slivers. Outward
/// orientation.
[[nodiscard]] Surface extrude(const std::vector<Vec2>& polygon, double height_m, double edge_length_m);

}  // namespace brisance::mesh
