/// Overlaps of candidate pairs of tets at the present positions.
#pragma once

#include "brisance/contact/overlap/tet_overlap.hpp"
#include "brisance/contact/parameters.hpp"
#include "brisance/contact/search/contact_tets.hpp"
#include "brisance/contact/search/tet_candidates.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// Overlap volume that gives no force, over the smaller tet's volume at rest, for criterion overlap_volume
/// (take_sliver_off) [–]. Crack faces that slide along each other overlap that much with their corners and edges.
inline constexpr double kSliverShare = 1e-4;

/// Two tets that overlap. With criterion overlap_volume, the overlap counts in the sums of both. With node_penetration,
/// a's nodes in b and b's nodes in a are two entries, in that order, each in the sum of the tet that has the nodes.
struct PairOverlap {
  std::int32_t a, b;                 ///< places in the list of tets; a has the lower id
  bool counts_for_a, counts_for_b;   ///< whether the overlap counts in a's and in b's sum
  TetOverlap overlap;                ///< overlap; its gradient has a's corners first
  std::array<double, 4> in_a, in_b;  ///< barycentric coordinates of the centroid in both tets [–]

  /// Sum of a value over those of the two tets for which the pair counts.
  [[nodiscard]] double sum(double of_a, double of_b) const {
    return (counts_for_a ? of_a : 0) + (counts_for_b ? of_b : 0);
  }
};

/// Placed tets at these positions [m], parallel to `tets`.
[[nodiscard]] std::vector<PlacedTet> placed_tets(std::span<const ContactTet> tets, std::span<const Vec3> position);

/// All candidate pairs that overlap, in the order of the list. Inverted tets overlap nothing. Local.
/// @param placed  parallel to the tets
[[nodiscard]] std::vector<PairOverlap> find_overlaps(std::span<const ContactTet> tets,
                                                     std::span<const PlacedTet> placed, ContactCriterion criterion,
                                                     std::span<const CandidatePair> candidates);

}  // namespace brisance::contact
