/// Load balance: nodes change owners when cracks and sub-cycling have made ranks' work uneven, and elements are sorted
/// in memory when cuts have put many far from their neighbours. No bit of the run depends on owners; the order in
/// memory follows from the whole mesh alone.
#include "work_balance.hpp"

#include "brisance/core/timer.hpp"
#include "brisance/dist/balanced_owners.hpp"
#include "brisance/dynamics/step_classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <spdlog/spdlog.h>

namespace brisance::sim {

namespace {

constexpr std::int64_t kStepsBetweenChecks = 8;
/// All elements are sorted again when this share of them is new since the last sort [–]. Sorting then costs far less
/// than it saves until the next time.
constexpr double kNewShare = 0.2;
/// Costs, in updates of one element in the pass over all elements; measured on one core of a machine with AVX-512.
constexpr double kFineElement = 4;      ///< listing and packing a sub-cycled element
constexpr double kFineUpdate = 2;       ///< each sub-step of such an element
constexpr double kTensor = 150;         ///< evaluating a node's separation tensor, with the forces of its star
constexpr double kChangeOfOwner = 350;  ///< partition and migration, per node
constexpr double kLeastShare = 0.04;  ///< least share of all work for a kind to be a constraint of the partition [–]

// Kinds of work, between which ranks wait for each other: the pass over all elements, the sub-steps of each class,
// and fracture.
constexpr std::size_t kCoarse = 0, kFracture = dynamics::kMostStepClasses, kNumKinds = kFracture + 1;
using Kinds = std::array<double, kNumKinds>;

double sum_of(const Kinds& kinds) { return std::accumulate(kinds.begin(), kinds.end(), 0.0); }

/// For each kind of work, the number of the partition's constraint that counts it. A kind below kLeastShare is counted
/// with the next coarser class; fracture with the pass over all elements.
std::array<int, kNumKinds> columns_of(const Kinds& whole) {
  const double least = kLeastShare * sum_of(whole);
  std::array<int, kNumKinds> column{};
  int last = 0;
  for (std::size_t kind = 1; kind < kNumKinds; ++kind) {
    const bool counts = whole[kind] > least;
    if (counts) ++last;
    column[kind] = counts || kind < kFracture ? last : 0;
  }
  return column;
}

/// Work of fracture since the last check: evaluated separation tensors, by node slot.
struct Effort {
  std::vector<std::uint32_t> tensors;

  void add_to(Kinds& kinds, LocalNode n) const {
    kinds[kFracture] += kTensor * tensors[static_cast<std::size_t>(n.value)];
  }
};

/// Adds the work of elements of step class k until the next check, a quarter of an element for each corner.
void add_corners(Kinds& kinds, int k, double num_corners) {
  const double quarters = 0.25 * static_cast<double>(kStepsBetweenChecks) * num_corners;
  kinds[kCoarse] += quarters;
  if (k > 0) kinds[static_cast<std::size_t>(k)] += quarters * (kFineElement + kFineUpdate * std::ldexp(1.0, k));
}

/// Work of this rank by kind, that of its owned nodes. Loops over elements in the order of memory, for speed. Local.
Kinds work_here(const dist::Mesh& mesh, std::span<const std::int32_t> owned, const Effort& effort) {
  Kinds kinds{};
  for (const std::int32_t i : owned) effort.add_to(kinds, LocalNode(i));
  const auto& step_class = mesh.field(dynamics::kStepClass);
  std::array<std::int64_t, dynamics::kMostStepClasses> num_corners{};
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    for (const LocalNode n : mesh.corners(e)) num_corners[step_class[e]] += mesh.is_owned(n) ? 1 : 0;
  }
  for (std::size_t k = 0; k < num_corners.size(); ++k)
    add_corners(kinds, static_cast<int>(k), static_cast<double>(num_corners[k]));
  return kinds;
}

/// Work of each owned node, by constraint of the partition. Local.
dist::NodeWork work_of_nodes(const dist::Mesh& mesh, std::span<const std::int32_t> owned, const Effort& effort,
                             const std::array<int, kNumKinds>& column) {
  dist::NodeWork divided{.num_kinds = 1 + std::ranges::max(column), .work = {}};
  divided.work.resize(mesh.node_id.size() * static_cast<std::size_t>(divided.num_kinds));
  const auto& step_class = mesh.field(dynamics::kStepClass);
  for (const std::int32_t i : owned) {
    Kinds kinds{};
    effort.add_to(kinds, LocalNode(i));
    for (const std::int32_t e : mesh.star(LocalNode(i))) add_corners(kinds, step_class[LocalElement(e)], 1);
    for (std::size_t kind = 0; kind < kNumKinds; ++kind)
      divided.work[static_cast<std::size_t>(i * divided.num_kinds + column[kind])] += kinds[kind];
  }
  return divided;
}

}  // namespace

std::optional<WorkBalance::Move> WorkBalance::due() {
  if (state_.num_steps == 0 || state_.num_steps % kStepsBetweenChecks != 0) return std::nullopt;
  auto owners = owners_afresh();
  const bool sorts = is_sorting_due();
  if (!owners && !sorts) return std::nullopt;
  return Move{owners ? std::move(*owners) : mesh_.owner, sorts ? dist::Sorting::anew : dist::Sorting::as_before};
}

bool WorkBalance::is_sorting_due() const {
  const dist::MeshFacts& facts = mesh_.facts;
  const std::int64_t all = facts.next_element_id, fresh = all - std::max(facts.num_uncut, facts.sorted_below);
  return scene_.time.sort_after_tets > 0 && fresh >= scene_.time.sort_after_tets &&
         static_cast<double>(fresh) >= kNewShare * static_cast<double>(all);
}

std::optional<NodeField<std::int32_t>> WorkBalance::owners_afresh() {
  const double threshold = scene_.time.rebalance_above;
  if (comm_.size() == 1) return std::nullopt;
  const Effort effort{.tensors =
                          rounds_ ? rounds_->take_effort(mesh_) : std::vector<std::uint32_t>(mesh_.node_id.size())};
  const Kinds mine = work_here(mesh_, caches_.owned, effort);
  std::array<std::int64_t, kNumKinds + 1> sums{};
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) sums[kind] = std::llround(mine[kind]);
  sums[kNumKinds] = std::ssize(caches_.owned);
  sums = comm_.sum(sums);
  Kinds whole{};
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) whole[kind] = static_cast<double>(sums[kind]);
  const double most = sum_of(comm_.max(mine)), mean = sum_of(whole) / comm_.size(),
               nodes = static_cast<double>(sums[kNumKinds]) / comm_.size();
  counts_.busiest_work += most;
  counts_.mean_work += mean;
  // How long the imbalance will last is unknown. Ranks are rebalanced once the lost work equals the cost of doing so;
  // the run then takes at most twice the time that it would with the future known.
  lost_work_ += most - mean;
  const bool pays = threshold <= 1 || lost_work_ >= kChangeOfOwner * nodes;
  if (threshold == 0 || most <= threshold * mean || !pays) return std::nullopt;
  lost_work_ = 0;

  core::ScopedTimer timer(seconds_.balance);
  NodeField<std::int32_t> owners =
      dist::balanced_owners(mesh_, work_of_nodes(mesh_, caches_.owned, effort, columns_of(whole)));
  ++counts_.num_rebalances;
  if (comm_.is_root())
    spdlog::debug("t = {:.6g} s: work redistributed; the busiest of {} ranks had {:.2f} of the mean", state_.time_s,
                  comm_.size(), most / mean);
  return owners;
}

}  // namespace brisance::sim
