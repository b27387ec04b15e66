/// The point of a triangle that is nearest to another point, and on which of its corners, edges or inside it lies.
#pragma once

#include "brisance/core/types.hpp"

#include <cstdint>

namespace brisance::contact {

/// Where on a triangle: edges are named by the corner they start at, in the triangle's order.
enum class TrianglePart : std::uint8_t { inside, corner_0, corner_1, corner_2, edge_0, edge_1, edge_2 };

struct TrianglePoint {
  Vec3 point = Vec3::Zero();  ///< [m]
  TrianglePart part = TrianglePart::inside;
};

/// By the Voronoi regions of the triangle's parts. Local; does not throw.
[[nodiscard]] TrianglePoint nearest_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& point);

/// Of a surface.
struct NearestPoint {
  std::int32_t triangle = 0;
  TrianglePoint on;
  double distance_squared = 0;  ///< [m²]
};

}  // namespace brisance::contact
