/// Level sets of a field on the cells: the first estimates of cracks.
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

/// Sets {field > threshold}: the cells are sorted by value and divided into `count` intervals of equal volume, and the
/// cheapest threshold in each interval is chosen. For a field with few levels (a mode) all are returned, so that it is
/// a sum of its sets.
[[nodiscard]] std::vector<WeightedSet> level_sets(const CellGraph& graph, std::span<const double> face_weight,
                                                  std::span<const double> field, int count);

}  // namespace brisance::modes
