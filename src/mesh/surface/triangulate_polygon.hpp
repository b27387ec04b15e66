/// Triangulates a polygon in space.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::mesh {

/// Triangles on the polygon's own corners, in its orientation: n − 2 of them for n corners (fewer where the outline
/// touches itself at corners). Concave polygons are cut inside their outline, seen along their mean normal, and holes
/// are left out: a hole is joined to the outline by a bridge, an edge that the corners traverse in both directions. A
/// polygon whose outline crosses itself or has no area is cut as a fan. Corners are valid indices of `points`, whose
/// coordinates are finite. Local; does not throw.
[[nodiscard]] std::vector<std::array<std::int32_t, 3>> triangulate_polygon(std::span<const Vec3> points,
                                                                           std::span<const std::int32_t> corners);

}  // namespace brisance::mesh
