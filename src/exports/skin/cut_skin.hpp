/// Divides an object's input surface among its pieces, and ends their cracks on it.
#pragma once

#include "exports/skin/crossings.hpp"

#include <cstdint>
#include <vector>

namespace brisance::exports {

/// A triangle of a piece's surface: a part of a triangle of the skin or of a wall.
struct CutTriangle {
  std::array<PointName, 3> corners;
  std::int32_t source;  ///< triangle of the skin or of the walls
  bool is_skin;
};

struct CutSkin {
  Walls walls;
  Crossings crossings;
  std::vector<std::vector<CutTriangle>> of_piece;  ///< by piece of the frame
  /// Triangles that cracks do not cross as they should: at the edge of an open surface, where it crosses itself, or
  /// where it is far from the tets. They stay whole.
  std::int64_t num_unclear = 0;

  [[nodiscard]] Vec3 rest_of(const Net& skin, PointName name) const;
};

/// @param chosen   not 0: pieces of the object
/// @param outside  the triangles of shape that the skin lies over, of chosen pieces alone
/// Local.
[[nodiscard]] CutSkin cut_skin(const BrokenShape& shape, const std::vector<char>& chosen, const InputSkin& skin,
                               const TriangleSearch& search, const TriangleSearch& outside,
                               const std::vector<std::int32_t>& piece_of_outside);

}  // namespace brisance::exports
