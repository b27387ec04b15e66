/// Whether pieces of a frame lie in each other: the exact volume that their tets have in common.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Tets of one moment. `piece` counts from 0, and pieces are parts of bodies, that of piece p is body_of_piece[p].
struct PieceTets {
  std::span<const Vec3> position;                     ///< of nodes [m]
  std::span<const std::array<std::int32_t, 4>> tets;  ///< rows of nodes
  std::span<const std::int32_t> piece;                ///< of each tet
  std::span<const std::int32_t> body_of_piece;        ///< from 0
};

/// What two pieces, or two bodies, have in common; a < b.
struct PieceOverlap {
  std::int32_t a = 0, b = 0;
  std::int64_t tet_pairs = 0;  ///< that overlap
  /// Of the tets of the smaller of a and b that lies in tets of the other; what lies in several of them counts once
  /// [m³].
  double volume = 0;
  double share = 0;  ///< of the smaller one's volume, at most 1: it lies wholly in the other [–]
};

/// Two tets of different pieces.
struct TetPairOverlap {
  std::int32_t a = -1, b = -1;  ///< rows; −1: no tets overlap
  double depth = 0;             ///< volume in common over its area, no more than that volume's edge [m]
  double depth_share = 0;       ///< of the smaller tet's edge, each edge that of a regular tet [–]
  double volume_share = 0;      ///< of the smaller tet's volume [–]
};

struct PieceOverlaps {
  std::int64_t num_pieces = 0, num_bodies = 0;    ///< that have a tet
  std::int64_t near_pieces = 0, near_bodies = 0;  ///< pairs of which boxes meet
  std::vector<PieceOverlap> pieces, bodies;       ///< that overlap, ascending by (a, b)
  std::vector<double> piece_volume, body_volume;  ///< [m³]
  TetPairOverlap deepest;                         ///< by depth_share
  double largest_volume_share = 0;                ///< of a tet that lies in one other [–]
  std::int64_t num_inside = 0;    ///< pairs of tets of which the smaller lies in the other by more than half
  std::int64_t num_inverted = 0;  ///< tets without a positive volume: they overlap nothing
};

/// All pairs of tets of different pieces that overlap (tet_overlap.hpp). Pairs that share a node do not count. Whatever
/// way leads there: boxes of pieces, then of their tets, only spare looks at pairs that cannot overlap.
/// Local; throws std::bad_alloc only.
[[nodiscard]] PieceOverlaps piece_overlaps(const PieceTets& tets);

}  // namespace brisance::contact
