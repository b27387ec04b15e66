#include "modes/general/admm.hpp"

#include "brisance/core/error.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/la/vector_view.hpp"

#include "modes/general/flow_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace brisance::modes {

namespace {

using la::check;

constexpr double kOverRelaxation = 1.7;
constexpr int kRateEvery = 10;      ///< iterations between two evaluations of objective and bound
constexpr int kFirstFlow = 30;      ///< iteration of the first bound by flows; the next follows after twice as many
constexpr int kFlowSteps = 15;      ///< projections between two evaluations of the bound
constexpr int kIdleFlows = 3;       ///< evaluations without progress after which ADMM continues
constexpr double kSame = 1e-10;     ///< relative difference of objectives within rounding
constexpr double kProgress = 0.03;  ///< least progress of bound or objective, over their difference
constexpr double kBalanced = 4;     ///< ratio of relative residuals that is accepted

double dot(const la::Vector& x, const la::Vector& y) {
  PetscScalar result = 0;
  check(VecDot(x.raw(), y.raw(), &result), "VecDot");
  return result;
}

double norm_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

/// Sets each corner to its cell's mean.
void set_to_means(const JumpProblem& problem, la::Vector& field) {
  const la::WriteView values(field.raw());
  const int d = problem.dimension, corners = problem.cell_size / d;
  for (std::size_t first = 0; first < values.values().size(); first += problem.cell_size)
    for (int axis = 0; axis < d; ++axis) {
      double mean = 0;
      for (int k = 0; k < corners; ++k) mean += values[first + k * d + axis] / corners;
      for (int k = 0; k < corners; ++k) values[first + k * d + axis] = mean;
    }
}

}  // namespace

Admm::Admm(const JumpProblem& problem, double relative_gap, int most_iterations)
    : problem_(problem), relative_gap_(relative_gap), most_iterations_(most_iterations), normal_(problem) {
  check(MatCreateVecs(problem.jumps.raw(), u_.out(), jump_u_.out()), "MatCreateVecs");
  v_ = la::like(u_);
  gradient_ = la::like(u_);
  difference_ = la::like(jump_u_);
}

Admm::Constraint Admm::constraint(const la::Vector& field) {
  Constraint c{la::like(field), la::like(field)};
  check(VecPointwiseMult(c.row.raw(), problem_.mass.raw(), field.raw()), "VecPointwiseMult");
  normal_.solve(c.row, c.response);
  return c;
}

void Admm::add_known(const la::Vector& mode) { known_.push_back(constraint(mode)); }

void Admm::set_penalty(double penalty) {
  penalty_ = penalty;
  if (problem_.strain.raw() == nullptr) return;
  normal_.set_penalty(penalty);
  for (Constraint& c : known_) normal_.solve(c.row, c.response);
}

/// Sets z = Kc, y = 0, and a ρ by which both move alike. Where c is continuous, Kc does not show the size of later
/// jumps: those of its means over the cells do.
void Admm::restart(const la::Vector& c) {
  check(VecCopy(c.raw(), u_.raw()), "VecCopy");
  check(VecSet(v_.raw(), 0), "VecSet");
  if (problem_.field == CellField::corners) set_to_means(problem_, u_);
  check(MatMult(problem_.jumps.raw(), u_.raw(), jump_u_.raw()), "MatMult");
  const la::ReadView jumps(jump_u_.raw());
  z_.assign(jumps.values().begin(), jumps.values().end());
  y_.assign(z_.size(), 0.0);
  is_started_ = true;
  const double faces = la::sum_over_ranks(problem_.comm, static_cast<double>(z_.size()) / problem_.jump_size);
  const double size = la::sum_over_ranks(problem_.comm, norm_of(z_) * norm_of(z_));
  set_penalty(std::sqrt(faces / std::max(size, 1e-300)));
}

/// Bᵀx: with the row of c, then with those of the known fields.
Eigen::VectorXd Admm::against_rows(const Constraint& c, const la::Vector& x) const {
  std::vector<Vec> rows{c.row.raw()};
  for (const Constraint& k : known_) rows.push_back(k.row.raw());
  Eigen::VectorXd products(static_cast<Eigen::Index>(rows.size()));
  check(VecMDot(x.raw(), static_cast<PetscInt>(rows.size()), rows.data(), products.data()), "VecMDot");
  return products;
}

/// c as a constraint, and BᵀA⁺B with it: both are valid until ρ changes A.
Admm::Constraint Admm::prepare(const la::Vector& c) {
  Constraint wanted = constraint(c);
  const auto n = static_cast<Eigen::Index>(known_.size()) + 1;
  Eigen::MatrixXd products(n, n);
  products.col(0) = against_rows(wanted, wanted.response);
  for (Eigen::Index k = 1; k < n; ++k) products.col(k) = against_rows(wanted, known_[k - 1].response);
  products_.compute((products + products.transpose()) / 2);
  return wanted;
}

void Admm::solve_for_u(const Constraint& c) {
  {
    const la::WriteView target(difference_.raw());
    for (std::size_t i = 0; i < z_.size(); ++i) target[i] = z_[i] - y_[i] / penalty_;
  }
  check(MatMultTranspose(problem_.jumps.raw(), difference_.raw(), gradient_.raw()), "MatMultTranspose");
  normal_.improve(gradient_, v_);
  Eigen::VectorXd excess = against_rows(c, v_);
  excess[0] -= 1;
  multipliers_ = products_.solve(excess);
  check(VecCopy(v_.raw(), u_.raw()), "VecCopy");
  check(VecAXPY(u_.raw(), -multipliers_[0], c.response.raw()), "VecAXPY");
  for (std::size_t k = 0; k < known_.size(); ++k)
    check(VecAXPY(u_.raw(), -multipliers_[static_cast<Eigen::Index>(k) + 1], known_[k].response.raw()), "VecAXPY");
  check(MatMult(problem_.jumps.raw(), u_.raw(), jump_u_.raw()), "MatMult");
}

/// Shrinks z, updates y, and records the change of both.
void Admm::update_jumps() {
  const la::ReadView jumps(jump_u_.raw());
  const auto size = static_cast<std::size_t>(problem_.jump_size);
  double apart = 0, moved = 0, z_size = 0, y_size = 0, u_size = 0;
  std::vector<double> target(size);
  for (std::size_t first = 0; first < z_.size(); first += size) {
    double squared = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t i = first + k;
      target[k] = kOverRelaxation * jumps[i] + (1 - kOverRelaxation) * z_[i] + y_[i] / penalty_;
      squared += target[k] * target[k];
    }
    const double length = std::sqrt(squared) * penalty_;
    const double keep = length > 1 ? 1 - 1 / length : 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t i = first + k;
      const double z = keep * target[k];
      moved += (z - z_[i]) * (z - z_[i]);
      apart += (jumps[i] - z) * (jumps[i] - z);
      z_[i] = z;
      y_[i] = penalty_ * (target[k] - z);
      z_size += z * z;
      y_size += y_[i] * y_[i];
      u_size += jumps[i] * jumps[i];
    }
  }
  std::array<double, 5> all{apart, moved, z_size, y_size, u_size};
  la::sum_over_ranks(problem_.comm, all);
  primal_ = std::sqrt(all[0] / std::max({all[2], all[4], 1e-300}));
  dual_ = penalty_ * std::sqrt(all[1] / std::max(all[3], 1e-300));
}

/// The multipliers of the faces for the latest u.
std::vector<double> Admm::flow() const {
  const la::ReadView jumps(jump_u_.raw());
  std::vector<double> flow(z_.size());
  for (std::size_t i = 0; i < flow.size(); ++i) flow[i] = y_[i] + penalty_ * (jumps[i] - z_[i]);
  return flow;
}

bool Admm::is_closed(const AdmmStep& best) const {
  return best.objective - best.lower_bound <= relative_gap_ * best.objective;
}

/// Objective and bound of the latest u, with the y from which it followed.
void Admm::rate(AdmmStep& best, const Rounding& rounding) {
  double energy = 0, longest = 0;
  {
    const std::vector<double> y = flow();
    const la::ReadView jumps(jump_u_.raw());
    const auto size = static_cast<std::size_t>(problem_.jump_size);
    for (std::size_t first = 0; first < z_.size(); first += size) {
      energy += norm_of(jumps.values().subspan(first, size));
      longest = std::max(longest, norm_of({y.data() + first, size}));
    }
  }
  energy = la::sum_over_ranks(problem_.comm, energy);
  longest = problem_.comm.max(longest);
  double strain = 0;  // uᵀSu
  if (problem_.strain.raw() != nullptr) {
    check(MatMult(problem_.strain.raw(), u_.raw(), gradient_.raw()), "MatMult");
    strain = dot(u_, gradient_);
  }
  const double objective = energy + strain / 2;
  const double slope = -penalty_ * multipliers_[0];  // λ of cᵀMu = 1
  double scale = 1 / std::max(longest, 1e-300);
  if (strain > 0) scale = std::min(scale, slope / strain);
  best.lower_bound = std::max(best.lower_bound, scale * slope - scale * scale * strain / 2);
  if (best.u.raw() == nullptr || objective < best.objective) {
    best.objective = objective;
    best.u = la::copy_of(u_);
  }
  if (rounding) take(rounding(u_, {}), best);
}

void Admm::take(std::optional<Rounded> rounded, AdmmStep& best) {
  if (!rounded) return;
  if (prices_.empty() || rounded->objective <= prices_.front() * (1 + kSame)) prices_ = std::move(rounded->multipliers);
  if (rounded->objective >= best.objective) return;
  best.objective = rounded->objective;
  best.u = std::move(rounded->u);
}

/// Column generation: flows for the multipliers of the linear program give bounds, their potentials the missing sets,
/// until bound and objective meet or neither makes progress.
void Admm::certify(const Constraint& c, const Rounding& rounding, AdmmStep& best) {
  FlowBound bound(problem_, normal_, flow());
  std::vector<double> prices;
  for (int idle = 0; idle < kIdleFlows && best.iterations < most_iterations_ && !is_closed(best); ++idle) {
    if (prices != prices_) {
      prices = prices_;
      check(VecSet(gradient_.raw(), 0), "VecSet");
      check(VecAXPY(gradient_.raw(), prices[0], c.row.raw()), "VecAXPY");
      for (std::size_t k = 0; k < known_.size(); ++k)
        check(VecAXPY(gradient_.raw(), prices[k + 1], known_[k].row.raw()), "VecAXPY");
      bound.set_demand(gradient_);
    }
    const double lower_bound = prices[0] / bound.improve(kFlowSteps), before = best.objective;
    best.iterations += kFlowSteps;
    const double progress = kProgress * (best.objective - best.lower_bound);
    if (lower_bound > best.lower_bound + progress) idle = -1;
    best.lower_bound = std::max(best.lower_bound, lower_bound);
    if (is_closed(best)) return;
    take(rounding(bound.potential(), prices), best);
    if (best.objective < before - progress) idle = -1;
  }
}

/// Changes ρ towards equal relative residuals.
void Admm::balance() {
  const double ratio = primal_ / std::max(dual_, 1e-300);
  if (ratio < kBalanced && ratio > 1 / kBalanced) return;
  set_penalty(penalty_ * std::clamp(std::sqrt(ratio), 0.1, 10.0));
}

AdmmStep Admm::minimise(const la::Vector& c, bool afresh, const Rounding& rounding) {
  if (afresh || !is_started_) restart(c);
  Constraint wanted = prepare(c);
  prices_.clear();
  AdmmStep best;
  int next_balance = 10, next_flow = kFirstFlow;
  for (best.iterations = 1; best.iterations <= most_iterations_; ++best.iterations) {
    solve_for_u(wanted);
    const bool is_rated = best.iterations % kRateEvery == 0;
    if (is_rated) rate(best, rounding);
    if (is_rated && best.iterations >= next_flow && !prices_.empty()) {
      const int before = best.iterations;
      certify(wanted, rounding, best);
      next_flow = best.iterations + 2 * before;
      next_balance += best.iterations - before;
    }
    if (is_rated && is_closed(best)) break;
    update_jumps();
    if (best.iterations < next_balance) continue;
    balance();
    if (problem_.strain.raw() != nullptr) wanted = prepare(c);
    next_balance = 2 * best.iterations;
  }
  const auto size = static_cast<std::size_t>(problem_.jump_size);
  for (std::size_t first = 0; first < z_.size(); first += size)
    best.jumps.push_back(norm_of({z_.data() + first, size}));
  return best;
}

}  // namespace brisance::modes
