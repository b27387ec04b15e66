#include "requests.hpp"

#include "brisance/core/timer.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

constexpr double kSecondsBetweenChecks = 0.1;
constexpr double kMostStepsBetweenChecks = 64;

}  // namespace

RequestWatch::RequestWatch(const Simulation& simulation, const RunOptions& options, double checkpoint_interval_s)
    : options_(options),
      checkpoint_interval_s_(checkpoint_interval_s),
      last_checkpoint_s_(core::wall_seconds()),
      last_check_s_(last_checkpoint_s_),
      last_check_step_(simulation.num_steps()),
      next_check_step_(simulation.num_steps() + 1) {}

Requests RequestWatch::check(const Simulation& simulation, const std::function<double()>& ending_s) {
  if (simulation.num_steps() < next_check_step_) return {};
  const double now_s = core::wall_seconds();
  const double step_s = (now_s - last_check_s_) / static_cast<double>(simulation.num_steps() - last_check_step_);
  const bool is_late = std::isfinite(options_.deadline_s) &&
                       now_s + ending_s() + 2 * std::max(step_s, kSecondsBetweenChecks) >= options_.deadline_s;
  const bool stop = is_late || (options_.stop_requested && options_.stop_requested());
  const bool due = checkpoint_interval_s_ > 0 && now_s - last_checkpoint_s_ >= checkpoint_interval_s_;
  const bool checkpoint = due || (options_.checkpoint_requested && options_.checkpoint_requested());
  const auto agreed = simulation.comm().min(std::array<double, 3>{stop ? -1.0 : 0.0, checkpoint ? -1.0 : 0.0, -step_s});
  last_check_s_ = core::wall_seconds();
  last_check_step_ = simulation.num_steps();
  const double steps = kSecondsBetweenChecks / std::max(-agreed[2], 1e-9);
  next_check_step_ = last_check_step_ + static_cast<std::int64_t>(std::clamp(steps, 1.0, kMostStepsBetweenChecks));
  const Requests requests{agreed[1] < 0, agreed[0] < 0};
  if (requests.checkpoint) last_checkpoint_s_ = last_check_s_;
  return requests;
}

}  // namespace brisance::sim
