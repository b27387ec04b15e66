/// How the mass of a run is divided among its pieces.
#pragma once

#include "brisance/dist/pieces.hpp"
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

/// Mass of all pieces and dust [kg], and the shares of dust and of the largest piece in it.
struct PieceShares {
  double all_kg = 0, dust = 0, largest = 0;
};

/// @param particles_kg  mass of dust that has left the mesh. Local.
[[nodiscard]] PieceShares piece_shares(const dist::Pieces& pieces, double particles_kg);

/// Mass of all particles [kg]. Collective.
[[nodiscard]] double dust_mass(const Simulation& simulation);

}  // namespace brisance::sim
