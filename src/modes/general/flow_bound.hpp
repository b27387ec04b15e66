/// How much of a demand on cells a flow through the faces can meet: the certificate of the reduced problem.
#pragma once

#include "brisance/la/handles.hpp"

#include "modes/general/jump_problem.hpp"
#include "modes/general/normal_solver.hpp"

#include <vector>

namespace brisance::modes {

/// A y with Kᵀy = T, ‖y_f‖ ≤ h, is a flow through faces of capacities h·w that meets the demand T: then no set S of
/// cells has |T(S)| > h·Per(S), and by weak duality a convex step whose constraints have the multipliers μ,
/// T = Σ μ_k b_k, costs at least μ₀/h. The best flow is where the sets {‖y_f‖ ≤ 1} and {Kᵀy = T} meet; it is sought by
/// accelerated projections onto one and the other (Y. Nesterov 1983; the second is a solve with KᵀK).
///
/// If they do not meet, what is left between them is K x, and among the level sets of the potential x are those of
/// which T asks too much.
class FlowBound {
public:
  /// @param normal  for `problem`, which has no strain energy; both must outlive this
  /// @param flow    where to begin, one row a row of K
  FlowBound(const JumpProblem& problem, NormalSolver& normal, std::vector<double> flow);

  /// T. Collective.
  void set_demand(const la::Vector& demand);

  /// A few projections. @return the least h met so far with this demand. Collective; throws core::Error.
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
