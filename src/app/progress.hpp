/// The line rank 0 prints while a run goes on.
#pragma once

#include <cstdint>
#include <string>

namespace brisance::app {

/// Where a run stands.
struct Progress {
  std::int64_t step = 0;
  double time_s = 0, duration_s = 0;  ///< simulated
  double step_s = 0;                  ///< size of the last step
  std::int64_t num_pieces = 0, num_contacts = 0;
  double wall_s_per_step = 0;  ///< lately
};

/// "  41%  step 1830  t 0.02460 s  dt 1.3e-05 s  12 pieces  38 contacts  2.1 ms/step  left 5 s". Time left comes from
/// the recent pace: remaining simulated time / step_s · wall_s_per_step.
[[nodiscard]] std::string progress_line(const Progress& progress);

/// "45 s", "12 min 30 s", "3 h 05 min".
[[nodiscard]] std::string duration_words(double seconds);

}  // namespace brisance::app
