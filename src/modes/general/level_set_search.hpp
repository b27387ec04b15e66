/// Which level sets of a field are worth having, when no rank sees the others' cells.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/row_forest.hpp"

#include "modes/general/body_share.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

struct LevelSet {
  std::vector<bool> member;  ///< of this rank's cells
  double perimeter;          ///< Σ w over the faces that leave it, of all ranks
};

/// Thresholds come from samples of all ranks' sorted values; perimeters and integrals of their sets from sums over the
/// bins between them; then once more, and once more, from samples of the bins around those that were chosen.
class LevelSetSearch {
public:
  /// @param share  of a scalar problem; must outlive this. Collective.
  LevelSetSearch(const core::Comm& comm, const BodyShare& share);

  /// Of sets of about equal volume the best one each, and those at the widest gaps between the values.
  /// @param value     of this rank's cells
  /// @param demand    of this rank's cells: the best set is that of least perimeter − |its demand|; empty means 0
  /// @param num_gaps  at most
  /// Collective.
  [[nodiscard]] std::vector<LevelSet> find(std::span<const double> value, std::span<const double> demand,
                                           std::size_t num_gaps) const;

  /// Σ w|jump| of a field. Collective.
  [[nodiscard]] double energy(std::span<const double> value) const;

private:
  [[nodiscard]] std::vector<double> sampled(std::vector<double> values, std::vector<double> some) const;
  [[nodiscard]] std::vector<double> thresholds(std::span<const double> value) const;
  [[nodiscard]] std::vector<double> refined(std::span<const double> thresholds, const std::vector<std::size_t>& chosen,
                                            std::span<const double> value) const;
  [[nodiscard]] std::vector<double> perimeters(std::span<const double> thresholds,
                                               const std::vector<double>& sides) const;
  [[nodiscard]] std::vector<double> demands(std::span<const double> thresholds, std::span<const double> value,
                                            std::span<const double> demand) const;
  [[nodiscard]] std::vector<std::size_t> chosen(std::span<const double> thresholds, std::span<const double> value,
                                                const std::vector<double>& cost, std::size_t num_gaps) const;

  core::Comm comm_;
  const BodyShare& share_;
  la::RowForest sides_;  ///< from cells to both sides of each face
};

}  // namespace brisance::modes
