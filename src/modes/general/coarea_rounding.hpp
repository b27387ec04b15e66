/// Coarea rounding of an approximate scalar field: its level sets as the columns of a small linear program.
#pragma once

#include "modes/general/admm.hpp"
#include "modes/general/body_share.hpp"
#include "modes/general/jump_problem.hpp"
#include "modes/general/level_set_search.hpp"

#include <optional>
#include <span>
#include <vector>

namespace brisance::modes {

/// Σ_f w|jump| of a field is the integral of its level sets' perimeters over the level, so some field made of level
/// sets has no larger energy.
///
/// Sets used, or nearly used, by a solution are kept for the next call.
class CoareaRounding {
public:
  /// @param share  from which `problem`, a scalar one, was made; both must outlive this
  CoareaRounding(const BodyShare& share, const JumpProblem& problem);

  /// Starts a convex step: cᵀMu = 1 and known_kᵀMu = 0. Sets are kept. Collective.
  void constrain(const la::Vector& c, std::span<const la::Vector> known);
  /// Removes all sets. Local.
  void forget();

  /// The best sum of level sets, without mean; none if no such sum satisfies the constraints. Adds the cheapest level
  /// sets of `field` or, with multipliers μ, those that violate the bound: |Σ μ_k b_k(S)| > Per(S). Collective.
  [[nodiscard]] std::optional<Rounded> round(const la::Vector& field, std::span<const double> multipliers);

private:
  void add_level_sets(const la::Vector& field, std::span<const double> multipliers);
  [[nodiscard]] std::optional<Rounded> solved(const la::Vector& like);
  void keep_tightest(const std::vector<double>& b, const std::vector<double>& theta,
                     const std::vector<double>& multipliers);
  [[nodiscard]] std::vector<double> integrals() const;

  const JumpProblem& problem_;
  LevelSetSearch search_;
  std::vector<std::vector<double>> fields_;  ///< M·c, then M·known, on this rank's cells
  std::vector<LevelSet> sets_;
};

}  // namespace brisance::modes
