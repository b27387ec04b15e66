/// What is to be broken, and how strong it is.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <vector>

namespace brisance::modes {

/// What is to be broken.
struct Body {
  Simplices mesh;
  CellGraph graph;                  ///< cell_graph(mesh)
  std::vector<double> face_weight;  ///< one a face of the graph, all positive
  std::vector<double> eta;          ///< strength factors in these weights, which start vectors follow; or empty
  std::vector<std::int32_t>
      no_break;  ///< of each cell: 1 if it must not part from neighbours that have 1 too; or empty
};

}  // namespace brisance::modes
