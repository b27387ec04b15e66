/// The end of a run whose energies come out of nothing.
#pragma once

#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

/// Throws core::Error where what implicit steps have gained is more than all that the run was given: by its start, its
/// loads and Dirichlet conditions, and its weight. Their equations are linear in each step, which is not enough where
/// tets turn far within one. The same on all ranks, since energies are. Local.
/// @param initial_energy_j  Energies::total at the start [J]
/// @param mass_kg  of all objects
void require_closed_ledger(const Simulation& simulation, const Energies& now, double initial_energy_j, double mass_kg);

/// The gain beyond that, 0 if there is none [J]. `noise_j` and less counts as none.
[[nodiscard]] double gain_beyond_what_was_given(const Energies& now, double initial_energy_j, double noise_j);

}  // namespace brisance::sim
