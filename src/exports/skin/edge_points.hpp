/// Points inside edges of triangles, and triangles divided at them.
#pragma once

#include "exports/skin/triangle_search.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace brisance::exports {

/// Places that may lie on edges. Local.
class PlacesOnEdges {
public:
  explicit PlacesOnEdges(std::vector<Vec3> places);

  struct Found {
    double along;        ///< share of the edge
    std::int32_t place;  ///< its row
  };
  /// Those inside an edge, in order from a to b; not its ends.
  [[nodiscard]] std::vector<Found> on_edge(const Vec3& a, const Vec3& b) const;
  [[nodiscard]] const Vec3& place(std::int32_t row) const { return places_[static_cast<std::size_t>(row)]; }

private:
  std::vector<Vec3> places_;
  TriangleSearch search_;
};

/// The same for both directions.
[[nodiscard]] std::uint64_t undirected_edge(std::int32_t a, std::int32_t b);

/// Points inside edges, by undirected_edge, from the end of lower number to the other.
using DividedEdges = std::unordered_map<std::uint64_t, std::vector<std::int32_t>>;

/// Adds the parts of a triangle that has divided edges; false, and no part, if it has none.
bool divide_triangle(const Triangle& corners, const DividedEdges& divided, std::vector<Triangle>& parts);

}  // namespace brisance::exports
