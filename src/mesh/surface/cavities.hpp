/// Points inside the cavities of a surface, which TetGen needs to keep them empty.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstddef>
#include <vector>

namespace brisance::mesh {

/// One point strictly inside each component that faces inward (negative volume): half-way from the middle of one of its
/// triangles, along the normal, to the first intersection of the ray. Components are connected through shared edges.
[[nodiscard]] std::vector<Vec3> cavity_points(const Surface& surface);

/// The component of each triangle, connected through shared edges, identified by its first triangle. Local.
[[nodiscard]] std::vector<std::size_t> triangle_components(const Surface& surface);

}  // namespace brisance::mesh
