/// The progress line of a run, printed by rank 0.
#pragma once

#include "brisance/sim/run.hpp"

#include <string>

namespace brisance::app {

/// "  41%  step 1830  t 0.02460 s  dt 1.32e-05 s  12 pieces  38 contacts  2.1 ms/step  left 5 s". The time left is
/// estimated from the recent pace: remaining simulated time / dt_s · ms_per_step.
[[nodiscard]] std::string progress_line(const sim::Progress& progress);

/// "45 s", "12 min 30 s", "3 h 05 min".
[[nodiscard]] std::string duration_words(double seconds);

}  // namespace brisance::app
