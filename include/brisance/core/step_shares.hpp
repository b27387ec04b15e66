/// Sub-cycling (dynamics/step_classes.hpp): a node's own time step as a share of the run's coarse step.
#pragma once

#include <cstdint>
#include <functional>

namespace brisance::core {

/// A node's time steps for the forces that act on it alone, each a share of the run's step: this step's, the last
/// one's, and that of the first kick of this one, which is the mean of both where the length may change
/// (ExplicitStepper::kick_across_changes of sim).
struct StepShares {
  double now = 1, before = 1, kick = 1;
  [[nodiscard]] bool are_short() const { return now < 1; }
};

/// Shares of an owned node, by its slot. Empty: every node takes the run's step.
using StepSharesOf = std::function<StepShares(std::int32_t slot)>;

}  // namespace brisance::core
