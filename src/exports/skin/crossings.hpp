/// Where the input surface and the cracks' walls cross, as points with names and curves between them.
#pragma once

#include "exports/skin/outline.hpp"
#include "exports/skin/walls.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace brisance::exports {

/// Names of points: corners of the skin by number, then points of walls, then crossings.
inline constexpr PointName kFirstWallPoint = PointName{1} << 40;
inline constexpr PointName kFirstCrossing = PointName{2} << 40;

/// An edge of one surface crosses a triangle of the other one.
struct Crossing {
  bool is_on_skin_edge;  ///< the edge is of the skin, the triangle of the walls; else the reverse
  std::int32_t edge, triangle;
  double along;  ///< from the edge's first end to the other, 0 to 1
  Vec3 rest;     ///< [m]
};

/// A triangle of the skin crosses one of a wall. From one crossing to the other, seen from outside of the skin, the
/// wall's piece is on the left.
struct CrossedPair {
  std::int32_t skin, wall;
  std::int32_t from, to;  ///< rows of crossings
};

/// A crossing on an edge. One that follows the edge from its first end leaves there what is kept: for edges of the skin
/// the wall's piece, for edges of walls the inside of the skin.
struct CrossingOnEdge {
  std::int32_t edge, piece;
  double along;
  std::int32_t crossing;
  bool leaves;
};

struct Crossings {
  std::vector<Crossing> points;
  std::vector<CrossedPair> pairs;
  std::vector<CrossingOnEdge> on_skin, on_walls;  ///< sorted by edge, piece and place
};

/// Whether a point far from all crossings is inside: of a piece, or of the skin.
struct InsideTests {
  std::function<bool(const Vec3& rest, std::int32_t piece)> of_piece;
  std::function<bool(const Vec3& rest)> of_skin;
};

/// Finds them exactly (exact_side.hpp). Crossings on an edge that are all at one place are put in order by what is
/// inside beside them. Local.
[[nodiscard]] Crossings find_crossings(const Net& skin, const TriangleSearch& search, const Walls& walls,
                                       const InsideTests& inside);

}  // namespace brisance::exports
