/// Times of output at whole multiples of an interval. Output does not change the steps: an event happens after the
/// first step that reaches or passes its time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace brisance::sim {

/// Event n = 0, 1, 2 … is due at n · interval, less a billionth of the interval because products round. With an
/// interval far below the step, every step is an event.
struct Schedule {
  static constexpr std::int64_t kMostEvents = std::int64_t{1} << 53;  ///< doubles do not represent all integers beyond

  double interval_s = 1;  ///< above 0
  std::int64_t next = 0;  ///< number of the next event

  [[nodiscard]] bool is_due(double time_s) const {
    return time_s >= static_cast<double>(next) * interval_s - 1e-9 * interval_s;
  }
  /// Sets the next event to the first after this time: a step that passes several counts as one event.
  void pass(double time_s) {
    const double passed = std::floor(time_s / interval_s);
    next = std::max(next, passed < kMostEvents ? static_cast<std::int64_t>(passed) : kMostEvents);
    for (int rounded = 0; rounded < 2 && next < kMostEvents && is_due(time_s); ++rounded) ++next;
  }
};

}  // namespace brisance::sim
