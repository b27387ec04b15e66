/// sub-cycling (dynamics/step_classes.hpp): the step of one node in a run that takes longer ones.
#pragma once

#include <cstdint>
#include <functional>

namespace brisance::core {

/// Lengths of the steps in which a node takes what acts on it alone, each a share of the run's step: this one's, the
/// last one's, and that of the first kick of this one, which is the mean of both as far as that goes (sim's
/// Simulation::kick_across_changes).
struct StepShares {
  double now = 1, before = 1, kick = 1;
  [[nodiscard]] bool are_short() const { return now < 1; }
};

/// Of an owned node, by its slot. Empty: every node takes the run's step.
using StepSharesOf = std::function<StepShares(std::int32_t slot)>;

}  // namespace brisance::core
