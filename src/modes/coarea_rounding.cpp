#include "modes/coarea_rounding.hpp"

#include "brisance/core/error.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/master_program.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace brisance::modes {

namespace {

using la::check;

constexpr std::size_t kSamples = 2048;  ///< of all ranks together
constexpr std::size_t kEnds = 256;      ///< lowest values of all ranks together, and as many highest
constexpr int kRaises = 2;              ///< of the price of artificial sets, before there is no solution
constexpr double kSame = 1e-9;          ///< relative difference of energies that is rounding
constexpr int kPasses = 3;              ///< of choosing thresholds, each finer around the last choice
constexpr std::size_t kKept = 64;       ///< sets that a solution does not use, for the next
constexpr std::size_t kStretches = 32;  ///< of equal volume, each gives its cheapest level set
constexpr std::size_t kGaps = 32;       ///< widest gaps between values: sets that are all but there

/// Set {bin ≥ k} for k = 1 … size − 1 from what each bin contributes: sums from the end.
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

/// What the linear program says, the same on all ranks.
struct Solution {
  std::vector<double> theta;        ///< of each set
  std::vector<double> multipliers;  ///< of each constraint
  double objective = 0;
  std::int32_t is_real = 0;  ///< 0 if it needs artificial sets
};

Solution solve(const core::Comm& comm, const std::vector<double>& integrals, const std::vector<double>& perimeters,
               std::size_t num_constraints) {
  Solution solution{std::vector<double>(perimeters.size(), 0.0), std::vector<double>(num_constraints, 0.0)};
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    std::vector<double> scale(num_constraints, 0.0);
    for (std::size_t s = 0; s < perimeters.size(); ++s)
      for (std::size_t k = 0; k < num_constraints; ++k)
        scale[k] = std::max(scale[k], std::abs(integrals[s * num_constraints + k]) / perimeters[s]);
    for (double& s : scale)
      if (s == 0) s = 1;
    MasterProgram program(scale);
    program.add(integrals, perimeters);
    program.solve();
    for (int raised = 0; raised < kRaises && program.uses_artificial(); ++raised) {
      program.raise_artificial_price();
      program.solve();
    }
    solution = {program.amounts(), program.multipliers(), program.objective(), program.uses_artificial() ? 0 : 1};
  });
  const auto share = [&](void* data, std::size_t count, MPI_Datatype type) {
    check(MPI_Bcast(data, static_cast<int>(count), type, 0, comm.raw()), "MPI_Bcast");
  };
  share(solution.theta.data(), solution.theta.size(), MPI_DOUBLE);
  share(solution.multipliers.data(), solution.multipliers.size(), MPI_DOUBLE);
  share(&solution.objective, 1, MPI_DOUBLE);
  share(&solution.is_real, 1, MPI_INT32_T);
  return solution;
}

}  // namespace

CoareaRounding::CoareaRounding(const BodyShare& share, const JumpProblem& problem) : share_(share), problem_(problem) {
  std::vector<PetscInt> cells;
  for (const FaceShare& face : share.faces) cells.insert(cells.end(), {face.a, face.b});
  sides_ = {problem.comm, share.volume.size(), cells};
}

void CoareaRounding::constrain(const la::Vector& c, std::span<const la::Vector> known) {
  fields_.clear();
  const la::ReadView mass(problem_.mass.raw());
  const auto add = [&](const la::Vector& vector) {
    const la::ReadView values(vector.raw());
    std::vector<double> field(values.values().begin(), values.values().end());
    for (std::size_t i = 0; i < field.size(); ++i) field[i] *= mass[i];
    fields_.push_back(std::move(field));
  };
  add(c);
  for (const la::Vector& k : known) add(k);
}

void CoareaRounding::forget() { sets_.clear(); }

std::vector<double> CoareaRounding::sums(std::vector<double> mine) const {
  check(
      MPI_Allreduce(MPI_IN_PLACE, mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_SUM, problem_.comm.raw()),
      "MPI_Allreduce");
  return mine;
}

/// Ascending: `some` of all ranks and evenly spaced ones of each rank's sorted `values`.
std::vector<double> CoareaRounding::sampled(std::vector<double> values, std::vector<double> some) const {
  std::sort(values.begin(), values.end());
  const std::size_t most = std::max<std::size_t>(kSamples / problem_.comm.size(), 16);
  std::vector<double> levels;
  std::unique_copy(values.begin(), values.end(), std::back_inserter(levels));
  if (levels.size() <= most) values = std::move(levels);  // a field of few levels has all of them
  const std::size_t wanted = std::min(most, values.size());
  for (std::size_t k = 0; k < wanted; ++k) some.push_back(values[k * values.size() / wanted]);
  some = problem_.comm.all_gather(std::span<const double>(some));
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

/// Among them the values at both ends: sets of a few cells.
std::vector<double> CoareaRounding::thresholds(std::span<const double> value) const {
  std::vector<double> sorted(value.begin(), value.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t ends = std::min(std::max<std::size_t>(kEnds / problem_.comm.size(), 16), sorted.size());
  std::vector<double> extremes(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(ends));
  extremes.insert(extremes.end(), sorted.end() - static_cast<std::ptrdiff_t>(ends), sorted.end());
  return sampled(std::move(sorted), std::move(extremes));
}

/// More thresholds in the bins on both sides of those that were chosen.
std::vector<double> CoareaRounding::refined(std::span<const double> thresholds, const std::vector<std::size_t>& chosen,
                                            std::span<const double> value) const {
  std::vector<bool> is_near(thresholds.size() + 1, false);
  std::vector<double> kept, near;
  for (const std::size_t k : chosen) {
    is_near[k - 1] = is_near[k] = true;
    if (problem_.comm.is_root()) kept.push_back(thresholds[k - 1]);
  }
  for (const double v : value)
    if (is_near[bin_of(thresholds, v)]) near.push_back(v);
  return sampled(std::move(near), std::move(kept));
}

/// Thresholds whose sets {value ≥ threshold} are worth a column. @param cost  of each: the lower the better
std::vector<std::size_t> CoareaRounding::chosen(std::span<const double> thresholds, std::span<const double> value,
                                                const std::vector<double>& cost) const {
  const std::size_t bins = thresholds.size() + 1;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> volume(bins, 0.0), low(bins, kNone), high(bins, kNone);  // high: negative, for a minimum
  for (std::size_t c = 0; c < value.size(); ++c) {
    const std::size_t bin = bin_of(thresholds, value[c]);
    volume[bin] += share_.volume[c];
    low[bin] = std::min(low[bin], value[c]);
    high[bin] = std::min(high[bin], -value[c]);
  }
  volume = sums(std::move(volume));
  low = smallest(problem_.comm, std::move(low));
  high = smallest(problem_.comm, std::move(high));
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
  const std::size_t kept = std::min(gaps.size(), kGaps + 4 * fields_.size());
  std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(kept), gaps.end(), std::greater<>());
  std::vector<std::size_t> all;
  for (const std::size_t k : cheapest)
    if (k > 0) all.push_back(k);
  for (std::size_t g = 0; g < kept; ++g) all.push_back(gaps[g].second);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Perimeter of each set {bin ≥ k}, from the ends of what each face's values span.
std::vector<double> CoareaRounding::perimeters(std::span<const double> thresholds,
                                               const std::vector<double>& sides) const {
  std::vector<double> perimeter(thresholds.size() + 2, 0.0);
  for (std::size_t f = 0; f < share_.faces.size(); ++f) {
    const auto [low, high] = std::minmax({bin_of(thresholds, sides[2 * f]), bin_of(thresholds, sides[2 * f + 1])});
    perimeter[low + 1] += share_.faces[f].weight;
    perimeter[high + 1] -= share_.faces[f].weight;
  }
  perimeter = sums(std::move(perimeter));
  std::partial_sum(perimeter.begin(), perimeter.end(), perimeter.begin());
  return perimeter;
}

/// |Σ μ_k b_k| of each set {bin ≥ k}.
std::vector<double> CoareaRounding::demands(std::span<const double> thresholds, std::span<const double> value,
                                            std::span<const double> multipliers) const {
  std::vector<double> demand(thresholds.size() + 1, 0.0);
  for (std::size_t c = 0; c < value.size(); ++c) {
    double here = 0;
    for (std::size_t k = 0; k < multipliers.size(); ++k) here += multipliers[k] * fields_[k][c];
    demand[bin_of(thresholds, value[c])] += here;
  }
  demand = sums(std::move(demand));
  sum_from_end(demand);
  for (double& d : demand) d = std::abs(d);
  return demand;
}

void CoareaRounding::add_level_sets(const la::Vector& field, std::span<const double> multipliers) {
  const la::ReadView view(field.raw());
  const std::span<const double> value = view.values();
  const std::vector<double> sides = sides_.fetch(value);
  std::vector<double> levels = thresholds(value), perimeter;
  std::vector<std::size_t> best;
  for (int pass = 0; pass < kPasses; ++pass) {
    if (pass > 0) levels = refined(levels, best, value);
    perimeter = perimeters(levels, sides);
    std::vector<double> cost = perimeter;
    if (!multipliers.empty()) {
      const std::vector<double> demand = demands(levels, value, multipliers);
      for (std::size_t k = 0; k < demand.size(); ++k) cost[k] -= demand[k];
    }
    best = chosen(levels, value, cost);
  }
  std::vector<std::size_t> bin;
  for (const double v : value) bin.push_back(bin_of(levels, v));
  for (const std::size_t k : best) {
    Set set{{}, perimeter[k]};
    for (const std::size_t b : bin) set.member.push_back(b >= k);
    sets_.push_back(std::move(set));
  }
}

/// Of each field over each set, set by set.
std::vector<double> CoareaRounding::integrals() const {
  std::vector<double> all;
  for (const Set& set : sets_)
    for (const std::vector<double>& field : fields_) {
      double sum = 0;
      for (std::size_t c = 0; c < field.size(); ++c) sum += set.member[c] ? field[c] : 0;
      all.push_back(sum);
    }
  return sums(std::move(all));
}

/// Σ w|jump|.
double CoareaRounding::energy(const la::Vector& field) const {
  const la::ReadView value(field.raw());
  const std::vector<double> sides = sides_.fetch(value.values());
  double sum = 0;
  for (std::size_t f = 0; f < share_.faces.size(); ++f)
    sum += share_.faces[f].weight * std::abs(sides[2 * f] - sides[2 * f + 1]);
  return sums({sum}).front();
}

/// What the program makes of the sets there are.
std::optional<Rounded> CoareaRounding::solved(const la::Vector& like) {
  std::vector<double> prices;
  for (const Set& set : sets_) prices.push_back(set.perimeter);
  const std::vector<double> b = integrals();
  const Solution solution = solve(problem_.comm, b, prices, fields_.size());
  Rounded result{la::like(like), solution.objective, solution.multipliers};
  check(VecSet(result.u.raw(), 0), "VecSet");
  {
    const la::WriteView values(result.u.raw());
    for (std::size_t s = 0; s < sets_.size(); ++s)
      for (std::size_t c = 0; solution.theta[s] != 0 && c < values.values().size(); ++c)
        values[c] += sets_[s].member[c] ? solution.theta[s] : 0;
  }
  keep_tightest(b, solution.theta, solution.multipliers);
  if (solution.is_real == 0) return std::nullopt;
  return result;
}

std::optional<Rounded> CoareaRounding::round(const la::Vector& field, std::span<const double> multipliers) {
  add_level_sets(field, multipliers);
  std::optional<Rounded> result = solved(field);
  // Sets that cross cost more than the field that they add up to: its own level sets do not.
  if (result && energy(result->u) < result->objective * (1 - kSame)) {
    add_level_sets(result->u, {});
    result = solved(field);
  }
  return result;
}

/// Of the sets that a solution does not use those are kept that hold its multipliers most tightly: without them the
/// next ones would go back and forth.
void CoareaRounding::keep_tightest(const std::vector<double>& b, const std::vector<double>& theta,
                                   const std::vector<double>& multipliers) {
  std::vector<std::pair<double, std::size_t>> slack;  // |T(S)|/Per(S), from the tightest
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    double demand = 0;
    for (std::size_t k = 0; k < multipliers.size(); ++k) demand += multipliers[k] * b[s * multipliers.size() + k];
    slack.emplace_back(theta[s] != 0 ? -2 : -std::abs(demand) / sets_[s].perimeter, s);
  }
  std::sort(slack.begin(), slack.end());
  slack.resize(std::min(slack.size(), kKept + multipliers.size()));
  std::vector<Set> kept;
  for (const auto& [tightness, s] : slack) kept.push_back(std::move(sets_[s]));
  sets_ = std::move(kept);
}

}  // namespace brisance::modes
