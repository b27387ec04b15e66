/// Converts a toughness in newton, or a fracture energy, to a strength in pascal on the present mesh.
#pragma once

#include "brisance/sim/simulation.hpp"

#include <string>
#include <vector>

namespace brisance::sim {

/// A line for each material that can break: the stress at which a node fails in uniaxial tension, mean and range over
/// the material's nodes. A toughness τ in newton is τ/A_0, A_0 being the node's mean area
/// over directions (VALIDATION C0, 0.6); at a front with K_Ic it is 0.55 K_Ic/√h_0. Collective.
[[nodiscard]] std::vector<std::string> effective_strengths(const Simulation& simulation);

}  // namespace brisance::sim
