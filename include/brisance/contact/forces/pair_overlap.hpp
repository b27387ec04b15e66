/// What pairs of tets that may overlap have in common now.
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

/// Of the smaller tet at rest, what two may share without pressing, where volumes count (take_sliver_off) [–]. Crack
/// faces that slide along each other share that much with their corners and edges.
inline constexpr double kSliverShare = 1e-4;

/// Two tets that overlap. Where volumes count, the overlap is in the sums of both. Where nodes count, a's nodes in b
/// and b's nodes in a are two entries, in that order, each in the sum of the tet whose nodes they are.
struct PairOverlap {
  std::int32_t a, b;                 ///< places in the list of tets; a has the lower id
  bool counts_for_a, counts_for_b;   ///< in their sums
  TetOverlap overlap;                ///< its gradient has a's corners first
  std::array<double, 4> in_a, in_b;  ///< the centroid by barycentric coordinates [–]

  /// Of a value that each of the two has, what the pair has of it.
  [[nodiscard]] double sum(double of_a, double of_b) const {
    return (counts_for_a ? of_a : 0) + (counts_for_b ? of_b : 0);
  }
};

/// Where tets are [m], beside them.
[[nodiscard]] std::vector<PlacedTet> placed_tets(std::span<const ContactTet> tets, std::span<const Vec3> position);

/// All pairs of the list that overlap, in its order. Tets that are turned inside out overlap nothing. Local.
/// @param placed      beside the tets
/// @param candidates  planes that part them are noted in them
[[nodiscard]] std::vector<PairOverlap> find_overlaps(const ContactTets& all, std::span<const PlacedTet> placed,
                                                     ContactCriterion criterion, std::span<CandidatePair> candidates);
/// The same of tets by themselves; `depths` beside them where nodes count.
[[nodiscard]] std::vector<PairOverlap> find_overlaps(std::span<const ContactTet> tets,
                                                     std::span<const TetDepths> depths,
                                                     std::span<const PlacedTet> placed, ContactCriterion criterion,
                                                     std::span<CandidatePair> candidates);

}  // namespace brisance::contact
