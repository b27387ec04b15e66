/// What a toughness in newton, or an energy of fracture, comes to in pascal on the mesh at hand.
#pragma once

#include "brisance/sim/simulation.hpp"

#include <string>
#include <vector>

namespace brisance::sim {

/// A line for each material that can break: the stress at which a node in uniaxial tension fails, as the mean over the
/// nodes it is at, from the weakest to the strongest. A toughness τ in newton is τ/A_0, A_0 being the node's mean area
/// over directions (VALIDATION C0, 0.6); at a front with K_Ic it is 0.55 K_Ic/√h_0. Collective.
[[nodiscard]] std::vector<std::string> effective_strengths(const Simulation& simulation);

}  // namespace brisance::sim
