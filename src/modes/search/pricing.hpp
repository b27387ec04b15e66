/// The pricing problem of a convex step: the set with the largest gain over perimeter.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/search/min_cut.hpp"

#include "modes/search/level_sets.hpp"

#include <span>
#include <vector>

namespace brisance::modes {

struct Pricing {
  double ratio = 0;               ///< max |gain(S)|/Per(S) over all sets S
  std::vector<WeightedSet> sets;  ///< sets found that exceed the ratio known before
  int num_cuts = 0;
};

/// Dinkelbach's iteration: a cut at the best known ratio either finds a better set or proves that there is none.
///
/// @param cut          of the same graph and weights; its earlier cuts change the time, not the result
/// @param known_ratio  of some set, > 0
/// Local, deterministic.
[[nodiscard]] Pricing largest_ratio(const CellGraph& graph, std::span<const double> face_weight, MinCut& cut,
                                    std::span<const double> gain, double known_ratio);

}  // namespace brisance::modes
