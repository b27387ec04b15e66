/// The largest demand on cells that a flow through the faces can meet: the certificate of the reduced problem.
#pragma once

#include "brisance/la/handles.hpp"

#include "modes/general/jump_problem.hpp"
#include "modes/general/normal_solver.hpp"

#include <vector>

namespace brisance::modes {

/// A y with Kᵀy = T, ‖y_f‖ ≤ h, is a flow through faces of capacities h·w that meets the demand T: then no set S of
/// cells has |T(S)| > h·Per(S), and by weak duality a convex step whose constraints have the multipliers μ, T = Σ μ_k
/// b_k, costs at least μ₀/h. The best flow is in the intersection of the sets {‖y_f‖ ≤ 1} and {Kᵀy = T}; it is computed
/// by accelerated alternating projections (Y. Nesterov 1983; the second is a solve with KᵀK).
///
/// If the sets do not intersect, their difference is K x, and some level sets of the potential x violate the bound for
/// T.
class FlowBound {
public:
  /// @param normal  for `problem`, which has no strain energy; both must outlive this
  /// @param flow    start value, one entry for each row of K
  FlowBound(const JumpProblem& problem, NormalSolver& normal, std::vector<double> flow);

  /// Sets T. Collective.
  void set_demand(const la::Vector& demand);

  /// Performs some projections. @return the least h so far for this demand. Collective; throws core::Error.
  double improve(int steps);

  /// x of the last projection.
  [[nodiscard]] const la::Vector& potential() const { return potential_; }

private:
  void meet_demand(std::vector<double>& flow);
  void keep_to_capacity(std::vector<double>& flow) const;
  [[nodiscard]] double load(const std::vector<double>& flow) const;

  const JumpProblem& problem_;
  NormalSolver& normal_;
  la::Vector demand_, potential_, excess_, rows_;
  std::vector<double> flow_, ahead_;  ///< y, and y with its momentum
  double momentum_ = 1, demand_size_ = 0, least_load_ = 0;
};

}  // namespace brisance::modes
