/// Fragments as solids bounded by triangles, for games, renderers and rigid bodies.
#pragma once

#include "brisance/mesh/surface.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::mesh {

/// Value of PieceSurface::neighbour on the outside.
inline constexpr std::int32_t kNoNeighbour = -1;

/// A closed, manifold, outward oriented surface around one piece. Where a piece touches itself along an edge or at a
/// vertex, each touching part has vertices of its own.
struct PieceSurface {
  /// source_face names the triangle of the object's surface that a triangle is a part of; kNoSourceTriangle
  /// on a crack.
  Surface surface;
  std::vector<std::int32_t> neighbour;  ///< for each triangle the label across the crack; kNoNeighbour outside
  /// Texture coordinates u v of each triangle's corners; zeros on cracks; empty where the object has none.
  std::vector<std::array<double, 6>> texture;
  std::int32_t label = 0;  ///< label of its cells; several pieces may have one label
};

}  // namespace brisance::mesh
