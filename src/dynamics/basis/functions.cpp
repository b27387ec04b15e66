#include "brisance/dynamics/basis/functions.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/la/star_forest.hpp"

#include "support_parts.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>

#include <fmt/format.h>

namespace brisance::dynamics {

namespace {

constexpr double kOnAPlane = 0x1p-20;  ///< distance from a lattice plane, in cells, that counts as on it
constexpr double kFinestCell = 2.5;    ///< default width of the finest cells, in mean edge lengths
constexpr std::int64_t kMostFunctions = 1 << 20;

/// Edge of the regular tet that has the mean volume before the first cut [m]. Collective.
double mean_edge_uncut(const dist::Mesh& mesh) {
  core::ExactSum volume;
  for (const std::int32_t e : dist::home_elements(mesh)) volume.add(mesh.volume(LocalElement(e)));
  volume.reduce(mesh.comm());
  return std::cbrt(6 * std::sqrt(2.0) * volume.value() / static_cast<double>(mesh.facts.num_uncut));
}

bool is_detail(const std::array<std::int32_t, 3>& point, int level) {
  return level == 0 || ((point[0] | point[1] | point[2]) & 1) != 0;
}

}  // namespace

BasisGrid::Place BasisGrid::place(const Vec3& rest, int level) const {
  Place place{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double at = std::ldexp((rest[static_cast<int>(k)] - corner[k]) / width_m[k], level);
    const double nearest = std::nearbyint(at), below = std::abs(at - nearest) < kOnAPlane ? nearest : std::floor(at);
    place.cell[k] = static_cast<std::int32_t>(below);
    place.inside[k] = below == nearest && at - below < kOnAPlane ? 0 : at - below;
  }
  return place;
}

BasisGrid basis_grid(const dist::Mesh& mesh, double cell_m, int levels) {
  BasisGrid grid;
  grid.levels = levels;
  const double edge_m = mean_edge_uncut(mesh), finest = std::ldexp(1.0, 1 - levels);
  core::agree(mesh.comm(), [&] {
    if (cell_m > 0 && cell_m * finest < edge_m)
      throw core::Error(
          fmt::format("time.basis_cell_m = {:g} with time.basis_levels = {}: the finest lattice, with cells of {:.3g} "
                      "m, would be finer than the mesh, whose mean edge is {:.3g} m. Take a basis_cell_m of {:.3g} or "
                      "more, or fewer levels.",
                      cell_m, levels, cell_m * finest, edge_m, edge_m / finest));
  });
  // Rounded, so that sums in another order after a cut give the same lattices.
  const double wished_m = cell_m > 0 ? cell_m : static_cast<double>(static_cast<float>(kFinestCell * edge_m / finest));
  std::array<double, 3> negative_highest;
  grid.corner.fill(std::numeric_limits<double>::infinity());
  negative_highest.fill(std::numeric_limits<double>::infinity());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      for (std::size_t k = 0; k < 3; ++k) {
        const double x = mesh.rest[n][static_cast<int>(k)];
        grid.corner[k] = std::min(grid.corner[k], x);
        negative_highest[k] = std::min(negative_highest[k], -x);
      }
  grid.corner = mesh.comm().min(grid.corner);
  negative_highest = mesh.comm().min(negative_highest);
  for (std::size_t k = 0; k < 3; ++k) {
    const double extent = -negative_highest[k] - grid.corner[k], cells = std::round(extent / wished_m);
    grid.width_m[k] = cells >= 1 ? extent / cells : wished_m;
  }
  return grid;
}

/// Names a copy of a lattice function.
struct Functions::Key {
  std::int32_t level, z, y, x;
  std::int64_t part;
  auto operator<=>(const Key&) const = default;
};

struct Functions::Level {
  int level;
  NodesOnLattice nodes;
  [[nodiscard]] Key key(std::size_t slot, std::size_t corner) const {
    const auto p = nodes.point(slot, corner);
    return {level, p[2], p[1], p[0], nodes.part[slot][corner]};
  }
};

Functions::Functions(const dist::Mesh& mesh, const BasisGrid& grid) {
  const auto wished = mesh.field(kBasisLevel).span();
  wish_.assign(wished.begin(), wished.end());
  mesh.halo().update_ghosts(std::span(wish_));
  std::vector<Level> levels;
  for (int l = 0; l < grid.levels; ++l) levels.push_back({l, nodes_on_lattice(mesh, grid, l)});
  number(mesh, levels);
  link(mesh, levels);
  scale(mesh);
}

Functions::~Functions() = default;
Functions::Functions(Functions&&) noexcept = default;
Functions& Functions::operator=(Functions&&) noexcept = default;

/// Finds active functions: those that a node asks for, and that move a node that is not free.
void Functions::number(const dist::Mesh& mesh, std::span<const Level> levels) {
  struct Found {
    Key key;
    std::int32_t is_asked_for, moves;
  };
  std::vector<Found> found;
  const auto join = [&] {
    std::ranges::sort(found, {}, &Found::key);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (kept > 0 && found[kept - 1].key == found[i].key) {
        found[kept - 1].is_asked_for |= found[i].is_asked_for;
        found[kept - 1].moves |= found[i].moves;
      } else {
        found[kept++] = found[i];
      }
    }
    found.resize(kept);
  };
  std::vector<std::int64_t> free_nodes;
  std::int64_t owned = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const auto s = static_cast<std::size_t>(i);
    ++owned;
    if (wish_[s] == kFree) free_nodes.push_back(mesh.node_id[n].value);
    for (const Level& level : levels)
      for (std::size_t k = 0; k < 8; ++k)
        if (level.nodes.weight[s][k] != 0 && is_detail(level.nodes.point(s, k), level.level))
          found.push_back({level.key(s, k), wish_[s] >= level.level ? 1 : 0, wish_[s] != kFree ? 1 : 0});
    if (found.size() > (std::size_t{1} << 22)) join();
  }
  join();
  found = mesh.comm().all_gather(std::span<const Found>(found));
  join();
  for (const Found& f : found)
    if (f.is_asked_for != 0 && f.moves != 0) keys_.push_back(f.key);
  free_id_ = mesh.comm().all_gather(std::span<const std::int64_t>(free_nodes));
  std::ranges::sort(free_id_);
  num_nodes_ = mesh.comm().sum(owned);
  core::agree(mesh.comm(), [&] {
    const auto all = static_cast<std::int64_t>(keys_.size() + free_id_.size());
    if (all > kMostFunctions)
      throw core::Error(
          fmt::format("The hierarchical basis has {} active functions, more than a rank can hold ({}). Take a smaller "
                      "time.basis_active_share, or time.basis = \"nodal\".",
                      all, kMostFunctions));
  });
  num_lattice_ = static_cast<std::int32_t>(keys_.size());
  num_free_ = static_cast<std::int32_t>(free_id_.size());
}

std::int32_t Functions::number_of(const Key& key) const {
  const auto at = std::ranges::lower_bound(keys_, key);
  return at != keys_.end() && *at == key ? static_cast<std::int32_t>(at - keys_.begin()) : -1;
}

void Functions::link(const dist::Mesh& mesh, std::span<const Level> levels) {
  const auto slots = static_cast<std::size_t>(mesh.num_node_slots());
  finest_.assign(slots, 0);
  first_.assign(1, 0);
  for (std::size_t s = 0; s < slots; ++s) {
    const LocalNode n(static_cast<std::int32_t>(s));
    const std::size_t begin = links_.size();
    if (mesh.is_used(n) && wish_[s] == kFree) {
      const auto at = std::ranges::lower_bound(free_id_, mesh.node_id[n].value) - free_id_.begin();
      links_.push_back({num_lattice_ + static_cast<std::int32_t>(at), 1});
      finest_[s] = kFree;
    } else if (mesh.is_used(n)) {
      for (const Level& level : levels)
        for (std::size_t k = 0; k < 8; ++k) {
          if (level.nodes.weight[s][k] == 0 || !is_detail(level.nodes.point(s, k), level.level)) continue;
          const std::int32_t function = number_of(level.key(s, k));
          if (function < 0) continue;
          links_.push_back({function, level.nodes.weight[s][k]});
          finest_[s] = static_cast<std::uint8_t>(level.level);
        }
      std::sort(links_.begin() + static_cast<std::ptrdiff_t>(begin), links_.end(),
                [](const Link& a, const Link& b) { return a.function < b.function; });
    }
    first_.push_back(links_.size());
  }
}

/// Divides weights by the largest of each function: scales do not matter, and so none is nearly without mass.
void Functions::scale(const dist::Mesh& mesh) {
  std::vector<double> largest(static_cast<std::size_t>(count()), 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i)))
      for (const Link& link : of(static_cast<std::size_t>(i))) {
        double& most = largest[static_cast<std::size_t>(link.function)];
        most = std::max(most, link.weight);
      }
  la::check(MPI_Allreduce(MPI_IN_PLACE, largest.data(), static_cast<int>(largest.size()), MPI_DOUBLE, MPI_MAX,
                          mesh.comm().raw()),
            "MPI_Allreduce");
  for (Link& link : links_) link.weight /= largest[static_cast<std::size_t>(link.function)];
}

}  // namespace brisance::dynamics
