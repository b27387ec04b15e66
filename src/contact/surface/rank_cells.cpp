#include "brisance/contact/surface/rank_cells.hpp"

#include "brisance/core/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace brisance::contact {

namespace {

/// Cells along each axis that have a number; those beyond share the outermost ones.
constexpr std::int64_t kNumbered = std::int64_t{1} << 20;

/// Along each axis, of cells that are tested together whether they are near this rank's own.
constexpr std::int64_t kCoarse = 4;

/// Stands for the position of a node that is not in the exchanged cells.
const Vec3 kUnknown = Vec3::Constant(std::numeric_limits<double>::infinity());
bool is_unknown(const Vec3& place) { return place.x() == kUnknown.x(); }

constexpr double kNone = -std::numeric_limits<double>::infinity();

Vec3 place_of(const dist::Mesh& mesh, LocalNode n) { return Vec3(mesh.motion[n].position); }

std::uint64_t key_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto number = [](std::int64_t i) {
    return static_cast<std::uint64_t>(std::clamp(i + kNumbered / 2, std::int64_t{0}, kNumbered - 1));
  };
  return (number(x) * kNumbered + number(y)) * kNumbered + number(z);
}

std::array<std::int64_t, 3> cell_with(std::uint64_t key) {
  const auto at = [&](std::uint64_t number) { return static_cast<std::int64_t>(number % kNumbered) - kNumbered / 2; };
  return {at(key / kNumbered / kNumbered), at(key / kNumbered), at(key)};
}

std::uint64_t coarse_key(const std::array<std::int64_t, 3>& cell, const std::array<std::int64_t, 3>& shift = {}) {
  std::array<std::int64_t, 3> coarse{};
  for (std::size_t k = 0; k < 3; ++k)
    coarse[k] = (cell[k] >= 0 ? cell[k] / kCoarse : (cell[k] + 1) / kCoarse - 1) + shift[k];
  return key_of(coarse[0], coarse[1], coarse[2]);
}

/// Calls act(x, y, z) for the cells from `low` to `high`.
template <class Act>
void for_each_cell(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& high, const Act& act) {
  for (std::int64_t x = low[0]; x <= high[0]; ++x)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t z = low[2]; z <= high[2]; ++z) act(x, y, z);
}

template <class Act>
void for_each_around(const Act& act) {
  for_each_cell({-1, -1, -1}, {1, 1, 1}, act);
}

void add(std::vector<int>& ranks, int rank) {
  if (std::ranges::find(ranks, rank) == ranks.end()) ranks.push_back(rank);
}

}  // namespace

RankCells::RankCells(double allowance_m, double usual_reach_m)
    : allowance_m_(allowance_m), cell_m_(usual_reach_m + 2 * allowance_m) {}

RankCells::Cell RankCells::cell_of(const Vec3& place) const {
  Cell cell{};
  for (std::size_t k = 0; k < 3; ++k) {
    constexpr auto kMost = static_cast<double>(kNumbered / 2);
    const double along = std::floor(place[static_cast<Eigen::Index>(k)] / cell_m_);
    cell[k] = along > -kMost ? static_cast<std::int64_t>(std::min(along, kMost)) : -kNumbered / 2;
  }
  return cell;
}

/// Keys of cells that elements of this rank meet, ascending.
std::vector<std::uint64_t> RankCells::own_cells(const dist::Mesh& mesh) const {
  std::vector<std::uint64_t> keys;
  Cell last_low{}, last_high{};
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const auto corners = mesh.corners(e);
    Vec3 low = place_of(mesh, corners[0]), high = low;
    for (const LocalNode n : corners) {
      low = low.cwiseMin(place_of(mesh, n));
      high = high.cwiseMax(place_of(mesh, n));
    }
    const Cell first = cell_of(low), last = cell_of(high);
    if (!keys.empty() && first == last_low && last == last_high) continue;  // neighbours in memory are neighbours
    for_each_cell(first, last,
                  [&](std::int64_t x, std::int64_t y, std::int64_t z) { keys.push_back(key_of(x, y, z)); });
    last_low = first;
    last_high = last;
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void RankCells::exchange(const dist::Mesh& mesh, std::size_t num_slots) {
  struct RankCell {
    std::uint64_t key;
    std::int64_t rank;
  };
  std::vector<RankCell> own;
  std::unordered_set<std::uint64_t> near_own;  // coarse cells
  for (const std::uint64_t key : own_cells(mesh)) {
    own.push_back({key, mesh.comm().rank()});
    for_each_around([&](std::int64_t x, std::int64_t y, std::int64_t z) {
      near_own.insert(coarse_key(cell_with(key), {x, y, z}));
    });
  }
  ranks_.clear();
  for (const RankCell& there : mesh.comm().all_gather(std::span<const RankCell>(own))) {
    const Cell cell = cell_with(there.key);
    if (there.rank == mesh.comm().rank() || !near_own.contains(coarse_key(cell))) continue;
    for_each_around([&](std::int64_t x, std::int64_t y, std::int64_t z) {
      add(ranks_[key_of(cell[0] + x, cell[1] + y, cell[2] + z)], static_cast<int>(there.rank));
    });
  }
  translation_ = Vec3::Zero();
  place_at_exchange_.assign(num_slots, kUnknown);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) place_at_exchange_[static_cast<std::size_t>(i)] = place_of(mesh, n);
}

// A new node lies in elements of these cells. Its displacement is not known: it is taken as that in the middle, from
// which the displacements of its elements differ by at most half the allowance.
void RankCells::take_in_cuts(const dist::Mesh& mesh, std::span<const std::int32_t> touched) {
  if (place_at_exchange_.empty()) return;
  for (const std::int32_t slot : touched) {
    Vec3& before = place_at_exchange_[static_cast<std::size_t>(slot)];
    const LocalNode n(slot);
    if (!mesh.is_used(n) || !mesh.is_owned(n))
      before = kUnknown;
    else if (is_unknown(before))
      before = place_of(mesh, n) - translation_;
  }
}

RankCells::Displacements RankCells::largest_displacements(const dist::Mesh& mesh) const {
  Displacements largest;
  largest.fill(kNone);
  for (std::size_t slot = 1; slot < place_at_exchange_.size(); ++slot) {
    if (is_unknown(place_at_exchange_[slot])) continue;
    const Vec3 displacement = place_of(mesh, LocalNode(static_cast<std::int32_t>(slot))) - place_at_exchange_[slot];
    for (std::size_t k = 0; k < 3; ++k) {
      largest[k] = std::max(largest[k], displacement[static_cast<Eigen::Index>(k)]);
      largest[3 + k] = std::max(largest[3 + k], -displacement[static_cast<Eigen::Index>(k)]);
    }
  }
  return largest;
}

// The diagonal of the box around all displacements counts.
bool RankCells::follow(const Displacements& of_all_ranks) {
  Vec3 range = Vec3::Zero();
  translation_ = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    if (const double most = of_all_ranks[k], against = of_all_ranks[3 + k]; most > kNone) {
      range[static_cast<Eigen::Index>(k)] = most + against;
      translation_[static_cast<Eigen::Index>(k)] = 0.5 * (most - against);
    }
  return range.norm() <= allowance_m_;
}

// With all displacements within the allowance a of each other, facets and elements come nearer by at most a. Without
// the translation, what was in the mesh at the exchange is within a/2 of its place then; the displacement of a new node
// may be wrong by another a/2.
void RankCells::find_near(const Vec3& low, const Vec3& high, double reach_m, std::vector<int>& ranks) const {
  ranks.clear();
  if (ranks_.empty()) return;
  // The cells around those of elements are in ranks_, too.
  const Vec3 beyond = Vec3::Constant(std::max(0.0, reach_m + 2 * allowance_m_ - cell_m_));
  for_each_cell(cell_of(low - translation_ - beyond), cell_of(high - translation_ + beyond),
                [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                  if (const auto found = ranks_.find(key_of(x, y, z)); found != ranks_.end())
                    for (const int rank : found->second) add(ranks, rank);
                });
  std::ranges::sort(ranks);
}

std::size_t RankCells::memory_bytes() const {
  constexpr std::size_t kBytesACell = 80;  // with its list
  return core::bytes_of(place_at_exchange_) + kBytesACell * ranks_.size();
}

}  // namespace brisance::contact
