#include "modes/general/level_set_search.hpp"

#include "brisance/la/sums.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace brisance::modes {

namespace {

using la::check;

constexpr std::size_t kSamples = 2048;  ///< number on all ranks together
constexpr std::size_t kEnds = 256;      ///< lowest values on all ranks together, and as many highest
constexpr int kPasses = 3;              ///< of the choice of thresholds, each finer around the last choice
constexpr std::size_t kStretches = 32;  ///< intervals of equal volume, each gives its cheapest level set

/// Sums of the bins ≥ k for k = 1 … size − 1, from each bin's contribution.
void sum_from_end(std::span<double> bins) {
  for (std::size_t k = bins.size() - 1; k-- > 0;) bins[k] += bins[k + 1];
}

std::vector<double> smallest(const core::Comm& comm, std::vector<double> mine) {
  check(MPI_Allreduce(MPI_IN_PLACE, mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MIN, comm.raw()),
        "MPI_Allreduce");
  return mine;
}

std::size_t bin_of(std::span<const double> thresholds, double value) {
  return static_cast<std::size_t>(std::upper_bound(thresholds.begin(), thresholds.end(), value) - thresholds.begin());
}

}  // namespace

LevelSetSearch::LevelSetSearch(const core::Comm& comm, const BodyShare& share) : comm_(comm), share_(share) {
  std::vector<PetscInt> cells;
  for (const FaceShare& face : share.faces) cells.insert(cells.end(), {face.a, face.b});
  sides_ = {comm, share.volume.size(), cells};
}

/// Ascending: `some` of all ranks, and evenly spaced samples of each rank's `values`.
std::vector<double> LevelSetSearch::sampled(std::vector<double> values, std::vector<double> some) const {
  std::sort(values.begin(), values.end());
  const std::size_t most = std::max<std::size_t>(kSamples / comm_.size(), 16);
  std::vector<double> levels;
  std::unique_copy(values.begin(), values.end(), std::back_inserter(levels));
  if (levels.size() <= most) values = std::move(levels);  // few levels: all of them are sampled
  const std::size_t wanted = std::min(most, values.size());
  for (std::size_t k = 0; k < wanted; ++k) some.push_back(values[k * values.size() / wanted]);
  some = comm_.all_gather(std::span<const double>(some));
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

/// Includes the extreme values at both ends: sets of a few cells.
std::vector<double> LevelSetSearch::thresholds(std::span<const double> value) const {
  std::vector<double> sorted(value.begin(), value.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t ends = std::min(std::max<std::size_t>(kEnds / comm_.size(), 16), sorted.size());
  std::vector<double> extremes(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(ends));
  extremes.insert(extremes.end(), sorted.end() - static_cast<std::ptrdiff_t>(ends), sorted.end());
  return sampled(std::move(sorted), std::move(extremes));
}

/// Adds thresholds in the bins on both sides of the chosen ones.
std::vector<double> LevelSetSearch::refined(std::span<const double> thresholds, const std::vector<std::size_t>& chosen,
                                            std::span<const double> value) const {
  std::vector<bool> is_near(thresholds.size() + 1, false);
  std::vector<double> kept, near;
  for (const std::size_t k : chosen) {
    is_near[k - 1] = is_near[k] = true;
    if (comm_.is_root()) kept.push_back(thresholds[k - 1]);
  }
  for (const double v : value)
    if (is_near[bin_of(thresholds, v)]) near.push_back(v);
  return sampled(std::move(near), std::move(kept));
}

/// Chooses thresholds whose sets {value ≥ threshold} become columns. @param cost  of each: lower is better
std::vector<std::size_t> LevelSetSearch::chosen(std::span<const double> thresholds, std::span<const double> value,
                                                const std::vector<double>& cost, std::size_t num_gaps) const {
  const std::size_t bins = thresholds.size() + 1;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> volume(bins, 0.0), low(bins, kNone), high(bins, kNone);  // high: negated, for a minimum
  for (std::size_t c = 0; c < value.size(); ++c) {
    const std::size_t bin = bin_of(thresholds, value[c]);
    volume[bin] += share_.volume[c];
    low[bin] = std::min(low[bin], value[c]);
    high[bin] = std::min(high[bin], -value[c]);
  }
  la::sum_over_ranks(comm_, volume);
  low = smallest(comm_, std::move(low));
  high = smallest(comm_, std::move(high));
  sum_from_end(volume);

  std::vector<std::size_t> cheapest(kStretches, 0);  // 0: none
  std::vector<std::pair<double, std::size_t>> gaps;
  for (std::size_t k = 1; k < bins; ++k) {
    if (volume[k] == volume[k - 1] || volume[k] == 0) continue;
    const auto stretch =
        std::min<std::size_t>(kStretches - 1, static_cast<std::size_t>(volume[k] / volume[0] * kStretches));
    if (cheapest[stretch] == 0 || cost[k] < cost[cheapest[stretch]]) cheapest[stretch] = k;
    if (low[k] < kNone && high[k - 1] < kNone) gaps.emplace_back(low[k] + high[k - 1], k);
  }
  const std::size_t kept = std::min(gaps.size(), num_gaps);
  std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(kept), gaps.end(), std::greater<>());
  std::vector<std::size_t> all;
  for (const std::size_t k : cheapest)
    if (k > 0) all.push_back(k);
  for (std::size_t g = 0; g < kept; ++g) all.push_back(gaps[g].second);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Perimeter of each set {bin ≥ k}, from the range of bins that each face spans.
std::vector<double> LevelSetSearch::perimeters(std::span<const double> thresholds,
                                               const std::vector<double>& sides) const {
  std::vector<double> perimeter(thresholds.size() + 2, 0.0);
  for (std::size_t f = 0; f < share_.faces.size(); ++f) {
    const auto [low, high] = std::minmax({bin_of(thresholds, sides[2 * f]), bin_of(thresholds, sides[2 * f + 1])});
    perimeter[low + 1] += share_.faces[f].weight;
    perimeter[high + 1] -= share_.faces[f].weight;
  }
  la::sum_over_ranks(comm_, perimeter);
  std::partial_sum(perimeter.begin(), perimeter.end(), perimeter.begin());
  return perimeter;
}

/// |Demand| of each set {bin ≥ k}.
std::vector<double> LevelSetSearch::demands(std::span<const double> thresholds, std::span<const double> value,
                                            std::span<const double> demand) const {
  std::vector<double> total(thresholds.size() + 1, 0.0);
  for (std::size_t c = 0; c < value.size(); ++c) total[bin_of(thresholds, value[c])] += demand[c];
  la::sum_over_ranks(comm_, total);
  sum_from_end(total);
  for (double& d : total) d = std::abs(d);
  return total;
}

std::vector<LevelSet> LevelSetSearch::find(std::span<const double> value, std::span<const double> demand,
                                           std::size_t num_gaps) const {
  const std::vector<double> sides = sides_.fetch(value);
  std::vector<double> levels = thresholds(value), perimeter;
  std::vector<std::size_t> best;
  const bool is_demanded = comm_.any(!demand.empty());
  for (int pass = 0; pass < kPasses; ++pass) {
    if (pass > 0) levels = refined(levels, best, value);
    perimeter = perimeters(levels, sides);
    std::vector<double> cost = perimeter;
    if (is_demanded) {
      const std::vector<double> total = demands(levels, value, demand);
      for (std::size_t k = 0; k < total.size(); ++k) cost[k] -= total[k];
    }
    best = chosen(levels, value, cost, num_gaps);
  }
  std::vector<std::size_t> bin;
  for (const double v : value) bin.push_back(bin_of(levels, v));
  std::vector<LevelSet> sets;
  for (const std::size_t k : best) {
    LevelSet set{{}, perimeter[k]};
    for (const std::size_t b : bin) set.member.push_back(b >= k);
    sets.push_back(std::move(set));
  }
  return sets;
}

double LevelSetSearch::energy(std::span<const double> value) const {
  const std::vector<double> sides = sides_.fetch(value);
  double sum = 0;
  for (std::size_t f = 0; f < share_.faces.size(); ++f)
    sum += share_.faces[f].weight * std::abs(sides[2 * f] - sides[2 * f + 1]);
  return la::sum_over_ranks(comm_, sum);
}

}  // namespace brisance::modes
