/// Convex hulls around a piece, for games and physics engines: together they enclose it.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/mesh/surface/convex_hull.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::breaking {

struct EnclosingHullParameters {
  double volume_bound = 1.25;      ///< of the sum of all hulls of a piece over its volume
  std::size_t most_vertices = 60;  ///< of each hull; physics engines have bounds of 64 or 255
  std::size_t most_hulls = 64;     ///< where more are needed, the bound on the volume is exceeded
};

/// Merges tets of a piece that share faces, each time the two clusters whose common hull adds least volume, as long as
/// the hulls together stay within the bound. A cluster inside a neighbour's hull joins it at once. Each hull contains
/// all nodes of its cluster's tets, so the hulls enclose the piece. Local; deterministic but for the rounding of
/// volumes and the triangles of flat facets. Throws core::Error if a tet is flat.
/// @param nodes  [m]
/// @param tets   of one piece, corners in `nodes`, positive
[[nodiscard]] std::vector<mesh::ConvexHull> enclosing_hulls(std::span<const Vec3> nodes,
                                                            std::span<const std::array<std::int32_t, 4>> tets,
                                                            const EnclosingHullParameters& parameters = {});

}  // namespace brisance::breaking
