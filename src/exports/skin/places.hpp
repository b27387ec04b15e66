/// Places of points as keys, and their order.
#pragma once

#include "exports/skin/triangle_search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace brisance::exports {

using Place = std::array<double, 3>;  ///< coordinates, for maps [m]

[[nodiscard]] inline Place place_of(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

struct HashOfPlace {
  std::size_t operator()(const Place& x) const {
    std::size_t hash = 0;
    for (const double value : x) hash = (hash ^ std::hash<double>()(value)) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32);
  }
};

/// By x, then y, then z.
[[nodiscard]] inline bool is_lower(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

[[nodiscard]] inline std::array<Vec3, 3> corners_of(const std::vector<Vec3>& points, const Triangle& t) {
  return {points[static_cast<std::size_t>(t[0])], points[static_cast<std::size_t>(t[1])],
          points[static_cast<std::size_t>(t[2])]};
}

}  // namespace brisance::exports
