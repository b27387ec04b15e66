/// The linear program over the sets found so far.
#pragma once

#include <memory>
#include <span>
#include <vector>

class ClpSimplex;

namespace brisance::modes {

/// min Σ_S Per(S)·|θ_S|  such that  Σ_S θ_S·b_S = e₀, with b_S the integrals over S of the fields of the constraints.
/// Its multipliers μ solve  max μ₀  such that  |b_S·μ| ≤ Per(S)  for all S.
///
/// Each constraint also has a pair of artificial sets, so expensive that they are unused once real sets suffice; with
/// them there is always a solution.
class MasterProgram {
public:
  /// @param scale  one for each constraint: the largest |b_S|/Per(S) expected; scales the rows to size 1
  explicit MasterProgram(std::span<const double> scale);
  ~MasterProgram();
  MasterProgram(const MasterProgram&) = delete;
  MasterProgram& operator=(const MasterProgram&) = delete;

  /// Adds sets: their b_S one after the other, and their perimeters.
  void add(std::span<const double> integrals, std::span<const double> perimeters);

  /// Solves again after sets were added. Throws core::Error if the simplex method fails.
  void solve();

  [[nodiscard]] double objective() const { return objective_; }
  [[nodiscard]] const std::vector<double>& multipliers() const { return multipliers_; }
  /// θ_S of each set in the order added; most are 0.
  [[nodiscard]] std::vector<double> amounts() const;
  /// Does the solution still use artificial sets?
  [[nodiscard]] bool uses_artificial() const;
  /// Makes the artificial sets a thousand times more expensive.
  void raise_artificial_price();

private:
  void add_columns(std::span<const double> entries, double cost);
  [[nodiscard]] bool is_optimal() const;

  std::unique_ptr<ClpSimplex> program_;
  std::vector<double> scale_, perimeter_;
  double objective_ = 0;
  std::vector<double> multipliers_;
};

}  // namespace brisance::modes
