/// How often a surface keeps the corners of its triangles that another surface crosses: once, not at all, or, where the
/// other one overlaps itself, more often or less than not at all.
#pragma once

#include "exports/skin/crossings.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace brisance::exports {

/// A triangle that the walls of a piece cross, or a wall that the skin crosses.
struct CrossedTriangle {
  std::int32_t triangle, piece;
  auto operator<=>(const CrossedTriangle&) const = default;
};

/// Crossings on the edges of a triangle, as they follow its outline. `sorted`: by edge, piece and place.
[[nodiscard]] std::array<std::vector<EdgeCrossing>, 3> along_outline(const Net& net, const CrossedTriangle& of,
                                                                     const std::vector<CrossingOnEdge>& sorted);

/// Winding numbers of the corners of the crossed triangles, one entry each.
///
/// Along an edge the number falls by one where a crossing leaves what is kept and grows by one where it enters it, so
/// in each connected strip of crossed triangles all of them follow from one. This one is what most places on the
/// strip's edges, by their lengths, say of themselves.
/// @param is_inside_at  whether a place at rest [m] belongs to a piece; may err where surfaces are near
/// @return nothing for triangles in which a curve ends, as at the edge of an open surface. Local.
[[nodiscard]] std::vector<std::optional<std::array<int, 3>>> winding_numbers(
    const Net& net, const std::vector<CrossingOnEdge>& sorted, std::span<const CrossedTriangle> crossed,
    const std::function<bool(const Vec3&, std::int32_t)>& is_inside_at);

}  // namespace brisance::exports
