/// Stops a run whose energy balance does not close.
#pragma once

#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

/// Throws core::Error if the error of the energy balance in implicit steps exceeds all energy that the run was given:
/// at the start, by loads and Dirichlet conditions, and by weight. The equations of a step are linear, which is too
/// inaccurate if tets rotate far within one. The same on all ranks, since energies are. Local.
/// @param initial_energy_j  Energies::total at the start [J]
/// @param mass_kg  of all objects
void require_closed_ledger(const Simulation& simulation, const Energies& now, double initial_energy_j, double mass_kg);

/// Error of the energy balance beyond the energy given [J]; 0 unless it is more than `noise_j`.
[[nodiscard]] double gain_beyond_what_was_given(const Energies& now, double initial_energy_j, double noise_j);

}  // namespace brisance::sim
