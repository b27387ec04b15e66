/// The edges of a triangle surface with the triangles on each.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace brisance::mesh {

/// One triangle's side of an edge.
struct EdgeSide {
  std::int32_t low, high;  ///< the edge's vertices, low < high
  std::int32_t triangle;
  bool forward;  ///< the triangle is traversed from low to high
};

/// All sides, sorted by edge and then by triangle.
[[nodiscard]] std::vector<EdgeSide> edge_sides(const Surface& surface);

/// Calls `visit` with the sides of each edge, in order.
void for_each_edge(std::span<const EdgeSide> sides, const std::function<void(std::span<const EdgeSide>)>& visit);

/// Solid angle of a triangle seen from a point, positive if its inner side is visible [sr]; Van Oosterom & Strackee
/// (1983).
[[nodiscard]] double solid_angle(const Vec3& from, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace brisance::mesh
