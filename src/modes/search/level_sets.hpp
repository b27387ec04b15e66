/// Level sets of a field on the cells: the first guesses at where a body breaks.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"

#include "modes/search/set_pool.hpp"

#include <span>
#include <vector>

namespace brisance::modes {

struct WeightedSet {
  CellSet set;
  double perimeter;
};

/// Sets {field > threshold}: the cells are put in the order of their values, the order is divided into `count`
/// stretches of equal volume, and the cheapest threshold of each stretch is taken. Of a field with few levels (a mode)
/// all are taken, so that it is a sum of its sets.
[[nodiscard]] std::vector<WeightedSet> level_sets(const CellGraph& graph, std::span<const double> face_weight,
                                                  std::span<const double> field, int count);

}  // namespace brisance::modes
