#include "brisance/contact/forces/pair_overlap.hpp"

#include "brisance/contact/overlap/node_penetration.hpp"

#include <algorithm>

namespace brisance::contact {

namespace {

/// Finds the overlaps of the pairs of a list.
struct OverlapSearch {
  std::span<const ContactTet> tets;
  std::span<const TetDepths> depths;
  std::span<const PlacedTet> placed;
  std::vector<PairOverlap> found{};

  void add(const CandidatePair& pair, bool counts_for_a, bool counts_for_b, const TetOverlap& overlap) {
    if (!(overlap.volume > 0)) return;
    found.push_back({pair.low, pair.high, counts_for_a, counts_for_b, overlap,
                     placed[static_cast<std::size_t>(pair.low)].coordinates(overlap.centroid),
                     placed[static_cast<std::size_t>(pair.high)].coordinates(overlap.centroid)});
  }

  void add_volume(const CandidatePair& pair) {
    const auto low = static_cast<std::size_t>(pair.low), high = static_cast<std::size_t>(pair.high);
    TetOverlap overlap = tet_overlap(placed[low], placed[high]);
    if (take_sliver_off(overlap, kSliverShare * std::min(tets[low].volume, tets[high].volume)))
      add(pair, true, true, overlap);
  }

  void add_nodes(const CandidatePair& pair) {
    const auto low = static_cast<std::size_t>(pair.low), high = static_cast<std::size_t>(pair.high);
    add(pair, true, false, nodes_inside(placed[low], depths[low], placed[high], depths[high]));
    TetOverlap of_high = nodes_inside(placed[high], depths[high], placed[low], depths[low]);
    std::rotate(of_high.gradient.begin(), of_high.gradient.begin() + 4, of_high.gradient.end());
    add(pair, false, true, of_high);
  }
};

/// Does a plane of a face separate the two?
bool are_parted(const PlacedTet& a, const PlacedTet& b, PartingPlane& plane) {
  if (gap_at(a, b, plane) >= 0) return true;
  const Gap gap = face_gap(a, b);
  plane = gap.plane;
  return gap.width >= 0;
}

}  // namespace

std::vector<PlacedTet> placed_tets(std::span<const ContactTet> tets, std::span<const Vec3> position) {
  std::vector<PlacedTet> placed;
  placed.reserve(tets.size());
  for (const ContactTet& tet : tets) {
    std::array<Vec3, 4> corner;
    for (std::size_t k = 0; k < 4; ++k) corner[k] = position[static_cast<std::size_t>(tet.number[k])];
    placed.push_back(placed_tet(corner));
  }
  return placed;
}

std::vector<PairOverlap> find_overlaps(std::span<const ContactTet> tets, std::span<const TetDepths> depths,
                                       std::span<const PlacedTet> placed, ContactCriterion criterion,
                                       std::span<CandidatePair> candidates) {
  OverlapSearch search{.tets = tets, .depths = depths, .placed = placed};
  for (CandidatePair& pair : candidates) {
    const PlacedTet &low = placed[static_cast<std::size_t>(pair.low)],
                    &high = placed[static_cast<std::size_t>(pair.high)];
    if (!(low.volume > 0 && high.volume > 0) || are_parted(low, high, pair.plane)) continue;
    if (criterion == ContactCriterion::node_penetration)
      search.add_nodes(pair);
    else
      search.add_volume(pair);
  }
  return std::move(search.found);
}

std::vector<PairOverlap> find_overlaps(const ContactTets& all, std::span<const PlacedTet> placed,
                                       ContactCriterion criterion, std::span<CandidatePair> candidates) {
  return find_overlaps(all.tets(), all.depths(), placed, criterion, candidates);
}

}  // namespace brisance::contact
