/// What contact of deformable bodies found at one moment.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"

#include <cstdint>

namespace brisance::contact {

/// Of the smaller tet's edge: what a penalty should keep tets from [–].
inline constexpr double kDeepShare = 0.05;

/// Of one rank or of all (over_ranks).
struct DeformableReport {
  std::int64_t pairs = 0;   ///< of tets that overlap, counted by the home of the one with the lower id
  std::int64_t across = 0;  ///< of those, pairs whose other tet is not held here
  /// Volume of a pair's overlap over its area, no more than the edge of a regular tet of that volume (a tet inside
  /// another has no area), as a share of the smaller tet's edge likewise [–].
  double deepest = 0;
  Vec3 deepest_place = Vec3::Zero();  ///< the middle of what that pair shares [m]
  double deepest_edge_m = 0;          ///< of its smaller tet
  std::int64_t deep = 0;              ///< pairs that are deeper than kDeepShare
};

/// Counts of all ranks, and the deepest pair of all: of equals the one with the smaller tet, then the lower place,
/// whoever has it. Collective.
[[nodiscard]] DeformableReport over_ranks(const core::Comm& comm, const DeformableReport& mine);

}  // namespace brisance::contact
