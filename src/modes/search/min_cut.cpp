/// Push–relabel, highest label first, with exact distances recomputed at intervals (global relabelling). Only the first
/// phase is run: excess that cannot reach any demand stays, and its cells are the set.
#include "brisance/modes/search/min_cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brisance::modes {

namespace {

constexpr double kLargestTotal = 0x1p62;  ///< bound on the sum of all integers of one search
constexpr std::int64_t kArcsPerCell = 6;  ///< work between two global relabellings, in arcs for each cell

std::int64_t rounded(double value) { return std::llround(value); }

}  // namespace

MinCut::MinCut(const CellGraph& graph, std::span<const double> face_weight)
    : face_weight_(face_weight.begin(), face_weight.end()) {
  const std::int32_t n = graph.num_cells();
  first_arc_.assign(n + 1, 0);
  for (const Face& f : graph.faces) {
    ++first_arc_[f.a + 1];
    ++first_arc_[f.b + 1];
  }
  for (std::int32_t c = 0; c < n; ++c) first_arc_[c + 1] += first_arc_[c];
  arcs_.resize(2 * graph.faces.size());
  std::vector<std::int32_t> free_arc(first_arc_.begin(), first_arc_.end() - 1);
  for (const Face& f : graph.faces) {
    const std::int32_t there = free_arc[f.a]++, back = free_arc[f.b]++;
    arcs_[there] = {f.b, back, 0};
    arcs_[back] = {f.a, there, 0};
    face_arc_.push_back(there);
  }
  for (const double w : face_weight_) total_weight_ += w;
  excess_.resize(n);
  label_.resize(n);
  current_arc_.resize(n);
  next_active_.resize(n);
  num_at_label_.resize(n + 1);
  active_.resize(n + 1);
  in_set_.resize(n);
}

/// Sets new capacities and supplies, and reduces the old flow to the new capacities.
void MinCut::load(std::span<const double> gain, double t) {
  double total = 2 * t * total_weight_;
  for (const double g : gain) total += std::abs(g);
  const double old_units = units_;
  units_ = std::exp2(std::floor(std::log2(kLargestTotal / total)));
  const double rescale = old_units > 0 ? units_ / old_units : 0;
  for (std::size_t c = 0; c < gain.size(); ++c) excess_[c] = rounded(gain[c] * units_);
  for (std::size_t f = 0; f < face_arc_.size(); ++f) {
    Arc& there = arcs_[face_arc_[f]];
    Arc& back = arcs_[there.reverse];
    const std::int64_t capacity = rounded(t * face_weight_[f] * units_);
    std::int64_t flow = (back.residual - there.residual) / 2;
    if (rescale != 1) flow = rounded(static_cast<double>(flow) * rescale);
    flow = std::clamp(flow, -capacity, capacity);
    there.residual = capacity - flow;
    back.residual = capacity + flow;
    excess_[back.head] -= flow;
    excess_[there.head] += flow;
  }
}

/// Breadth-first search from unmet demand along arcs with remaining capacity; then lists the active cells.
void MinCut::measure_distances() {
  const auto n = static_cast<std::int32_t>(label_.size());
  std::fill(label_.begin(), label_.end(), n);
  std::fill(active_.begin(), active_.end(), -1);
  std::fill(num_at_label_.begin(), num_at_label_.end(), 0);
  queue_.clear();
  highest_active_ = -1;
  for (std::int32_t c = 0; c < n; ++c)
    if (excess_[c] < 0) {
      label_[c] = 0;
      queue_.push_back(c);
    }
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::int32_t cell = queue_[head];
    ++num_at_label_[label_[cell]];
    current_arc_[cell] = first_arc_[cell];
    if (excess_[cell] > 0) activate(cell);
    for (std::int32_t k = first_arc_[cell]; k < first_arc_[cell + 1]; ++k) {
      const std::int32_t neighbour = arcs_[k].head;
      if (label_[neighbour] < n || arcs_[arcs_[k].reverse].residual == 0) continue;
      label_[neighbour] = label_[cell] + 1;
      queue_.push_back(neighbour);
    }
  }
  work_ = 0;
}

void MinCut::activate(std::int32_t cell) {
  const std::int32_t label = label_[cell];
  next_active_[cell] = active_[label];
  active_[label] = cell;
  highest_active_ = std::max(highest_active_, label);
}

/// One more than the lowest label among neighbours along arcs with remaining capacity.
std::int32_t MinCut::relabelled(std::int32_t cell) {
  const auto n = static_cast<std::int32_t>(label_.size());
  std::int32_t lowest = n;
  for (std::int32_t k = first_arc_[cell]; k < first_arc_[cell + 1]; ++k)
    if (arcs_[k].residual > 0 && label_[arcs_[k].head] < lowest) {
      lowest = label_[arcs_[k].head];
      current_arc_[cell] = k;
    }
  return std::min(lowest + 1, n);
}

/// Pushes the excess of a cell downhill until none is left or no demand can be reached.
void MinCut::discharge(std::int32_t cell) {
  const auto n = static_cast<std::int32_t>(label_.size());
  for (;;) {
    const std::int32_t below = label_[cell] - 1, end = first_arc_[cell + 1];
    std::int32_t& k = current_arc_[cell];
    const std::int32_t from = k;
    for (; k < end; ++k) {
      Arc& arc = arcs_[k];
      if (arc.residual == 0 || label_[arc.head] != below) continue;
      const std::int64_t amount = std::min(excess_[cell], arc.residual);
      arc.residual -= amount;
      arcs_[arc.reverse].residual += amount;
      std::int64_t& there = excess_[arc.head];
      const bool was_quiet = there <= 0;
      there += amount;
      if (was_quiet && there > 0) activate(arc.head);
      if ((excess_[cell] -= amount) == 0) break;
    }
    work_ += k - from + 1;
    if (excess_[cell] == 0) return;
    work_ += end - first_arc_[cell];
    const std::int32_t old = label_[cell];
    label_[cell] = --num_at_label_[old] == 0 ? n : relabelled(cell);  // no flow crosses an empty label (gap)
    if (label_[cell] == n) return;
    ++num_at_label_[label_[cell]];
  }
}

const std::vector<std::uint8_t>& MinCut::best_set(std::span<const double> gain, double t) {
  const auto n = static_cast<std::int32_t>(label_.size());
  load(gain, t);
  measure_distances();
  while (highest_active_ >= 0) {
    const std::int32_t cell = active_[highest_active_];
    if (cell < 0) {
      --highest_active_;
      continue;
    }
    active_[highest_active_] = next_active_[cell];
    discharge(cell);
    if (work_ > kArcsPerCell * n) measure_distances();
  }
  measure_distances();
  for (std::int32_t c = 0; c < n; ++c) in_set_[c] = label_[c] == n;
  return in_set_;
}

}  // namespace brisance::modes
