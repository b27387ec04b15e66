/// Minimum cuts of one weighted face graph, for sequences of slightly different gains.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Finds the set of cells with the largest g(S) − t·Per(S), where g(S) = Σ_{c∈S} g_c and Per(S) is the weight of the
/// faces between S and the rest.
/// Push–relabel on integers, [Goldberg & Tarjan 1988]: gains are supplies and demands of the cells, faces have the
/// capacity t·weight. The flow for one (g, t) is the start for the next, which takes little work after small changes.
/// t·weight. The flow found for one (g, t) starts the next search; where little has changed, little is left to do.
class MinCut {
public:
  /// @param face_weight  positive, one for each face [any unit that g shares]
  MinCut(const CellGraph& graph, std::span<const double> face_weight);

  /// @param gain  one for each cell, of any sign; for a nontrivial cut they sum to about zero
  /// @param t     positive
  /// @return 1 for the cells of the largest best set; it may include cells of no gain or cost. Valid until the next
  /// call. The gain is optimal to about 2⁻⁶² of (Σ|g| + 2 t Σw) for each cell or face (rounding to integers).
  /// Local, deterministic; does not throw.
  [[nodiscard]] const std::vector<std::uint8_t>& best_set(std::span<const double> gain, double t);

private:
  struct Arc {
    std::int32_t head;      ///< cell at its end
    std::int32_t reverse;   ///< the reverse arc
    std::int64_t residual;  ///< remaining capacity
  };

  void load(std::span<const double> gain, double t);
  void measure_distances();
  void activate(std::int32_t cell);
  void discharge(std::int32_t cell);
  [[nodiscard]] std::int32_t relabelled(std::int32_t cell);

  std::vector<std::int32_t> first_arc_;  ///< index of each cell's first arc, and the end
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> face_arc_;  ///< arc a → b of each face
  std::vector<double> face_weight_;
  double total_weight_ = 0;
  double units_ = 0;  ///< integer units in 1, a power of two; 0 before the first search

  std::vector<std::int64_t> excess_;        ///< supply not yet moved; negative: demand not yet met
  std::vector<std::int32_t> label_;         ///< lower bound on the distance to unmet demand; num_cells: unreachable
  std::vector<std::int32_t> current_arc_;   ///< first arc of each cell that may still be admissible at its label
  std::vector<std::int32_t> num_at_label_;  ///< number of cells with each label
  std::vector<std::int32_t> active_, next_active_;  ///< lists of cells with excess, by label
  std::int32_t highest_active_ = -1;
  std::int64_t work_ = 0;  ///< arcs scanned since the last global relabelling
  std::vector<std::int32_t> queue_;
  std::vector<std::uint8_t> in_set_;
};

}  // namespace brisance::modes
