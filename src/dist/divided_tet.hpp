/// A tet's eight children. Places: its corners are 0 … 3, the middles of its edges 4 … 9.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/elements/partitioned_tet.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace brisance::dist {

inline constexpr const auto& kEdges = elements::kTetEdges;
/// Opposite edges: the diagonals of the octahedron between their middles; and the four other edges in a circle.
inline constexpr std::array<std::array<int, 2>, 3> kDiagonals{{{0, 5}, {1, 4}, {2, 3}}};
inline constexpr std::array<std::array<int, 4>, 3> kCircles{{{1, 3, 4, 2}, {0, 3, 5, 2}, {0, 4, 5, 1}}};

inline constexpr int kNumPlaces = 10;
/// Bit k: corner k, or an end of the edge.
constexpr unsigned corners_of_place(int place) {
  return place < 4 ? 1U << place : 1U << kEdges[place - 4][0] | 1U << kEdges[place - 4][1];
}

/// Positions of the ten nodes [m].
using Places = std::array<Vec3, kNumPlaces>;

/// Positions with all middles on straight edges.
inline Places straight_places(const std::array<Vec3, 4>& corners) {
  Places rest;
  for (int k = 0; k < 4; ++k) rest[k] = corners[k];
  for (int k = 0; k < 6; ++k) rest[4 + k] = 0.5 * (corners[kEdges[k][0]] + corners[kEdges[k][1]]);
  return rest;
}

/// Places of the corners of the eight children, of positive volume where edges are straight: four tets at the corners,
/// and the octahedron divided along its shortest diagonal.
inline std::array<std::array<int, 4>, 8> children_of(const Places& straight) {
  std::array<std::array<int, 4>, 8> children{};
  for (int v = 0; v < 4; ++v)  // every other corner is replaced by the middle of its edge to v
    for (int other = 0; other < 4; ++other) {
      const auto edge = std::find_if(kEdges.begin(), kEdges.end(), [&](const auto& ends) {
        return ends[0] == std::min(v, other) && ends[1] == std::max(v, other);
      });
      children[v][other] = other == v ? v : 4 + static_cast<int>(edge - kEdges.begin());
    }
  std::size_t shortest = 0;
  const auto length = [&](std::size_t d) {
    return (straight[4 + kDiagonals[d][0]] - straight[4 + kDiagonals[d][1]]).squaredNorm();
  };
  for (std::size_t d = 1; d < 3; ++d)
    if (length(d) < length(shortest)) shortest = d;
  for (int i = 0; i < 4; ++i) {
    auto& child = children[4 + i];
    child = {4 + kDiagonals[shortest][0], 4 + kDiagonals[shortest][1], 4 + kCircles[shortest][i],
             4 + kCircles[shortest][(i + 1) % 4]};
    if (mesh::tet_volume(straight[child[0]], straight[child[1]], straight[child[2]], straight[child[3]]) < 0)
      std::swap(child[2], child[3]);
  }
  return children;
}

}  // namespace brisance::dist
