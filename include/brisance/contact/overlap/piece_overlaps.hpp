/// Overlaps between the pieces of a frame: the exact volume that their tets have in common.
#pragma once

#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Tets at one moment. `piece` counts from 0; pieces are parts of bodies: piece p belongs to body body_of_piece[p].
struct PieceTets {
  std::span<const Vec3> position;                     ///< node positions [m]
  std::span<const std::array<std::int32_t, 4>> tets;  ///< rows of nodes
  std::span<const std::int32_t> piece;                ///< piece of each tet
  std::span<const std::int32_t> body_of_piece;        ///< body of each piece, from 0
};

/// Overlap of two pieces, or of two bodies; a < b.
struct PieceOverlap {
  std::int32_t a = 0, b = 0;
  std::int64_t tet_pairs = 0;  ///< number of pairs of tets that overlap
  /// Volume of the smaller of a and b that lies in tets of the other; what lies in several of them counts once [m³].
  double volume = 0;
  double share = 0;  ///< volume over the smaller one's volume; 1: it lies wholly in the other [–]
};

/// Overlap of two tets of different pieces.
struct TetPairOverlap {
  std::int32_t a = -1, b = -1;  ///< rows of the tets; −1: no tets overlap
  double depth = 0;             ///< TetOverlap::depth [m]
  double depth_share = 0;       ///< depth over the smaller tet's edge, which is that of a regular tet, too [–]
  double volume_share = 0;      ///< common volume over the smaller tet's volume [–]
};

struct PieceOverlaps {
  std::int64_t num_pieces = 0, num_bodies = 0;    ///< pieces and bodies that have a tet
  std::int64_t near_pieces = 0, near_bodies = 0;  ///< pairs whose bounding boxes intersect
  std::vector<PieceOverlap> pieces, bodies;       ///< pairs that overlap, ascending by (a, b)
  std::vector<double> piece_volume, body_volume;  ///< [m³]
  TetPairOverlap deepest;                         ///< pair of tets with the largest depth_share
  double largest_volume_share = 0;                ///< largest volume_share of all pairs of tets [–]
  std::int64_t num_inside = 0;    ///< pairs of tets whose smaller one lies in the other by more than half
  std::int64_t num_inverted = 0;  ///< tets without a positive volume, which overlap nothing
};

/// All pairs of tets of different pieces that overlap (tet_overlap.hpp). Pairs that share a node do not count. The
/// broad phase, by boxes of pieces and then of their tets, skips only pairs that cannot overlap. Local; throws
/// std::bad_alloc only.
[[nodiscard]] PieceOverlaps piece_overlaps(const PieceTets& tets);

}  // namespace brisance::contact
