#include "brisance/dynamics/basis/functions.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/la/star_forest.hpp"

#include "dynamics/lattice_parts.hpp"
#include "support_parts.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>

#include <fmt/format.h>

namespace brisance::dynamics {

namespace {

constexpr double kFinestCell = 2.5;  ///< default width of the finest cells, in mean edge lengths
constexpr std::int64_t kMostFunctions = 1 << 20;
constexpr std::int64_t kLeastNodes = 8;        ///< fewest nodes that a lattice function moves
constexpr std::int32_t kMostDirect = 1 << 14;  ///< largest number of functions that steps solve for directly
constexpr int kMostRounds = 16;                ///< in which nodes of thin supports become free

/// Edge of the regular tet that has the mean volume before the first cut [m]. Collective.
double uncut_mean_edge(const dist::Mesh& mesh) {
  core::ExactSum volume;
  for (const std::int32_t e : dist::home_elements(mesh)) volume.add(mesh.volume(LocalElement(e)));
  volume.reduce(mesh.comm());
  return std::cbrt(6 * std::sqrt(2.0) * volume.value() / static_cast<double>(mesh.facts.num_uncut));
}

bool is_detail(const std::array<std::int32_t, 3>& point, int level) {
  return level == 0 || ((point[0] | point[1] | point[2]) & 1) != 0;
}

bool is_fixed(std::span<const ConstrainedAxes> held, std::size_t slot) { return !held.empty() && held[slot] == 7; }

}  // namespace

BasisGrid::Place BasisGrid::place(const Vec3& rest, int level) const {
  Place place{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double at = std::ldexp((rest[static_cast<int>(k)] - corner[k]) / width_m[k], level);
    const double nearest = std::nearbyint(at), below = std::abs(at - nearest) < kOnThePlane ? nearest : std::floor(at);
    place.cell[k] = static_cast<std::int32_t>(below);
    place.inside[k] = below == nearest && at - below < kOnThePlane ? 0 : at - below;
  }
  return place;
}

BasisGrid basis_grid(const dist::Mesh& mesh, double cell_m, int levels) {
  BasisGrid grid;
  grid.levels = levels;
  const double edge_m = uncut_mean_edge(mesh), finest = std::ldexp(1.0, 1 - levels);
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
    const double extent = -negative_highest[k] - grid.corner[k], cells = std::round(extent / (finest * wished_m));
    grid.width_m[k] = cells >= 1 ? extent / (finest * cells) : wished_m;
  }
  return grid;
}

/// Names a copy of a lattice function.
struct Functions::Key {
  std::int32_t level, z, y, x;
  std::int64_t part;
  auto operator<=>(const Key&) const = default;
};

/// One lattice: its functions on all ranks, and which of them are at the corners of each node's cell.
struct Functions::Level {
  NodesOnLattice nodes;
  std::vector<Key> keys;                          ///< ascending
  std::vector<std::array<std::int32_t, 8>> at;    ///< index of a key, by slot; −1: none, or no detail
  std::vector<std::int64_t> moves, is_asked_for;  ///< by key: number of nodes it moves, of those that ask for it
  std::vector<std::int64_t> reaches;              ///< by key: nodes in its support, free ones too
  std::vector<std::int32_t> number;               ///< of active functions; −1: not active
  std::vector<std::int32_t> number_beneath;       ///< in the direct solution; −1: not there
};

Functions::Functions(const dist::Mesh& mesh, const BasisGrid& grid, std::span<const ConstrainedAxes> held) {
  const auto wished = mesh.field(kBasisLevel).span();
  wish_.assign(wished.begin(), wished.end());
  mesh.halo().update_ghosts(std::span(wish_));
  std::vector<Level> levels;
  for (int l = 0; l < grid.levels; ++l) levels.push_back(found_at(mesh, grid, l));
  free_thin_supports(mesh, held, levels[0]);
  number(mesh, held, levels);
  link(mesh, levels);
  link_beneath(mesh, levels);
  scale(mesh);
}

Functions::~Functions() = default;
Functions::Functions(Functions&&) noexcept = default;
Functions& Functions::operator=(Functions&&) noexcept = default;

Functions::Level Functions::found_at(const dist::Mesh& mesh, const BasisGrid& grid, int l) {
  Level level{nodes_on_lattice(mesh, grid, l), {}, {}, {}, {}, {}, {}, {}};
  const auto slots = static_cast<std::size_t>(mesh.num_node_slots());
  const auto key = [&](std::size_t slot, std::size_t corner) {
    const auto p = level.nodes.point(slot, corner);
    return Key{l, p[2], p[1], p[0], level.nodes.part[slot][corner]};
  };
  const auto for_each = [&](const auto& visit) {
    for (std::size_t s = 1; s < slots; ++s)
      if (mesh.is_used(LocalNode(static_cast<std::int32_t>(s))))
        for (std::size_t k = 0; k < 8; ++k)
          if (level.nodes.weight[s][k] != 0 && is_detail(level.nodes.point(s, k), l)) visit(s, k);
  };
  for_each([&](std::size_t s, std::size_t k) {
    if (mesh.is_owned(LocalNode(static_cast<std::int32_t>(s)))) level.keys.push_back(key(s, k));
  });
  sort_unique(level.keys);
  level.keys = mesh.comm().all_gather(std::span<const Key>(level.keys));
  sort_unique(level.keys);
  std::array<std::int32_t, 8> none;
  none.fill(-1);
  level.at.assign(slots, none);
  for_each([&](std::size_t s, std::size_t k) {
    const auto found = std::ranges::lower_bound(level.keys, key(s, k));
    if (found != level.keys.end() && *found == key(s, k))
      level.at[s][k] = static_cast<std::int32_t>(found - level.keys.begin());
  });
  return level;
}

/// Counts the nodes that each function of a level moves. Collective.
void Functions::count_nodes(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held, int l, Level& level) const {
  level.moves.assign(level.keys.size(), 0);
  level.is_asked_for.assign(level.keys.size(), 0);
  level.reaches.assign(level.keys.size(), 0);
  for (std::size_t s = 1; s < level.at.size(); ++s) {
    if (!mesh.is_owned(LocalNode(static_cast<std::int32_t>(s)))) continue;
    for (const std::int32_t at : level.at[s]) {
      if (at < 0) continue;
      if (!is_fixed(held, s)) ++level.reaches[static_cast<std::size_t>(at)];
      if (wish_[s] != kFree && !is_fixed(held, s)) ++level.moves[static_cast<std::size_t>(at)];
      if (wish_[s] >= l) ++level.is_asked_for[static_cast<std::size_t>(at)];
    }
  }
  for (auto* const counts : {&level.moves, &level.is_asked_for, &level.reaches})
    la::check(MPI_Allreduce(MPI_IN_PLACE, counts->data(), static_cast<int>(counts->size()), MPI_INT64_T, MPI_SUM,
                            mesh.comm().raw()),
              "MPI_Allreduce");
}

/// Makes nodes free that a coarsest function would move with too few others: such functions nearly depend on each
/// other. Without them affine motions would be lost. Freed nodes leave others with fewer; so it repeats.
void Functions::free_thin_supports(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held, Level& coarsest) {
  for (int round = 0; round < kMostRounds; ++round) {
    count_nodes(mesh, held, 0, coarsest);
    bool frees = false;
    for (std::size_t s = 1; s < coarsest.at.size(); ++s) {
      if (!mesh.is_owned(LocalNode(static_cast<std::int32_t>(s))) || wish_[s] == kFree || is_fixed(held, s)) continue;
      for (const std::int32_t at : coarsest.at[s])
        if (at >= 0 && coarsest.moves[static_cast<std::size_t>(at)] < kLeastNodes) wish_[s] = kFree;
      frees = frees || wish_[s] == kFree;
    }
    if (!mesh.comm().any(frees)) return;
    mesh.halo().update_ghosts(std::span(wish_));
  }
}

/// Active functions are those that a node asks for, and that move enough nodes.
void Functions::number(const dist::Mesh& mesh, std::span<const ConstrainedAxes> held, std::span<Level> levels) {
  for (std::size_t l = 0; l < levels.size(); ++l) {
    Level& level = levels[l];
    count_nodes(mesh, held, static_cast<int>(l), level);
    level.number.assign(level.keys.size(), -1);
    const std::int64_t least = l == 0 ? 1 : kLeastNodes;
    for (std::size_t k = 0; k < level.keys.size(); ++k)
      if (level.moves[k] >= least && level.is_asked_for[k] > 0) level.number[k] = num_lattice_++;
  }
  number_beneath(levels);
  std::vector<std::int64_t> free_nodes;
  std::int64_t owned = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) {
      ++owned;
      if (wish_[static_cast<std::size_t>(i)] == kFree) free_nodes.push_back(mesh.node_id[n].value);
    }
  free_id_ = mesh.comm().all_gather(std::span<const std::int64_t>(free_nodes));
  std::ranges::sort(free_id_);
  num_nodes_ = mesh.comm().sum(owned);
  core::agree(mesh.comm(), [&] {
    const auto all = num_lattice_ + static_cast<std::int64_t>(free_id_.size());
    if (all > kMostFunctions)
      throw core::Error(
          fmt::format("The hierarchical basis has {} active functions, more than a rank can hold ({}). Take a smaller "
                      "time.basis_active_share, or time.basis = \"nodal\".",
                      all, kMostFunctions));
  });
  num_free_ = static_cast<std::int32_t>(free_id_.size());
}

/// Which functions steps solve for directly: the active ones of the coarsest lattices, and the shares of these
/// lattices' functions in free nodes.
void Functions::number_beneath(std::span<Level> levels) {
  const auto reaches_free_nodes = [](const Level& level, std::size_t k) {
    return level.is_asked_for[k] > 0 && level.reaches[k] > level.moves[k];
  };
  std::int32_t beneath = 0;
  std::size_t num_levels = 0;
  for (std::int32_t active = 0; num_levels < levels.size(); ++num_levels) {
    const Level& level = levels[num_levels];
    for (std::size_t k = 0; k < level.keys.size(); ++k) {
      active += level.number[k] >= 0 ? 1 : 0;
      beneath += reaches_free_nodes(level, k) ? 1 : 0;
    }
    if (num_levels > 0 && active + beneath > kMostDirect) break;
    num_direct_ = active;
  }
  num_coarse_ = num_direct_;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    levels[l].number_beneath.assign(levels[l].keys.size(), -1);
    for (std::size_t k = 0; l < num_levels && k < levels[l].keys.size(); ++k)
      if (reaches_free_nodes(levels[l], k)) levels[l].number_beneath[k] = num_coarse_++;
  }
}

std::span<const Functions::Link> Functions::in_direct_solution(std::size_t slot) const {
  const auto links = of(slot);
  if (is_free(slot)) return links.empty() ? links : beneath(links[0].function - num_lattice_);
  return links.first(
      static_cast<std::size_t>(std::ranges::lower_bound(links, num_direct_, {}, &Link::function) - links.begin()));
}

/// Gathers the weights of functions at free nodes. Collective.
void Functions::link_beneath(const dist::Mesh& mesh, std::span<const Level> levels) {
  struct Weight {
    std::int32_t node, function;
    double weight;
  };
  std::vector<Weight> weights;
  for (std::size_t s = 1; s < finest_.size(); ++s) {
    if (!is_free(s) || !mesh.is_owned(LocalNode(static_cast<std::int32_t>(s)))) continue;
    const std::int32_t node = of(s)[0].function - num_lattice_;
    for (const Level& level : levels)
      for (std::size_t k = 0; k < 8; ++k) {
        const std::int32_t at = level.at[s][k];
        const std::int32_t function = at >= 0 ? level.number_beneath[static_cast<std::size_t>(at)] : -1;
        if (function >= 0) weights.push_back({node, function, level.nodes.weight[s][k]});
      }
  }
  weights = mesh.comm().all_gather(std::span<const Weight>(weights));
  std::ranges::sort(weights, [](const Weight& a, const Weight& b) {
    return a.node != b.node ? a.node < b.node : a.function < b.function;
  });
  first_beneath_.assign(1, 0);
  for (const Weight& weight : weights) {
    while (static_cast<std::int32_t>(first_beneath_.size()) <= weight.node) first_beneath_.push_back(beneath_.size());
    beneath_.push_back({weight.function, weight.weight});
  }
  first_beneath_.resize(static_cast<std::size_t>(num_free_) + 1, beneath_.size());
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
      for (std::size_t l = 0; l < levels.size(); ++l)
        for (std::size_t k = 0; k < 8; ++k) {
          const std::int32_t at = levels[l].at[s][k];
          const std::int32_t function = at >= 0 ? levels[l].number[static_cast<std::size_t>(at)] : -1;
          if (function < 0) continue;
          links_.push_back({function, levels[l].nodes.weight[s][k]});
          finest_[s] = static_cast<std::uint8_t>(l);
        }
      std::sort(links_.begin() + static_cast<std::ptrdiff_t>(begin), links_.end(),
                [](const Link& a, const Link& b) { return a.function < b.function; });
    }
    first_.push_back(links_.size());
  }
}

/// Divides weights by the largest of each function: scales do not matter, and so none is nearly without mass. The rank
/// that owns the node with the largest weight owns the function.
void Functions::scale(const dist::Mesh& mesh) {
  const auto all = static_cast<std::size_t>(count());
  std::vector<double> largest(all, 0);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i)))
      for (const Link& link : of(static_cast<std::size_t>(i))) {
        double& most = largest[static_cast<std::size_t>(link.function)];
        most = std::max(most, link.weight);
      }
  const std::vector<double> here = largest;
  reduce(mesh.comm(), largest, MPI_MAX);
  owner_.assign(all, mesh.comm().size());
  for (std::size_t f = 0; f < all; ++f)
    if (here[f] == largest[f]) owner_[f] = mesh.comm().rank();
  la::check(MPI_Allreduce(MPI_IN_PLACE, owner_.data(), count(), MPI_INT32_T, MPI_MIN, mesh.comm().raw()),
            "MPI_Allreduce");
  for (Link& link : links_) link.weight /= largest[static_cast<std::size_t>(link.function)];
}

}  // namespace brisance::dynamics
