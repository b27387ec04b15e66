/// time.watch_energy: the step adapts to the growth of the total energy.
#include "energy_ledger.hpp"
#include "watched_energy.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::sim {

namespace {

constexpr double kLengthening = 1.02;     ///< largest growth from one step to the next [–]
constexpr double kLeastStepShare = 1e-3;  ///< over the stable step [–]
constexpr double kAfterTrial = 0.95;      ///< new upper bound of the step, over the step that failed [–]
constexpr double kForgetting = 1.00002;   ///< growth of that bound in a step: a factor of 2 in 35,000 steps [–]

}  // namespace

void EnergyLedger::start_watch() {
  state_.watch = {};
  if (!scene_.time.watch_energy) return;
  state_.watch.last_j = state_.watch.before_trial_j = energies().total();
  state_.watch.ceiling = scene_.time.energy_watch_limit;
}

// The total energy should be constant; growth beyond the integrator's error shows instability. A step up to the stable
// one is tested by the energy it adds itself, since forward Euler adds a little in each. A longer step is on trial:
// tested by all the energy added since steps exceeded the stable one. If it fails, steps fall below the stable one, and
// their upper bound recovers slowly.
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
    const bool is_capped = state_.usual_step_s >= scene_.time.max_step_s;  // the scene, not stability, limits it
    watch.share = std::min(is_capped ? 1.0 : watch.ceiling, kLengthening * watch.share);
  }
  if (!on_trial) watch.before_trial_j = total;
  watch.last_j = total;
}

}  // namespace brisance::sim
