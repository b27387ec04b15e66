/// Selection of the best level sets of a distributed field.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/la/row_forest.hpp"

#include "modes/general/body_share.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

struct LevelSet {
  std::vector<bool> member;  ///< for this rank's cells
  double perimeter;          ///< Σ w over the faces at its boundary, of all ranks
};

/// Thresholds are samples of all ranks' sorted values; perimeters and integrals of their sets are sums over the bins
/// between them. This is repeated twice with samples from the bins around the chosen thresholds.
class LevelSetSearch {
public:
  /// @param share  of a scalar problem; must outlive this. Collective.
  LevelSetSearch(const core::Comm& comm, const BodyShare& share);

  /// The best set in each of several intervals of equal volume, and the sets at the widest gaps between the values.
  /// @param value     on this rank's cells
  /// @param demand    on this rank's cells: the best set has the least perimeter − |its demand|; empty means 0
  /// @param num_gaps  largest number of sets at gaps
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
  la::RowForest sides_;  ///< from cells to the two sides of each face
};

}  // namespace brisance::modes
