/// A bar in slabs with modes that are constant on slabs: like fracture modes, without computing any.
#pragma once

#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/pieces/pieces.hpp"

#include "support/kuhn.hpp"

#include <cmath>
#include <numbers>

namespace brisance::test {

/// A bar cut into slabs of equal thickness along x, with modes that are constant on slabs.
struct SlabBar {
  mesh::TetMesh mesh;
  modes::CellGraph graph;
  modes::PieceLabels atoms;
  modes::ModeSet modes;
};

inline SlabBar slab_bar(int num_slabs, int num_modes, int cells_per_slab = 2, double size = 1) {
  SlabBar bar;
  bar.mesh = kuhn_box(num_slabs * cells_per_slab, 3, 3, 4 * size, size, size);
  bar.graph = modes::cell_graph(bar.mesh);
  std::vector<std::int32_t> slab;
  for (const auto& tet : bar.mesh.tets) {
    double x = 0;
    for (const std::int32_t n : tet) x += bar.mesh.nodes[n].x() / 4;
    slab.push_back(static_cast<std::int32_t>(x / (4 * size) * num_slabs));
  }
  bar.atoms = modes::split_into_parts(bar.graph, slab);
  // Mode i: cos(iπx) sampled on slabs, orthogonal for equal slabs (discrete cosine transform).
  const double volume = 4 * size * size * size;
  for (int i = 0; i < num_modes; ++i) {
    modes::Mode mode;
    mode.energy = i;
    for (const std::int32_t s : slab)
      mode.value.push_back((i == 0 ? 1 : std::numbers::sqrt2) * std::cos(i * std::numbers::pi * (s + 0.5) / num_slabs) /
                           std::sqrt(volume));
    bar.modes.modes.push_back(mode);
  }
  return bar;
}

}  // namespace brisance::test
