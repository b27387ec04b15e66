/// Minimum cuts of one weighted face graph, over and over with slightly different gains.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brisance::modes {

/// Finds the set of cells with the largest g(S) − t·Per(S), where g(S) = Σ_{c∈S} g_c and Per(S) is the weight of the
/// faces between S and the rest.
///
/// Push–relabel on integers, [Goldberg & Tarjan 1988]: gains are supplies and demands of the cells, faces carry at most
/// t·weight. The flow found for one (g, t) starts the next search; where little has changed, little is left to do.
class MinCut {
public:
  /// @param face_weight  positive, one a face [any unit that g shares]
  MinCut(const CellGraph& graph, std::span<const double> face_weight);

  /// @param gain  one a cell, of any sign; for a cut that is worth something they sum to about zero
  /// @param t     positive
  /// @return 1 for the cells of the largest best set; it may hold cells that neither gain nor cost. Valid until the
  /// next call. The gain is optimal to about 2⁻⁶² of (Σ|g| + 2 t Σw) a cell or face (rounding to integers).
  /// Local, deterministic; does not throw.
  [[nodiscard]] const std::vector<std::uint8_t>& best_set(std::span<const double> gain, double t);

private:
  struct Arc {
    std::int32_t head;      ///< cell it leads to
    std::int32_t reverse;   ///< the arc back
    std::int64_t residual;  ///< how much more it can carry
  };

  void load(std::span<const double> gain, double t);
  void measure_distances();
  void activate(std::int32_t cell);
  void discharge(std::int32_t cell);
  [[nodiscard]] std::int32_t relabelled(std::int32_t cell);

  std::vector<std::int32_t> first_arc_;  ///< of each cell, and the end
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> face_arc_;  ///< arc a → b of each face
  std::vector<double> face_weight_;
  double total_weight_ = 0;
  double units_ = 0;  ///< integer units in 1, a power of two; 0 before the first search

  std::vector<std::int64_t> excess_;        ///< supply not yet moved on; negative: demand not yet met
  std::vector<std::int32_t> label_;         ///< lower bound on the distance to unmet demand; num_cells: none in reach
  std::vector<std::int32_t> current_arc_;   ///< first arc of a cell not yet known to be useless at its label
  std::vector<std::int32_t> num_at_label_;  ///< cells of each label
  std::vector<std::int32_t> active_, next_active_;  ///< lists of cells with excess, by label
  std::int32_t highest_active_ = -1;
  std::int64_t work_ = 0;  ///< arcs looked at since the distances were measured
  std::vector<std::int32_t> queue_;
  std::vector<std::uint8_t> in_set_;
};

}  // namespace brisance::modes
