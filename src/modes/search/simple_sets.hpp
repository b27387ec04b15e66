/// Decomposes a cut into connected sets with connected complements: the extreme points among sets.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"

#include "modes/search/level_sets.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// One simple set of a cut, described by the cut's pieces.
struct SimpleSet {
  std::vector<std::int32_t> pieces;  ///< its pieces, ascending
  double perimeter = 0;
  double gain = 0;  ///< Σ of the gain over its cells
};

/// The indicator of a set S is a sum of ± indicators of simple sets, whose perimeters add up to that of S: each
/// connected component of S, then each connected component of its complement.
struct CutParts {
  std::vector<std::int32_t> piece;  ///< for each cell its connected component of S or of its complement
  std::vector<SimpleSet> sets;
};

/// @param in_set  not 0 for the cells of S
/// The graph is connected. Local, deterministic.
[[nodiscard]] CutParts simple_sets(const CellGraph& graph, std::span<const double> face_weight,
                                   std::span<const double> gain, std::span<const std::uint8_t> in_set);

/// The cells of a simple set.
[[nodiscard]] CellSet cells_of(const CutParts& parts, const SimpleSet& set);

}  // namespace brisance::modes
