/// Tets turned inside out: det F ≤ 0. The papers' law says nothing about them, and a run with many of them is wrong; a
/// neo-Hookean one pushes them back. Crushed ones are not among them.
#pragma once

#include "brisance/sim/simulation.hpp"

#include <cstdint>

namespace brisance::sim {

struct InvertedTets {
  std::int64_t count = 0;   ///< over all ranks
  std::int64_t lowest = 0;  ///< lowest global id among them, where there are any
};

/// Those of the whole mesh at this moment. The same on all ranks. Collective.
[[nodiscard]] InvertedTets inverted_tets(const Simulation& simulation);

}  // namespace brisance::sim
