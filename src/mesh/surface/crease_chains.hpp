/// Joins marked edges of a surface into polylines.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::mesh {

/// A polyline between two ends of the net (vertices with one, three or more edges), or a closed one without ends.
struct Chain {
  std::vector<std::int32_t> vertices;  ///< in order; a closed one repeats its first at the end
  std::vector<std::int32_t> edges;     ///< edges[i] joins vertices[i] and vertices[i + 1]

  [[nodiscard]] bool is_closed() const { return vertices.front() == vertices.back(); }
};

/// The edges for which `is_kept` holds, each in one chain. Chains are in order of their first edge. Local.
/// @param edges  two vertices each, none twice
[[nodiscard]] std::vector<Chain> chains_of(std::span<const std::array<std::int32_t, 2>> edges,
                                           const std::vector<bool>& is_kept, std::size_t num_vertices);

}  // namespace brisance::mesh
