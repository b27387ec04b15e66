/// The point of a triangle nearest to another point, and the corner, edge or inside on which it lies.
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>

namespace brisance::contact {

/// Part of a triangle: edges are named by the corner at which they start, in the triangle's order.
enum class TrianglePart : std::uint8_t { inside, corner_0, corner_1, corner_2, edge_0, edge_1, edge_2 };

struct TrianglePoint {
  Vec3 point = Vec3::Zero();  ///< [m]
  TrianglePart part = TrianglePart::inside;
};

/// By the Voronoi regions of the triangle's parts. Local; does not throw.
[[nodiscard]] TrianglePoint nearest_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& point);

/// Nearest point of a surface.
struct NearestPoint {
  std::int32_t triangle = 0;
  TrianglePoint on;
  double distance_squared = 0;  ///< [m²]
};

}  // namespace brisance::contact
