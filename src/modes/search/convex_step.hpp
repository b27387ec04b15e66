/// One convex step of the search for a mode, solved exactly by column generation.
#pragma once

#include "brisance/modes/body/cell_graph.hpp"
#include "brisance/modes/search/cut_helpers.hpp"
#include "brisance/modes/search/min_cut.hpp"

#include "modes/search/set_pool.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace brisance::modes {

/// State shared by all steps of all modes of one body.
struct SearchState {
  SearchState(const CellGraph& cells, std::vector<double> weight, CutHelpers* cut_helpers)
      : graph(cells), face_weight(std::move(weight)), cut(graph, face_weight), helpers(cut_helpers) {}

  /// Adds a set to the pool, unless it is there already.  @return its index, and whether it is new
  std::pair<int, bool> add(CellSet set, double perimeter);
  /// Sends this graph to the helpers if they have another search's.
  void inform_helpers();
  /// Makes all later fields orthogonal to this field too: one value for each cell, times the cell's volume.
  void add_constraint(std::vector<double> field_times_volume);

  const CellGraph& graph;
  std::vector<double> face_weight;
  MinCut cut;
  CutHelpers* helpers;             ///< may be null
  std::uint64_t graph_number = 0;  ///< number of this graph at the helpers; 0 if it was not sent
  SetPool pool;
  std::vector<std::vector<double>> constraints;  ///< earlier modes times volume, without the constant one
  std::vector<std::vector<double>> integrals;    ///< of each constraint over each set of the pool, [set][constraint]
};

struct ConvexStep {
  std::vector<double> u;  ///< the minimiser, up to a constant
  double objective = 0;   ///< E(u) of the linear program
  double lower_bound = 0;
  int num_cuts = 0;  ///< number of minimum cuts computed
};

/// min Σ_f w_f |jump_f(u)|  such that  Σ_c V_c c_c u_c = 1  and u is orthogonal to the earlier modes.
///
/// @param c_times_volume  the field c without mean, times the cells' volumes
/// @param relative_gap    stops when (objective − lower bound) ≤ relative_gap · objective
/// @param steady          also prices the midpoint of the new multipliers and the best ones so far: saves rounds while
///                        the pool is small, and gives a helper work
/// New sets go into the state's pool. Local, deterministic. Throws core::Error if no field satisfies the constraints.
[[nodiscard]] ConvexStep solve_convex_step(SearchState& state, std::span<const double> c_times_volume,
                                           double relative_gap, bool steady);

}  // namespace brisance::modes
