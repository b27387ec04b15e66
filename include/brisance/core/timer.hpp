/// Wall-clock timers for the phases of a step.
#pragma once

#include <chrono>

namespace brisance::core {

[[nodiscard]] inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Adds the seconds of its own lifetime to a total.
class ScopedTimer {
public:
  explicit ScopedTimer(double& total_s) : total_s_(total_s), start_s_(wall_seconds()) {}
  ~ScopedTimer() { total_s_ += wall_seconds() - start_s_; }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

private:
  double& total_s_;
  double start_s_;
};

}  // namespace brisance::core
