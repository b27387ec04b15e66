/// Load balance: when nodes change owners, and when elements are sorted in memory.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/sim/phases/model.hpp"

#include <optional>

namespace brisance::sim {

class WorkBalance : ModelView {
public:
  explicit WorkBalance(Model& model) : ModelView(model) {}

  struct Move {
    NodeField<std::int32_t> owners;  ///< by slot
    dist::Sorting sorting;
  };
  /// The migration to be done now, if ranks' work is uneven enough for a new partition or sorting is due. Collective.
  [[nodiscard]] std::optional<Move> due();

  /// Counts for the log and for checkpoints.
  struct Counts {
    int num_rebalances = 0;
    double busiest_work = 0, mean_work = 0;  ///< summed over kinds and evaluations, in element updates
  };
  [[nodiscard]] Counts& counts() { return counts_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }

private:
  /// Owners by slot, if work is so uneven that a new partition pays. Collective.
  [[nodiscard]] std::optional<NodeField<std::int32_t>> owners_afresh();
  [[nodiscard]] bool is_sorting_due() const;

  Counts counts_;
  double lost_work_ = 0;  ///< busiest less mean since the last partition, in element updates
};

}  // namespace brisance::sim
