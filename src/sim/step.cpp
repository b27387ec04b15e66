/// One step of a run with any stepper: impulses before and after it, and the division of work between ranks.
#include "brisance/core/timer.hpp"
#include "brisance/sim/simulation.hpp"

#include "sim/phases/phases.hpp"
#include "sim/phases/time_stepper.hpp"

#include <limits>

#include <spdlog/spdlog.h>

namespace brisance::sim {

void Simulation::step(double until_s) {
  RunState& state = model_->state;
  const double start_s = state.time_s;
  if (state.num_steps == 0) phases_->loads.give_impulses(-std::numeric_limits<double>::infinity(), start_s);
  balance();
  state.kept_half_step.reset();
  stepper_->step(until_s);
  phases_->loads.give_impulses(start_s, state.time_s);
}

void Simulation::balance() {
  const auto move = phases_->balance.due();
  if (!move) return;
  core::ScopedTimer timer(model_->seconds.balance);
  migrate(move->owners, move->sorting);
  if (move->sorting == dist::Sorting::anew && comm().is_root())
    spdlog::debug("t = {:.6g} s: {} tets sorted in memory by their place in the body", time_s(),
                  mesh().facts.next_element_id);
}

}  // namespace brisance::sim
