#include "support_parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace brisance::dynamics {

namespace {

constexpr std::int64_t kOutside = std::numeric_limits<std::int64_t>::max();

/// Disjoint sets of (slot, corner) pairs: 8 · slot + corner.
class Sets {
public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  [[nodiscard]] std::size_t root(std::size_t i) {
    while (parent_[i] != static_cast<std::int32_t>(i)) {
      parent_[i] = parent_[static_cast<std::size_t>(parent_[i])];
      i = static_cast<std::size_t>(parent_[i]);
    }
    return i;
  }
  void unite(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = static_cast<std::int32_t>(std::min(a, b));
  }

private:
  std::vector<std::int32_t> parent_;
};

NodesOnLattice placed(const dist::Mesh& mesh, const BasisGrid& grid, int level) {
  const auto slots = static_cast<std::size_t>(mesh.num_node_slots());
  NodesOnLattice nodes;
  nodes.cell.resize(slots);
  nodes.weight.resize(slots);
  nodes.part.resize(slots);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const auto s = static_cast<std::size_t>(i);
    const BasisGrid::Place at = grid.place(mesh.rest[n], level);
    nodes.cell[s] = at.cell;
    for (std::size_t k = 0; k < 8; ++k) {
      const auto along = [&](std::size_t axis) { return (k >> axis & 1) != 0 ? at.inside[axis] : 1 - at.inside[axis]; };
      nodes.weight[s][k] = along(0) * along(1) * along(2);
    }
  }
  return nodes;
}

/// Joins two nodes of a tet in each support that holds both.
void join(const NodesOnLattice& nodes, std::size_t a, std::size_t b, Sets& sets) {
  const auto &at_a = nodes.cell[a], &at_b = nodes.cell[b];
  for (std::size_t k = 0; k < 8; ++k) {
    if (nodes.weight[a][k] == 0) continue;
    const std::int32_t x = at_a[0] - at_b[0] + static_cast<std::int32_t>(k & 1),
                       y = at_a[1] - at_b[1] + static_cast<std::int32_t>(k >> 1 & 1),
                       z = at_a[2] - at_b[2] + static_cast<std::int32_t>(k >> 2 & 1);
    if (x < 0 || x > 1 || y < 0 || y > 1 || z < 0 || z > 1) continue;
    const auto there = static_cast<std::size_t>(x | y << 1 | z << 2);
    if (nodes.weight[b][there] != 0) sets.unite(8 * a + k, 8 * b + there);
  }
}

/// Gives all members of a set the lowest name among them.
void spread(NodesOnLattice& nodes, Sets& sets) {
  const std::size_t slots = nodes.part.size();
  const auto name = [&](std::size_t i) -> std::int64_t& { return nodes.part[i / 8][i % 8]; };
  for (std::size_t i = 0; i < 8 * slots; ++i) {
    std::int64_t& of_root = name(sets.root(i));
    of_root = std::min(of_root, name(i));
  }
  for (std::size_t i = 0; i < 8 * slots; ++i) name(i) = name(sets.root(i));
}

}  // namespace

NodesOnLattice nodes_on_lattice(const dist::Mesh& mesh, const BasisGrid& grid, int level) {
  NodesOnLattice nodes = placed(mesh, grid, level);
  Sets sets(8 * nodes.cell.size());
  for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
    const LocalElement e(slot);
    if (!mesh.is_held(e)) continue;
    const auto corners = mesh.corners(e);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j)
        join(nodes, static_cast<std::size_t>(corners[i].value), static_cast<std::size_t>(corners[j].value), sets);
  }
  for (std::size_t s = 0; s < nodes.part.size(); ++s)
    for (std::size_t k = 0; k < 8; ++k)
      nodes.part[s][k] =
          nodes.weight[s][k] != 0 ? mesh.node_id[LocalNode(static_cast<std::int32_t>(s))].value : kOutside;
  while (true) {
    spread(nodes, sets);
    const auto before = nodes.part;
    mesh.halo().update_ghosts(std::span(nodes.part));
    if (!mesh.comm().any(nodes.part != before)) return nodes;
  }
}

}  // namespace brisance::dynamics
