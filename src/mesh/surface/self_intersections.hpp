/// Pairs of triangles that intersect, touch or overlap.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace brisance::mesh {

struct SelfIntersections {
  std::int64_t num_pairs = 0;
  bool capped = false;        ///< counting stopped at a hundred thousand
  Vec3 place = Vec3::Zero();  ///< position on the pair that comes first in triangle order [m]
};

/// Counts pairs of triangles whose intersection is more than the vertex or edge they share, and flat triangles (each a
/// pair with itself). Exact predicates: no tolerance, no miss. O(n log n) for surfaces of bounded overlap. Local.
[[nodiscard]] SelfIntersections find_self_intersections(const Surface& surface);

/// All those pairs, each with the lower number first, sorted.
[[nodiscard]] std::vector<std::pair<std::int32_t, std::int32_t>> intersecting_pairs(const Surface& surface);

}  // namespace brisance::mesh
