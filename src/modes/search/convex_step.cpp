/// Column generation: the master program proposes multipliers μ; a set S with |Bμ(S)| > Per(S) would improve it, and
/// the best such set is a minimum cut. t = max_S |Bμ(S)|/Per(S) is found by Dinkelbach's iteration; μ/t then is
/// feasible for the dual, and μ₀/t a lower bound.
#include "modes/search/convex_step.hpp"

#include "brisance/core/error.hpp"

#include "modes/search/master_program.hpp"
#include "modes/search/pricing.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

class ColumnGeneration {
public:
  ColumnGeneration(SearchState& state, std::span<const double> c_times_volume);
  ConvexStep solve(double relative_gap, bool steady);

private:
  [[nodiscard]] std::vector<double> integrals(int set) const;
  [[nodiscard]] double largest_known_ratio(const std::vector<double>& multipliers) const;
  [[nodiscard]] std::vector<double> gain(const std::vector<double>& multipliers) const;
  [[nodiscard]] std::vector<Pricing> price(const std::vector<std::vector<double>>& points) const;
  void learn(const std::vector<double>& multipliers, const Pricing& pricing);
  void add_to_master(int first);
  [[nodiscard]] std::vector<double> minimiser() const;

  SearchState& state_;
  std::span<const double> c_;
  std::vector<double> c_integrals_;  ///< integrals of c over each set of the pool
  std::unique_ptr<MasterProgram> master_;
  std::vector<double> best_multipliers_;  ///< feasible for the dual
  double lower_bound_ = 0;
  int num_cuts_ = 0;
};

ColumnGeneration::ColumnGeneration(SearchState& state, std::span<const double> c_times_volume)
    : state_(state), c_(c_times_volume) {
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

/// b_S: the integral of c, then those of the earlier modes.
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

/// Adds all sets of the pool from `first` on.
void ColumnGeneration::add_to_master(int first) {
  std::vector<double> all_integrals, perimeters;
  for (int s = first; s < state_.pool.size(); ++s) {
    const std::vector<double> b = integrals(s);
    all_integrals.insert(all_integrals.end(), b.begin(), b.end());
    perimeters.push_back(state_.pool.perimeter(s));
  }
  master_->add(all_integrals, perimeters);
}

/// B μ.
std::vector<double> ColumnGeneration::gain(const std::vector<double>& multipliers) const {
  std::vector<double> gain(c_.size());
  for (std::size_t c = 0; c < gain.size(); ++c) gain[c] = multipliers[0] * c_[c];
  for (std::size_t k = 1; k < multipliers.size(); ++k)
    for (std::size_t c = 0; c < gain.size(); ++c) gain[c] += multipliers[k] * state_.constraints[k - 1][c];
  return gain;
}

/// Prices one or two points, with the same result whether or not a helper does the second.
std::vector<Pricing> ColumnGeneration::price(const std::vector<std::vector<double>>& points) const {
  const auto here = [&](const std::vector<double>& point) {
    return largest_ratio(state_.graph, state_.face_weight, state_.cut, gain(point), largest_known_ratio(point));
  };
  if (points.size() == 1) return {here(points[0])};
  const bool helped = state_.helpers != nullptr;
  if (helped) state_.helpers->start(gain(points[1]), largest_known_ratio(points[1]));
  std::vector<Pricing> pricings{here(points[0])};
  pricings.push_back(helped ? state_.helpers->finish() : here(points[1]));
  return pricings;
}

/// Adds the sets of a pricing to the pool, and may raise the lower bound.
void ColumnGeneration::learn(const std::vector<double>& multipliers, const Pricing& pricing) {
  num_cuts_ += pricing.num_cuts;
  for (const WeightedSet& found : pricing.sets) {
    const auto [index, is_new] = state_.add(found.set, found.perimeter);
    if (is_new) c_integrals_.push_back(state_.pool.set(index).sum(c_));
  }
  if (multipliers[0] / pricing.ratio <= lower_bound_) return;
  lower_bound_ = multipliers[0] / pricing.ratio;
  best_multipliers_ = multipliers;
  for (double& m : best_multipliers_) m /= pricing.ratio;
}

/// u = Σ θ_S 1_S.
std::vector<double> ColumnGeneration::minimiser() const {
  const std::vector<double> theta = master_->amounts();
  std::vector<double> u(c_.size(), 0.0);
  for (std::size_t s = 0; s < theta.size(); ++s)
    if (theta[s] != 0) state_.pool.set(static_cast<int>(s)).add_to(u, theta[s]);
  return u;
}

ConvexStep ColumnGeneration::solve(double relative_gap, bool steady) {
  bool mix = false;
  for (;;) {
    master_->solve();
    const int known = state_.pool.size();
    std::vector<std::vector<double>> points;
    if (mix) {
      points.push_back(master_->multipliers());
      for (std::size_t k = 0; k < points[0].size(); ++k) points[0][k] = (points[0][k] + best_multipliers_[k]) / 2;
    }
    points.push_back(master_->multipliers());
    const std::vector<Pricing> pricings = price(points);
    for (std::size_t p = 0; p < points.size(); ++p) learn(points[p], pricings[p]);
    const bool found = state_.pool.size() > known;
    const double gap = 1 - lower_bound_ / master_->objective();
    if (gap <= relative_gap) {
      if (!master_->uses_artificial())
        return {minimiser(), master_->objective(), std::min(lower_bound_, master_->objective()), num_cuts_};
      master_->raise_artificial_price();
    } else if (!found) {
      throw core::Error(fmt::format(
          "A convex step of a fracture mode stopped at a relative gap of {:.1e}. Ask for a gap above that.", gap));
    }
    add_to_master(known);
    mix = steady;
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

void SearchState::inform_helpers() {
  if (helpers == nullptr || (graph_number > 0 && helpers->knows(graph_number))) return;
  graph_number = helpers->set_graph(graph, face_weight);
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
