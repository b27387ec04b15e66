/// Steps that watch the total energy: how long they may be.
#include "energy_ledger.hpp"
#include "watched_energy.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

constexpr double kLengthening = 1.02;     ///< from one step to the next
constexpr double kLeastStepShare = 1e-3;  ///< of the stable step
constexpr double kAfterTrial = 0.95;      ///< of the length that failed, that is the longest from then on
constexpr double kForgetting = 1.00002;   ///< how fast that grows again: twice as long after 35,000 steps

}  // namespace

void EnergyLedger::start_watch() {
  state_.watch = {};
  if (!scene_.time.watch_energy) return;
  state_.watch.last_j = state_.watch.before_trial_j = energies().total();
  state_.watch.ceiling = scene_.time.energy_watch_limit;
}

// The total should stay where it was; growth beyond rounding of the integrator is the sign of instability. A step no
// longer than the stable one is judged by what it adds itself: forward Euler adds a little with each. One that is
// longer is on trial, and judged by all that has been added since steps grew so long; where that fails, steps go back
// below the stable one, and for a long time not as far again.
void EnergyLedger::watch() {
  const Energies now = energies();
  const double total = now.total(), scale = std::abs(now.kinetic) + std::abs(now.elastic) + 1e-300;
  Watch& watch = state_.watch;
  const bool on_trial = watch.share > 1;
  const bool grew = total > (on_trial ? watch.before_trial_j : watch.last_j) + kEnergyTolerance * scale;
  if (grew) {
    if (on_trial) watch.ceiling = std::max(1.0, kAfterTrial * watch.share);
    watch.share = std::max(0.5 * std::min(1.0, watch.share), kLeastStepShare);
  } else {
    watch.ceiling = std::min(scene_.time.energy_watch_limit, kForgetting * watch.ceiling);
    const bool is_capped = state_.usual_step_s >= scene_.time.max_step_s;  // by the scene: longer is no longer
    watch.share = std::min(is_capped ? 1.0 : watch.ceiling, kLengthening * watch.share);
  }
  if (!on_trial) watch.before_trial_j = total;
  watch.last_j = total;
}

}  // namespace brisance::sim
