/// When something is due that happens at whole multiples of an interval.
#pragma once

#include <algorithm>
#include <cstdint>

namespace brisance::sim {

/// Events number 0, 1, 2 … at number · interval. Products of different intervals round differently: moments closer than
/// a billionth of the interval are one, so that schedules that meet need one step and not a splinter more.
struct Schedule {
  double interval_s = 1;
  std::int64_t next = 0;  ///< number of the next event

  [[nodiscard]] double next_s() const { return static_cast<double>(next) * interval_s; }
  [[nodiscard]] double same_s() const { return 1e-9 * interval_s; }
  [[nodiscard]] bool is_due(double time_s) const { return time_s >= next_s() - same_s(); }
};

/// When the next step must end at the latest: at the next event of either, or at the end of the run [s].
[[nodiscard]] inline double next_event_s(const Schedule& a, const Schedule& b, double end_s) {
  const double event_s = std::min(a.next_s(), b.next_s());
  return event_s >= end_s - std::min(a.same_s(), b.same_s()) ? end_s : event_s;
}

}  // namespace brisance::sim
