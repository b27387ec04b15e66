/// Coarea rounding of an approximate scalar field: its level sets as the columns of a small linear program.
#pragma once

#include "brisance/la/row_forest.hpp"

#include "modes/admm.hpp"
#include "modes/body_share.hpp"
#include "modes/jump_problem.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace brisance::modes {

/// Σ_f w|jump| of a field is the integral of its level sets' perimeters over the level, so one of the fields made of
/// level sets is no worse than it. No rank sees the others' cells: thresholds come from samples of all ranks' sorted
/// values, perimeters and integrals from sums over the bins between them.
///
/// Sets that a solution used, or almost, are kept for the next call.
class CoareaRounding {
public:
  /// @param share  of which `problem`, a scalar one, was made; both must outlive this
  CoareaRounding(const BodyShare& share, const JumpProblem& problem);

  /// Begins a convex step: cᵀMu = 1 and known_kᵀMu = 0. Sets are kept. Collective.
  void constrain(const la::Vector& c, std::span<const la::Vector> known);
  /// Forgets all sets. Local.
  void forget();

  /// The best sum of level sets, without mean; none if no such sum satisfies the constraints. Of `field` those are
  /// added that cost least, or, with multipliers μ, of which these ask too much: |Σ μ_k b_k(S)| > Per(S). Collective.
  [[nodiscard]] std::optional<Rounded> round(const la::Vector& field, std::span<const double> multipliers);

private:
  struct Set {
    std::vector<bool> member;  ///< of this rank's cells
    double perimeter;
  };

  [[nodiscard]] std::vector<double> sampled(std::vector<double> values, std::vector<double> some) const;
  [[nodiscard]] std::vector<double> thresholds(std::span<const double> value) const;
  [[nodiscard]] std::vector<double> refined(std::span<const double> thresholds, const std::vector<std::size_t>& chosen,
                                            std::span<const double> value) const;
  [[nodiscard]] std::vector<double> perimeters(std::span<const double> thresholds,
                                               const std::vector<double>& sides) const;
  [[nodiscard]] std::vector<double> demands(std::span<const double> thresholds, std::span<const double> value,
                                            std::span<const double> multipliers) const;
  [[nodiscard]] std::vector<std::size_t> chosen(std::span<const double> thresholds, std::span<const double> value,
                                                const std::vector<double>& cost) const;
  void add_level_sets(const la::Vector& field, std::span<const double> multipliers);
  [[nodiscard]] double energy(const la::Vector& field) const;
  [[nodiscard]] std::optional<Rounded> solved(const la::Vector& like);
  void keep_tightest(const std::vector<double>& b, const std::vector<double>& theta,
                     const std::vector<double>& multipliers);
  [[nodiscard]] std::vector<double> sums(std::vector<double> mine) const;
  [[nodiscard]] std::vector<double> integrals() const;

  const BodyShare& share_;
  const JumpProblem& problem_;
  la::RowForest sides_;                      ///< from cells to both sides of each face
  std::vector<std::vector<double>> fields_;  ///< M·c, then M·known, of this rank's cells
  std::vector<Set> sets_;
};

}  // namespace brisance::modes
