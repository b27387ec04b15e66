/// Connected parts of the supports of lattice functions.
#pragma once

#include "brisance/dynamics/basis/functions.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace brisance::dynamics {

/// Nodes on the lattice of one level, by slot, ghosts included. Corner k of a cell is its lowest point moved by one
/// cell along x, y, z where bit 1, 2, 4 of k is set.
struct NodesOnLattice {
  std::vector<std::array<std::int32_t, 3>> cell;
  std::vector<std::array<double, 8>> weight;      ///< trilinear, of the cell's corners
  std::vector<std::array<std::int64_t, 8>> part;  ///< name of the node's part of each corner's support: its lowest node

  [[nodiscard]] std::array<std::int32_t, 3> point(std::size_t slot, std::size_t corner) const {
    const auto& c = cell[slot];
    return {c[0] + static_cast<std::int32_t>(corner & 1), c[1] + static_cast<std::int32_t>(corner >> 1 & 1),
            c[2] + static_cast<std::int32_t>(corner >> 2 & 1)};
  }
};

/// Two nodes in a support belong to one part if a path of edges between nodes of the support joins them. Ranks exchange
/// names until none changes. Collective.
[[nodiscard]] NodesOnLattice nodes_on_lattice(const dist::Mesh& mesh, const BasisGrid& grid, int level);

}  // namespace brisance::dynamics
