/// Progress messages for long work; short work logs nothing.
#pragma once

#include "brisance/core/timer.hpp"

#include <string>
#include <thread>

namespace brisance::core {

constexpr double kProgressInterval_s = 5;  ///< time between two progress lines of one piece of work [s]

/// Tells a loop, which knows its own progress, when its next line is due.
class ProgressClock {
public:
  /// Is a line due? If so, the next one is due one interval from now.
  [[nodiscard]] bool is_due() {
    const double now_s = wall_seconds();
    if (now_s - last_s_ < kProgressInterval_s) return false;
    last_s_ = now_s;
    return true;
  }
  /// Time since the work began [s].
  [[nodiscard]] double passed_s() const { return wall_seconds() - start_s_; }

private:
  double start_s_ = wall_seconds(), last_s_ = start_s_;
};

/// For work that has no place to query a clock: while this object lives, a thread of its own logs "WHAT: 5 s so far"
/// once an interval. It takes no signal and does nothing else, so it may live around MPI calls. Local.
class Heartbeat {
public:
  /// @param what  the work, as the beginning of a line: "cutting the pieces"
  explicit Heartbeat(std::string what, double interval_s = kProgressInterval_s);

private:
  std::jthread thread_;  ///< its destructor ends it at once
};

}  // namespace brisance::core
