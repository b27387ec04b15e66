/// What the log says at the end of a run.
#pragma once

#include "brisance/dist/pieces.hpp"
#include "brisance/sim/simulation.hpp"

#include "recorder_state.hpp"

#include <cstdint>

namespace brisance::sim {

/// Costs of this process, which differ between runs.
struct RunCosts {
  double wall_s = 0;                 ///< of the whole run
  double frames_s = 0, rows_s = 0;   ///< of these, for frames and for rows of monitor.csv
  std::int64_t element_updates = 0;  ///< of all ranks
};

/// Logs results and energies; for developers, counts of fracture, contact and solver, costs and memory. Collective.
void log_run_summary(const Simulation& simulation, const dist::Pieces& pieces, const RecorderState& state,
                     const RunCosts& costs);

}  // namespace brisance::sim
