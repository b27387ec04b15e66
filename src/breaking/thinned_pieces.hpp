/// Pieces with fewer triangles that still fit together without gaps.
#pragma once

#include "brisance/mesh/tets/piece_surface.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::breaking {

struct ThinnedPiece {
  std::vector<Vec3> points;                            ///< [m]
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< outward, closed where the piece is
  std::vector<bool> is_crack;                          ///< for each triangle
};

/// Collapses edges (meshoptimizer) inside each patch, the outside of a piece or the crack between two; borders of
/// patches stay as they are. A crack is simplified once for both sides, so neighbours fit as before. Local,
/// deterministic.
/// @param pieces           labels 0, 1, … and neighbours by label, each label once
/// @param most_triangles   wanted for each piece; more where borders need them; 0: all stay
[[nodiscard]] std::vector<ThinnedPiece> thinned_pieces(std::span<const mesh::PieceSurface> pieces,
                                                       std::int64_t most_triangles);

}  // namespace brisance::breaking
