/// What a run is asked to do beside its steps: a checkpoint, or to stop. Signals come to single ranks and clocks
/// differ: the ranks agree by one small reduction, about ten times a second.
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

  /// To be called after each step; says no without a message between two looks. `ending_s`: wall seconds that a
  /// checkpoint and the last frame may take, asked for where the run has a limit. Collective.
  Requests look(const Simulation& simulation, const std::function<double()>& ending_s);

private:
  const RunOptions& options_;
  double checkpoint_interval_s_;
  double last_checkpoint_s_, last_check_s_;
  std::int64_t last_check_step_, next_check_step_;
};

}  // namespace brisance::sim
