/// The reduced problem, solved exactly: one value a cell, one mode after the other.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/body/mode_set.hpp"
#include "brisance/modes/search/cut_helpers.hpp"

#include <memory>
#include <span>
#include <vector>

namespace brisance::modes {

struct ScalarModeSettings {
  double relative_gap = 1e-8;     ///< of every convex step, (energy − lower bound)/energy
  double smallest_change = 1e-7;  ///< a mode is found when a step moves it by less, ‖u − c‖ with ‖c‖ = 1
  int most_steps = 100;  ///< convex steps a mode, five or so are usual; a mode that needs more is not `settled`
  CutHelpers* helpers = nullptr;  ///< another rank to share the work; null: none. Must outlive the search
};

/// One weight a face. Throws core::Error for a face without area or a factor η ≤ 0, naming the first.
/// @param eta      one a face, or empty for 1
/// @param cell_id  what to call each cell in the message; empty means their numbers
[[nodiscard]] std::vector<double> face_weights(const CellGraph& graph, Weighting weighting,
                                               std::span<const double> eta = {},
                                               std::span<const std::int32_t> cell_id = {});

/// The factors η that face_weights was given, to rounding. Local.
[[nodiscard]] std::vector<double> strength_factors(const CellGraph& graph, Weighting weighting,
                                                   std::span<const double> face_weight);

/// The mode of no energy: the same value on every cell.
[[nodiscard]] Mode constant_mode(const CellGraph& graph);

/// Finds scalar modes of a connected body in the order of [S22] algorithm 1: each is a local minimum of E(u) = Σ
/// w|jump| with ‖u‖ = 1 among fields orthogonal to all earlier ones, reached by convex steps from a start vector.
///
/// A vertex solution of the convex step for mode i has at most i + 1 levels: the modes are piecewise constant, and a
/// few steps reach the end. What a search returns depends on the graph, the weights, the earlier modes and the start
/// vector only; so a search that was given saved modes goes on as if it had found them itself.
class ScalarModeSearch {
public:
  /// The graph must outlive the search, be connected, and have positive volumes.
  ScalarModeSearch(const CellGraph& graph, std::vector<double> face_weight, const ScalarModeSettings& settings = {});
  ~ScalarModeSearch();
  ScalarModeSearch(const ScalarModeSearch&) = delete;
  ScalarModeSearch& operator=(const ScalarModeSearch&) = delete;

  /// A mode found earlier (the constant one is known anyway).
  void add_known(const Mode& mode);
  /// A mode orthogonal to all that are known; it does not become known itself. Local; throws core::Error if the mesh is
  /// too coarse for one more.
  /// @param start  one value a cell
  [[nodiscard]] Mode find(std::span<const double> start);
  /// The next mode: found and known.
  [[nodiscard]] Mode next(std::span<const double> start);

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace brisance::modes
