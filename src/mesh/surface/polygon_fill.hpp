/// Well-shaped, slightly irregular triangles inside a plane polygon.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Dense>

namespace brisance::mesh {

using Vec2 = Eigen::Vector2d;

/// Triangles of a filled polygon; vertex i < loop.size() is loop[i], the others are inner[i − loop.size()].
struct PolygonFill {
  std::vector<Vec2> inner;                             ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< counter-clockwise
};

/// Keeps every loop point and loop edge, adds a jittered triangular lattice inside, and joins them by a constrained
/// Delaunay triangulation. The jitter keeps cracks from following rows of edges; it depends on the seed only.
/// @param loop  simple polygon, counter-clockwise, already divided into pieces of about the edge length [m]
[[nodiscard]] PolygonFill fill_polygon(std::span<const Vec2> loop, double edge_length_m, std::uint64_t seed);

}  // namespace brisance::mesh
