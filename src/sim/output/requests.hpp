/// Requests to a run between its steps: to write a checkpoint, or to stop. Signals reach single ranks and clocks
/// differ, so the ranks agree by one small reduction, about ten times a second.
#pragma once

#include "brisance/sim/run_options.hpp"
#include "brisance/sim/simulation.hpp"

#include <cstdint>
#include <functional>

namespace brisance::sim {

struct Requests {
  bool checkpoint = false, stop = false;
};

class RequestWatch {
public:
  RequestWatch(const Simulation& simulation, const RunOptions& options, double checkpoint_interval_s);

  /// To be called after each step; returns no request, without communication, between two checks. `ending_s`: wall
  /// seconds that a checkpoint and the last frame may take, called only if the run has a deadline. Collective.
  Requests check(const Simulation& simulation, const std::function<double()>& ending_s);

private:
  const RunOptions& options_;
  double checkpoint_interval_s_;
  double last_checkpoint_s_, last_check_s_;
  std::int64_t last_check_step_, next_check_step_;
};

}  // namespace brisance::sim
