#include "modes/search/pricing.hpp"

#include "modes/search/simple_sets.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::modes {

namespace {

constexpr double kRounding = 1e-12;      ///< relative amount by which a ratio must exceed another to be better
constexpr std::size_t kSetsPerCut = 16;  ///< best simple sets of a cut that are kept

/// Appends the sets of one cut whose ratio exceeds `ratio`; returns the best ratio.
double add_better(const CellGraph& graph, std::span<const double> face_weight, std::span<const double> gain,
                  std::span<const std::uint8_t> in_set, double ratio, std::vector<WeightedSet>& sets) {
  CutParts parts = simple_sets(graph, face_weight, gain, in_set);
  const auto ratio_of = [](const SimpleSet& s) { return std::abs(s.gain) / s.perimeter; };
  std::stable_sort(parts.sets.begin(), parts.sets.end(),
                   [&](const SimpleSet& x, const SimpleSet& y) { return ratio_of(x) > ratio_of(y); });
  if (parts.sets.size() > kSetsPerCut) parts.sets.resize(kSetsPerCut);
  double best = ratio;
  for (const SimpleSet& set : parts.sets) {
    if (ratio_of(set) <= ratio * (1 + kRounding)) break;
    sets.push_back({cells_of(parts, set), set.perimeter});
    best = std::max(best, ratio_of(set));
  }
  return best;
}

}  // namespace

Pricing largest_ratio(const CellGraph& graph, std::span<const double> face_weight, MinCut& cut,
                      std::span<const double> gain, double known_ratio) {
  Pricing pricing;
  double better = known_ratio;
  do {
    pricing.ratio = better;
    ++pricing.num_cuts;
    better = add_better(graph, face_weight, gain, cut.best_set(gain, pricing.ratio), pricing.ratio, pricing.sets);
  } while (better > pricing.ratio);
  return pricing;
}

}  // namespace brisance::modes
