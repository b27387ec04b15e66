/// The tolerance of time.watch_energy, for explicit and implicit steps.
#pragma once

namespace brisance::sim {

/// Largest energy that a step may add from nowhere, over the kinetic and elastic energy [–].
inline constexpr double kEnergyTolerance = 1e-3;

}  // namespace brisance::sim
