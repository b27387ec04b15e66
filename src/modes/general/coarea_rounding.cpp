#include "modes/general/coarea_rounding.hpp"

#include "brisance/core/error.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/search/master_program.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::modes {

namespace {

using la::check;

constexpr int kRaises = 2;         ///< increases of the artificial sets' price before the program is infeasible
constexpr double kSame = 1e-9;     ///< relative difference of energies within rounding
constexpr std::size_t kKept = 64;  ///< unused sets kept for the next solution
constexpr std::size_t kGaps = 32;  ///< widest gaps between values: nearly exact level sets

/// Solution of the linear program, the same on all ranks.
struct Solution {
  std::vector<double> theta;        ///< coefficient of each set
  std::vector<double> multipliers;  ///< multiplier of each constraint
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

CoareaRounding::CoareaRounding(const BodyShare& share, const JumpProblem& problem)
    : problem_(problem), search_(problem.comm, share) {}

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

void CoareaRounding::add_level_sets(const la::Vector& field, std::span<const double> multipliers) {
  const la::ReadView value(field.raw());
  std::vector<double> demand;
  if (!multipliers.empty()) demand.assign(value.values().size(), 0.0);
  for (std::size_t k = 0; k < multipliers.size(); ++k)
    for (std::size_t c = 0; c < demand.size(); ++c) demand[c] += multipliers[k] * fields_[k][c];
  for (LevelSet& set : search_.find(value.values(), demand, kGaps + 4 * fields_.size()))
    sets_.push_back(std::move(set));
}

/// Integral of each field over each set, set by set.
std::vector<double> CoareaRounding::integrals() const {
  std::vector<double> all;
  for (const LevelSet& set : sets_)
    for (const std::vector<double>& field : fields_) {
      double sum = 0;
      for (std::size_t c = 0; c < field.size(); ++c) sum += set.member[c] ? field[c] : 0;
      all.push_back(sum);
    }
  la::sum_over_ranks(problem_.comm, all);
  return all;
}

/// Solves the program for the present sets.
std::optional<Rounded> CoareaRounding::solved(const la::Vector& like) {
  std::vector<double> prices;
  for (const LevelSet& set : sets_) prices.push_back(set.perimeter);
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
  // Sets that cross cost more than their sum, a field whose own level sets do not.
  if (result && search_.energy(la::ReadView(result->u.raw()).values()) < result->objective * (1 - kSame)) {
    add_level_sets(result->u, {});
    result = solved(field);
  }
  return result;
}

/// Of the unused sets, keeps those whose constraints are nearest to equality: without them the following solutions
/// would oscillate.
void CoareaRounding::keep_tightest(const std::vector<double>& b, const std::vector<double>& theta,
                                   const std::vector<double>& multipliers) {
  std::vector<std::pair<double, std::size_t>> by_tightness;  // |T(S)|/Per(S), the largest first
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    double demand = 0;
    for (std::size_t k = 0; k < multipliers.size(); ++k) demand += multipliers[k] * b[s * multipliers.size() + k];
    by_tightness.emplace_back(theta[s] != 0 ? -2 : -std::abs(demand) / sets_[s].perimeter, s);
  }
  std::sort(by_tightness.begin(), by_tightness.end());
  by_tightness.resize(std::min(by_tightness.size(), kKept + multipliers.size()));
  std::vector<LevelSet> kept;
  for (const auto& [tightness, s] : by_tightness) kept.push_back(std::move(sets_[s]));
  sets_ = std::move(kept);
}

}  // namespace brisance::modes
