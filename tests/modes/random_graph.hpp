/// Small random graphs for tests of cuts and modes.
#pragma once

#include "brisance/core/random.hpp"
#include "brisance/modes/body/cell_graph.hpp"

#include <algorithm>
#include <cstdint>

namespace brisance::modes::test {

/// A connected graph: each cell after the first is joined to an earlier one, and `extra` more pairs at random. Volumes
/// and areas lie in [½, 1½].
inline CellGraph random_graph(std::int32_t num_cells, int extra, std::uint64_t seed) {
  CellGraph graph;
  std::uint64_t draw = 0;
  const auto uniform = [&] { return core::hash_uniform(seed, draw++, 1); };
  const auto join = [&](std::int32_t a, std::int32_t b) {
    if (a > b) std::swap(a, b);
    const bool known =
        std::any_of(graph.faces.begin(), graph.faces.end(), [&](const Face& f) { return f.a == a && f.b == b; });
    if (a != b && !known) graph.faces.push_back({a, b, 0.5 + uniform()});
  };
  for (std::int32_t c = 0; c < num_cells; ++c) {
    graph.volume.push_back(0.5 + uniform());
    if (c > 0) join(c, static_cast<std::int32_t>(uniform() * c));
  }
  for (int k = 0; k < extra; ++k)
    join(static_cast<std::int32_t>(uniform() * num_cells), static_cast<std::int32_t>(uniform() * num_cells));
  return graph;
}

}  // namespace brisance::modes::test
