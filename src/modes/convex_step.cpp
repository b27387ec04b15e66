/// Column generation: the master program proposes multipliers μ; a set S with |Bμ(S)| > Per(S) would improve it, and
/// the best such set is a minimum cut. t = max_S |Bμ(S)|/Per(S) is found by Dinkelbach's iteration; μ/t then is
/// feasible for the dual, and μ₀/t a lower bound.
#include "modes/convex_step.hpp"

#include "brisance/core/error.hpp"

#include "modes/master_program.hpp"
#include "modes/simple_sets.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

constexpr double kRounding = 1e-12;      ///< a ratio must beat another by this much to be better
constexpr std::size_t kSetsPerCut = 16;  ///< of the simple sets of a cut, the best ones are kept

class ColumnGeneration {
public:
  ColumnGeneration(SearchState& state, std::span<const double> c_times_volume);
  ConvexStep solve(double relative_gap, bool steady);

private:
  [[nodiscard]] std::vector<double> integrals(int set) const;
  [[nodiscard]] double largest_known_ratio(const std::vector<double>& multipliers) const;
  void price(const std::vector<double>& multipliers);
  double add_sets(double ratio);
  void add_to_master(int first);
  [[nodiscard]] std::vector<double> minimiser() const;

  SearchState& state_;
  std::span<const double> c_;
  std::vector<double> c_integrals_;  ///< of c over each set of the pool
  std::unique_ptr<MasterProgram> master_;
  std::vector<double> gain_;              ///< B μ
  std::vector<double> best_multipliers_;  ///< feasible for the dual
  double lower_bound_ = 0;
  int num_cuts_ = 0;
};

ColumnGeneration::ColumnGeneration(SearchState& state, std::span<const double> c_times_volume)
    : state_(state), c_(c_times_volume), gain_(c_times_volume.size()) {
  std::vector<double> scale(1 + state.constraints.size(), 0.0);
  for (int s = 0; s < state.pool.size(); ++s) {
    c_integrals_.push_back(state.pool.set(s).sum(c_));
    const std::vector<double> b = integrals(s);
    for (std::size_t k = 0; k < b.size(); ++k) scale[k] = std::max(scale[k], std::abs(b[k]) / state.pool.perimeter(s));
  }
  for (double& s : scale)
    if (s == 0) s = 1;
  master_ = std::make_unique<MasterProgram>(scale);
  add_to_master(0);
  best_multipliers_.assign(scale.size(), 0.0);
}

/// b_S: of c, then of the earlier modes.
std::vector<double> ColumnGeneration::integrals(int set) const {
  std::vector<double> b{c_integrals_[set]};
  b.insert(b.end(), state_.integrals[set].begin(), state_.integrals[set].end());
  return b;
}

double ColumnGeneration::largest_known_ratio(const std::vector<double>& multipliers) const {
  double largest = 0;
  for (int s = 0; s < state_.pool.size(); ++s) {
    double sum = c_integrals_[s] * multipliers[0];
    for (std::size_t k = 1; k < multipliers.size(); ++k) sum += state_.integrals[s][k - 1] * multipliers[k];
    largest = std::max(largest, std::abs(sum) / state_.pool.perimeter(s));
  }
  return largest;
}

/// Adds the sets of the last cut whose ratio |gain|/perimeter beats `ratio`; returns the best ratio seen.
double ColumnGeneration::add_sets(double ratio) {
  const auto& in_set = state_.cut.best_set(gain_, ratio);
  ++num_cuts_;
  CutParts parts = simple_sets(state_.graph, state_.face_weight, gain_, in_set);
  const auto ratio_of = [](const SimpleSet& s) { return std::abs(s.gain) / s.perimeter; };
  std::stable_sort(parts.sets.begin(), parts.sets.end(),
                   [&](const SimpleSet& x, const SimpleSet& y) { return ratio_of(x) > ratio_of(y); });
  if (parts.sets.size() > kSetsPerCut) parts.sets.resize(kSetsPerCut);
  double best = ratio;
  for (const SimpleSet& set : parts.sets) {
    if (ratio_of(set) <= ratio * (1 + kRounding)) break;
    const auto [index, is_new] = state_.add(cells_of(parts, set), set.perimeter);
    if (!is_new) continue;
    c_integrals_.push_back(state_.pool.set(index).sum(c_));
    best = std::max(best, ratio_of(set));
  }
  return best;
}

/// All sets of the pool from this one on.
void ColumnGeneration::add_to_master(int first) {
  std::vector<double> all_integrals, perimeters;
  for (int s = first; s < state_.pool.size(); ++s) {
    const std::vector<double> b = integrals(s);
    all_integrals.insert(all_integrals.end(), b.begin(), b.end());
    perimeters.push_back(state_.pool.perimeter(s));
  }
  master_->add(all_integrals, perimeters);
}

/// Dinkelbach's iteration at μ: adds what it finds and may raise the lower bound.
void ColumnGeneration::price(const std::vector<double>& multipliers) {
  for (std::size_t c = 0; c < gain_.size(); ++c) gain_[c] = multipliers[0] * c_[c];
  for (std::size_t k = 1; k < multipliers.size(); ++k)
    for (std::size_t c = 0; c < gain_.size(); ++c) gain_[c] += multipliers[k] * state_.constraints[k - 1][c];
  double ratio = largest_known_ratio(multipliers);
  for (double better = add_sets(ratio); better > ratio; better = add_sets(ratio)) ratio = better;
  if (multipliers[0] / ratio > lower_bound_) {
    lower_bound_ = multipliers[0] / ratio;
    best_multipliers_ = multipliers;
    for (double& m : best_multipliers_) m /= ratio;
  }
}

/// u = Σ θ_S 1_S.
std::vector<double> ColumnGeneration::minimiser() const {
  const std::vector<double> theta = master_->amounts();
  std::vector<double> u(gain_.size(), 0.0);
  for (std::size_t s = 0; s < theta.size(); ++s)
    if (theta[s] != 0) state_.pool.set(static_cast<int>(s)).add_to(u, theta[s]);
  return u;
}

ConvexStep ColumnGeneration::solve(double relative_gap, bool steady) {
  bool mix = false;
  for (;;) {
    master_->solve();
    const int known = state_.pool.size();
    std::vector<double> multipliers = master_->multipliers();
    if (mix)
      for (std::size_t k = 0; k < multipliers.size(); ++k) multipliers[k] = (multipliers[k] + best_multipliers_[k]) / 2;
    price(multipliers);
    const bool found = state_.pool.size() > known;
    const double gap = 1 - lower_bound_ / master_->objective();
    if (gap <= relative_gap) {
      if (!master_->uses_artificial())
        return {minimiser(), master_->objective(), std::min(lower_bound_, master_->objective()), num_cuts_};
      master_->raise_artificial_price();
    } else if (!found && !mix) {
      throw core::Error(fmt::format(
          "A convex step of a fracture mode stopped at a relative gap of {:.1e}. Ask for a gap above that.", gap));
    }
    add_to_master(known);
    mix = steady && found;  // nothing new in between: look at the master's own multipliers next
  }
}

}  // namespace

std::pair<int, bool> SearchState::add(CellSet set, double perimeter) {
  const auto [index, is_new] = pool.add(std::move(set), perimeter);
  if (is_new) {
    integrals.emplace_back();
    for (const auto& field : constraints) integrals.back().push_back(pool.set(index).sum(field));
  }
  return {index, is_new};
}

void SearchState::add_constraint(std::vector<double> field_times_volume) {
  for (int s = 0; s < pool.size(); ++s) integrals[s].push_back(pool.set(s).sum(field_times_volume));
  constraints.push_back(std::move(field_times_volume));
}

ConvexStep solve_convex_step(SearchState& state, std::span<const double> c_times_volume, double relative_gap,
                             bool steady) {
  return ColumnGeneration(state, c_times_volume).solve(relative_gap, steady);
}

}  // namespace brisance::modes
