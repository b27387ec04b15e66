/// Convex hulls that enclose their points exactly, and with few vertices.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::mesh {

/// A convex polyhedron: outward triangles. Facets of more corners are divided.
struct ConvexHull {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;
  double volume_m3 = 0;
};

/// The convex hull by exact predicates: no point lies outside, by not even a rounding error. Local, deterministic.
/// Throws core::Error if all points lie in one plane.
[[nodiscard]] ConvexHull convex_hull(std::span<const Vec3> points);

/// A convex polyhedron with at most `most_vertices` that contains all points: the hull, or if that has more vertices
/// the space between planes that touch it, along normals of its largest, most different facets. Containment is exact up
/// to 1e-9 of the size. Local, deterministic. Throws core::Error if all points lie in one plane.
/// @param most_vertices  at least 8
[[nodiscard]] ConvexHull enclosing_hull(std::span<const Vec3> points, std::size_t most_vertices);

}  // namespace brisance::mesh
