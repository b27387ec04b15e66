#include "modes/general/flow_bound.hpp"

#include "brisance/la/vector_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace brisance::modes {

namespace {

using la::check;

constexpr double kNothing = 1e-7;  ///< relative excess over the demand that is ignored

}  // namespace

FlowBound::FlowBound(const JumpProblem& problem, NormalSolver& normal, std::vector<double> flow)
    : problem_(problem), normal_(normal), flow_(std::move(flow)) {
  check(MatCreateVecs(problem.jumps.raw(), potential_.out(), rows_.out()), "MatCreateVecs");
  demand_ = la::like(potential_);
  excess_ = la::like(potential_);
  check(VecSet(potential_.raw(), 0), "VecSet");
}

void FlowBound::set_demand(const la::Vector& demand) {
  check(VecCopy(demand.raw(), demand_.raw()), "VecCopy");
  check(VecNorm(demand_.raw(), NORM_2, &demand_size_), "VecNorm");
  meet_demand(flow_);
  ahead_ = flow_;
  momentum_ = 1;
  least_load_ = load(flow_);
}

double FlowBound::improve(int steps) {
  for (int k = 0; k < steps; ++k) {
    std::vector<double> next = ahead_;
    keep_to_capacity(next);
    meet_demand(next);
    const double momentum = (1 + std::sqrt(1 + 4 * momentum_ * momentum_)) / 2;
    for (std::size_t i = 0; i < next.size(); ++i)
      ahead_[i] = next[i] + (momentum_ - 1) / momentum * (next[i] - flow_[i]);
    momentum_ = momentum;
    flow_ = std::move(next);
    least_load_ = std::min(least_load_, load(flow_));
  }
  return least_load_;
}

/// y −= K(KᵀK)⁺(Kᵀy − T)
void FlowBound::meet_demand(std::vector<double>& flow) {
  {
    const la::WriteView rows(rows_.raw());
    std::copy(flow.begin(), flow.end(), rows.values().begin());
  }
  check(MatMultTranspose(problem_.jumps.raw(), rows_.raw(), excess_.raw()), "MatMultTranspose");
  check(VecAXPY(excess_.raw(), -1, demand_.raw()), "VecAXPY");
  PetscReal size = 0;
  check(VecNorm(excess_.raw(), NORM_2, &size), "VecNorm");
  if (size <= kNothing * demand_size_) return;
  normal_.solve_to(kNothing * demand_size_ / size, excess_, potential_);
  check(MatMult(problem_.jumps.raw(), potential_.raw(), rows_.raw()), "MatMult");
  const la::ReadView back(rows_.raw());
  for (std::size_t i = 0; i < flow.size(); ++i) flow[i] -= back[i];
}

void FlowBound::keep_to_capacity(std::vector<double>& flow) const {
  const auto size = static_cast<std::size_t>(problem_.jump_size);
  for (std::size_t first = 0; first < flow.size(); first += size) {
    double squared = 0;
    for (std::size_t i = first; i < first + size; ++i) squared += flow[i] * flow[i];
    const double keep = squared > 1 ? 1 / std::sqrt(squared) : 1;
    for (std::size_t i = first; i < first + size; ++i) flow[i] *= keep;
  }
}

/// The largest ‖y_f‖ over all ranks.
double FlowBound::load(const std::vector<double>& flow) const {
  const auto size = static_cast<std::size_t>(problem_.jump_size);
  double most = 0;
  for (std::size_t first = 0; first < flow.size(); first += size) {
    double squared = 0;
    for (std::size_t i = first; i < first + size; ++i) squared += flow[i] * flow[i];
    most = std::max(most, squared);
  }
  return std::sqrt(problem_.comm.max(most));
}

}  // namespace brisance::modes
