/// Cracks in a step: the criterion, the rounds of cuts, and the updates after them.
#pragma once

#include "step_limits.hpp"

namespace brisance::sim {

class TimeStepper;

class CrackPhase : ModelView {
public:
  CrackPhase(Model& model, StepLimits& limits) : ModelView(model), limits_(limits) {}

  /// @param stepper  is notified of cuts; outlives all calls
  void set_stepper(TimeStepper& stepper) { stepper_ = &stepper; }
  [[nodiscard]] fracture::Services services();
  /// Evaluates the criterion if it is due, and cuts at failing nodes. Collective.
  void crack();
  /// Evaluates the criterion now, with `clock_s` as the time for the speed limit of cracks. Collective.
  void crack_at(double clock_s);
  /// Elements compressed to a small share of their volume lose their stiffness. Local: all ranks that hold an element
  /// find the same.
  void crush();

private:
  /// Updates accounts and caches after a round. Local.
  void take_in_cuts();
  /// Updates step bound, strains and forces after all rounds of a step. Collective.
  void renew_touched();
  /// Throws core::Error on all ranks if the updates near cuts differ from a computation of the whole mesh. Collective.
  void require_as_computed_anew() const;
  [[nodiscard]] std::vector<std::int32_t> newly_crushed() const;

  StepLimits& limits_;
  TimeStepper* stepper_ = nullptr;
};

}  // namespace brisance::sim
