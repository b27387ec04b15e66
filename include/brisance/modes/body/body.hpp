/// A body and its strength, as input of the mode search.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <vector>

namespace brisance::modes {

/// A body whose fracture modes are wanted.
struct Body {
  Simplices mesh;
  CellGraph graph;                     ///< cell_graph(mesh)
  std::vector<double> face_weight;     ///< one for each face of the graph, all positive
  std::vector<double> eta;             ///< strength factors in these weights, which start vectors use; or empty
  std::vector<std::int32_t> no_break;  ///< for each cell: 1 if it must stay joined to neighbours marked 1; or empty
};

}  // namespace brisance::modes
