/// Inverted tets: det F ≤ 0. The papers' law is not defined there, and a run with many of them is wrong; a neo-Hookean
/// law restores them. Crushed tets do not count.
#pragma once

#include "brisance/sim/simulation.hpp"

#include <cstdint>

namespace brisance::sim {

struct InvertedTets {
  std::int64_t count = 0;   ///< over all ranks
  std::int64_t lowest = 0;  ///< lowest global id among them, if there are any
};

/// Inverted tets of the whole mesh now. The same on all ranks. Collective.
[[nodiscard]] InvertedTets inverted_tets(const Simulation& simulation);

}  // namespace brisance::sim
