/// Overlaps that one contact detection between deformable bodies has found.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"

#include <cstdint>

namespace brisance::contact {

/// Depth over the smaller tet's edge above which an overlap counts as deep: the penalty should prevent such overlaps
/// [–].
inline constexpr double kDeepShare = 0.05;

/// Counts of one rank, or of all ranks (over_ranks).
struct DeformableReport {
  std::int64_t pairs = 0;   ///< pairs of overlapping tets, counted by the home rank of the tet with the lower id
  std::int64_t across = 0;  ///< those of them whose other tet this rank does not hold
  /// Largest depth of a pair (TetOverlap::depth) as a share of the smaller tet's edge, that of a regular tet [–].
  double deepest = 0;
  Vec3 deepest_place = Vec3::Zero();  ///< centroid of that pair's overlap [m]
  double deepest_edge_m = 0;          ///< edge of its smaller tet [m]
  std::int64_t deep = 0;              ///< pairs deeper than kDeepShare
};

/// Counts of all ranks, and the deepest pair of all; of equally deep pairs the one with the smaller tet, then the one
/// at the lower place, whichever rank has it. Collective.
[[nodiscard]] DeformableReport over_ranks(const core::Comm& comm, const DeformableReport& mine);

}  // namespace brisance::contact
