/// Sets of cells merged into one cell, between which no face opens.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// A graph whose cells are sets of cells of another graph. A field that is constant on each set has the same energy,
/// norm and inner products on both.
struct MergedGraph {
  CellGraph graph;
  std::vector<double> face_weight;   ///< weights of its faces: sums over those between the same two sets
  std::vector<std::int32_t> set_of;  ///< set of each cell of the other graph

  /// The mean over each set, weighted by volume: the closest field that is constant on the sets.
  [[nodiscard]] std::vector<double> means(const CellGraph& cells, std::span<const double> field) const;
  /// A field on the sets as a field on the cells.
  [[nodiscard]] std::vector<double> on_cells(std::span<const double> field) const;
};

/// @param set_of  0 … n − 1 for each cell, each number used
/// Local; does not throw.
[[nodiscard]] MergedGraph merge_cells(const CellGraph& cells, std::span<const double> face_weight,
                                      std::vector<std::int32_t> set_of);

/// Sets for merge_cells: marked cells that are connected through faces form one set; any other cell is a set by itself.
/// @param no_break  not 0 for the marked cells; empty marks none
[[nodiscard]] std::vector<std::int32_t> unbreakable_sets(const CellGraph& cells,
                                                         std::span<const std::int32_t> no_break);

}  // namespace brisance::modes
