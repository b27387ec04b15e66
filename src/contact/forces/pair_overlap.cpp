#include "brisance/contact/forces/pair_overlap.hpp"

#include "brisance/contact/overlap/node_penetration.hpp"

#include <algorithm>

namespace brisance::contact {

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

std::vector<PairOverlap> find_overlaps(std::span<const ContactTet> tets, std::span<const PlacedTet> placed,
                                       ContactCriterion criterion, std::span<const CandidatePair> candidates) {
  std::vector<PairOverlap> found;
  for (const CandidatePair& pair : candidates) {
    const auto low = static_cast<std::size_t>(pair.low), high = static_cast<std::size_t>(pair.high);
    const PlacedTet &a = placed[low], &b = placed[high];
    if (!(a.volume > 0 && b.volume > 0)) continue;
    const auto add = [&](bool counts_for_a, bool counts_for_b, const TetOverlap& overlap) {
      if (overlap.volume > 0)
        found.push_back({pair.low, pair.high, counts_for_a, counts_for_b, overlap, a.coordinates(overlap.centroid),
                         b.coordinates(overlap.centroid)});
    };
    if (criterion == ContactCriterion::node_penetration) {
      if (are_parted(a, b)) continue;  // else exact signs would be asked of the many nodes in the plane of a face
      add(true, false, nodes_inside(a, tets[low].depths, b, tets[high].depths));
      TetOverlap of_b = nodes_inside(b, tets[high].depths, a, tets[low].depths);
      std::rotate(of_b.gradient.begin(), of_b.gradient.begin() + 4, of_b.gradient.end());
      add(false, true, of_b);
    } else {
      TetOverlap overlap = tet_overlap(a, b);
      if (take_sliver_off(overlap, kSliverShare * std::min(tets[low].volume, tets[high].volume)))
        add(true, true, overlap);
    }
  }
  return found;
}

}  // namespace brisance::contact
