#include "brisance/dynamics/lattice.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"

#include "lattice_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace brisance::dynamics {

namespace {

constexpr std::int32_t kMostPoints = 1 << 20;

/// Edge of the regular tet that has the mean volume [m]. Collective.
double mean_edge(const dist::Mesh& mesh) {
  core::ExactSum volume;
  const std::vector<std::int32_t> home = dist::home_elements(mesh);
  for (const std::int32_t e : home) volume.add(mesh.own_volume(LocalElement(e)));
  volume.reduce(mesh.comm());
  const auto count = static_cast<double>(mesh.comm().sum(static_cast<std::int64_t>(home.size())));
  return std::cbrt(6 * std::sqrt(2.0) * volume.value() / count);
}

std::array<double, 3> lowest_corner(const dist::Mesh& mesh) {
  std::array<double, 3> lowest;
  lowest.fill(std::numeric_limits<double>::infinity());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      for (int k = 0; k < 3; ++k)
        lowest[static_cast<std::size_t>(k)] = std::min(lowest[static_cast<std::size_t>(k)], mesh.rest[n][k]);
  return mesh.comm().min(lowest);
}

template <class T>
std::int32_t index_in(const std::vector<T>& sorted, const T& wanted) {
  return static_cast<std::int32_t>(std::ranges::lower_bound(sorted, wanted) - sorted.begin());
}

}  // namespace

Lattice::Lattice(const dist::Mesh& mesh, double spacing) {
  core::agree(mesh.comm(), [&] {
    if (!(spacing >= 1))
      throw core::Error(
          fmt::format("-dyn_pc_lattice_spacing {:g}: the lattice would be finer than the mesh, whose "
                      "edges are 1. Take 1 or more; 2.5 is usual.",
                      spacing));
  });
  cell_m_ = spacing * mean_edge(mesh);
  coarsen(place_nodes(mesh));
}

/// Makes cells, points and weights of the finest level; returns the largest weight of each point, by which its weights
/// were divided.
std::vector<double> Lattice::place_nodes(const dist::Mesh& mesh) {
  const dist::Pieces pieces = dist::find_pieces(mesh);
  const std::array<double, 3> corner = lowest_corner(mesh);
  const auto slots = static_cast<std::size_t>(mesh.num_node_slots());
  std::vector<Key> cell_key(slots), keys;
  std::vector<std::array<double, 3>> inside(slots);  // coordinates in the cell, 0 to 1
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const auto s = static_cast<std::size_t>(i);
    std::array<std::int32_t, 3> whole{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = (mesh.rest[n][static_cast<int>(k)] - corner[k]) / cell_m_;
      const double nearest = std::nearbyint(at),
                   below = std::abs(at - nearest) < kOnThePlane ? nearest : std::floor(at);
      whole[k] = static_cast<std::int32_t>(below);
      inside[s][k] = std::max(0.0, at - below);
      if (below == nearest && inside[s][k] < kOnThePlane) inside[s][k] = 0;
    }
    cell_key[s] = {pieces.of_node[n], whole[2], whole[1], whole[0]};
    if (mesh.is_owned(n)) keys.push_back(cell_key[s]);
  }
  sort_unique(keys);
  keys = mesh.comm().all_gather(std::span<const Key>(keys));
  sort_unique(keys);

  const auto point_of = [](const Key& cell, int which) {
    return Key{cell.piece, cell.z + (which >> 2), cell.y + (which >> 1 & 1), cell.x + (which & 1)};
  };
  core::agree(mesh.comm(), [&] {
    if (keys.size() > kMostPoints)
      throw core::Error(
          fmt::format("The lattice of this body has {} cells, more than a rank can hold. Take a larger "
                      "-dyn_pc_lattice_spacing, or time.solver = \"auto\".",
                      keys.size()));
  });
  for (const Key& cell : keys)
    for (int which = 0; which < 8; ++which) points_.push_back(point_of(cell, which));
  sort_unique(points_);
  cells_.resize(keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c)
    for (int which = 0; which < 8; ++which)
      cells_[c][static_cast<std::size_t>(which)] = index_in(points_, point_of(keys[c], which));

  cell_of_.assign(slots, -1);
  weights_of_.assign(slots, {});
  std::vector<double> largest(points_.size(), 0), nodes(points_.size(), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const auto s = static_cast<std::size_t>(i);
    cell_of_[s] = index_in(keys, cell_key[s]);
    for (std::size_t which = 0; which < 8; ++which) {
      const auto along = [&](std::size_t axis) {
        return (which >> axis & 1) != 0 ? inside[s][axis] : 1 - inside[s][axis];
      };
      weights_of_[s][which] = along(0) * along(1) * along(2);
      const auto p = static_cast<std::size_t>(cells_[static_cast<std::size_t>(cell_of_[s])][which]);
      if (!mesh.is_owned(n)) continue;
      largest[p] = std::max(largest[p], weights_of_[s][which]);
      nodes[p] += 1;
    }
  }
  reduce(mesh.comm(), largest, MPI_MAX);
  reduce(mesh.comm(), nodes, MPI_SUM);
  most_nodes_ = static_cast<std::int64_t>(*std::ranges::max_element(nodes));
  for (std::size_t s = 1; s < slots; ++s) {
    if (cell_of_[s] < 0) continue;
    for (std::size_t which = 0; which < 8; ++which) {
      const double most = largest[static_cast<std::size_t>(cells_[static_cast<std::size_t>(cell_of_[s])][which])];
      if (most > 0) weights_of_[s][which] /= most;
    }
  }
  return largest;
}

void Lattice::coarsen(std::vector<double> scale) {
  while (true) {
    LatticeLevel level;
    level.num_points = static_cast<std::int32_t>(points_.size());
    std::vector<Key> next;
    const auto parents = [](const Key& p, auto&& visit) {  // even points have one along an axis, odd ones two
      for (std::int32_t z = p.z / 2; z <= (p.z + 1) / 2; ++z)
        for (std::int32_t y = p.y / 2; y <= (p.y + 1) / 2; ++y)
          for (std::int32_t x = p.x / 2; x <= (p.x + 1) / 2; ++x) visit(Key{p.piece, z, y, x});
    };
    std::vector<bool> goes_on(points_.size(), false);
    for (std::size_t first = 0, end = 0; first < points_.size(); first = end) {
      while (end < points_.size() && points_[end].piece == points_[first].piece) ++end;
      if (end - first <= static_cast<std::size_t>(kSolvedAtOnce)) {
        level.solved.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(end)});
        continue;
      }
      for (std::size_t p = first; p < end; ++p) {
        goes_on[p] = true;
        parents(points_[p], [&](const Key& k) { next.push_back(k); });
      }
    }
    sort_unique(next);
    std::vector<double> largest(next.size(), 0);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      if (goes_on[p]) {
        const Key& k = points_[p];
        const double weight = scale[p] * std::ldexp(1.0, -((k.x & 1) + (k.y & 1) + (k.z & 1)));
        parents(k, [&](const Key& parent) {
          const std::int32_t q = index_in(next, parent);
          level.links.push_back({q, weight});
          largest[static_cast<std::size_t>(q)] = std::max(largest[static_cast<std::size_t>(q)], weight);
        });
      }
      level.first_link.push_back(static_cast<std::int32_t>(level.links.size()));
    }
    for (LatticeLink& link : level.links)
      if (const double most = largest[static_cast<std::size_t>(link.parent)]; most > 0) link.weight /= most;
    levels_.push_back(std::move(level));
    if (next.empty()) return;
    points_ = std::move(next);
    scale = std::move(largest);
  }
}

}  // namespace brisance::dynamics
