/// The reduced problem, solved exactly: one value for each cell, one mode after the other.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/search/cut_helpers.hpp"

#include <memory>
#include <span>
#include <vector>

namespace brisance::modes {

struct ScalarModeSettings {
  double relative_gap = 1e-8;     ///< of each convex step, (energy − lower bound)/energy
  double smallest_change = 1e-7;  ///< a mode has converged when a step moves it by less, ‖u − c‖ with ‖c‖ = 1
  int most_steps = 100;  ///< convex steps for a mode, usually about five; a mode that needs more is not `settled`
  CutHelpers* helpers = nullptr;  ///< another rank that shares the work; null: none. Must outlive the search
};

/// One weight for each face. Throws core::Error for a face without area or a factor η ≤ 0, naming the first.
/// @param eta      one for each face, or empty for 1
/// @param cell_id  names of the cells in the message; empty means their numbers
[[nodiscard]] std::vector<double> face_weights(const CellGraph& graph, Weighting weighting,
                                               std::span<const double> eta = {},
                                               std::span<const std::int32_t> cell_id = {});

/// The factors η given to face_weights, to rounding. Local.
[[nodiscard]] std::vector<double> strength_factors(const CellGraph& graph, Weighting weighting,
                                                   std::span<const double> face_weight);

/// The mode without energy: the same value on every cell.
[[nodiscard]] Mode constant_mode(const CellGraph& graph);

/// Finds scalar modes of a connected body in the order of [S22] algorithm 1: each is a local minimum of E(u) = Σ
/// w|jump| with ‖u‖ = 1 among fields orthogonal to all earlier ones, reached by convex steps from a start vector.
///
/// A vertex solution of the convex step for mode i has at most i + 1 levels: the modes are piecewise constant, and a
/// few steps suffice. The result of a search depends only on the graph, the weights, the earlier modes and the start
/// vector; so a search that was given saved modes continues as if it had found them itself.
class ScalarModeSearch {
public:
  /// The graph must outlive the search, be connected, and have positive volumes.
  ScalarModeSearch(const CellGraph& graph, std::vector<double> face_weight, const ScalarModeSettings& settings = {});
  ~ScalarModeSearch();
  ScalarModeSearch(const ScalarModeSearch&) = delete;
  ScalarModeSearch& operator=(const ScalarModeSearch&) = delete;

  /// Adds a mode found earlier (the constant one is known anyway).
  void add_known(const Mode& mode);
  /// A mode orthogonal to all known ones; it is not added to them. Local; throws core::Error if the mesh is too coarse
  /// for one more.
  /// @param start  one value for each cell
  [[nodiscard]] Mode find(std::span<const double> start);
  /// Finds the next mode and adds it.
  [[nodiscard]] Mode next(std::span<const double> start);

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace brisance::modes
