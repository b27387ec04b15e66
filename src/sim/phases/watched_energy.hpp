/// What time.watch_energy asks of a step, explicit or implicit.
#pragma once

namespace brisance::sim {

/// Of the energy of motion and strain, that a step may add out of nothing [–].
inline constexpr double kEnergyTolerance = 1e-3;

}  // namespace brisance::sim
