/// When something is due that happens at whole multiples of an interval. Whoever looks does not steer: steps are as
/// long as they are, and what is due happens after the first step that reaches or passes its time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace brisance::sim {

/// Events number 0, 1, 2 … at number · interval, or a billionth of the interval before, for products that round. An
/// interval far below a step makes an event of every step.
struct Schedule {
  static constexpr std::int64_t kMostEvents = std::int64_t{1} << 53;  ///< beyond, double has no number for each

  double interval_s = 1;  ///< above 0
  std::int64_t next = 0;  ///< number of the next event

  [[nodiscard]] bool is_due(double time_s) const {
    return time_s >= static_cast<double>(next) * interval_s - 1e-9 * interval_s;
  }
  /// The next event is the first after this time: a step that passes several makes one of them.
  void pass(double time_s) {
    const double passed = std::floor(time_s / interval_s);
    next = std::max(next, passed < kMostEvents ? static_cast<std::int64_t>(passed) : kMostEvents);
    for (int rounded = 0; rounded < 2 && next < kMostEvents && is_due(time_s); ++rounded) ++next;
  }
};

}  // namespace brisance::sim
