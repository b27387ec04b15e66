/// Cracks in a step: the criterion, its rounds, and what is brought up to date when the mesh was cut.
#pragma once

#include "step_limits.hpp"

namespace brisance::sim {

class TimeStepper;

class CrackPhase : ModelView {
public:
  CrackPhase(Model& model, StepLimits& limits) : ModelView(model), limits_(limits) {}

  /// @param stepper  told of cuts; outlives all calls
  void set_stepper(TimeStepper& stepper) { stepper_ = &stepper; }
  [[nodiscard]] fracture::Services services();
  /// Evaluates the criterion where that is due, and cuts what fails. Collective.
  void crack();
  /// The same at once, by another clock than the run's. Collective.
  void crack_at(double clock_s);
  /// Elements pressed to a small share of their volume lose their stiffness. Local: every rank that holds an element
  /// comes to the same.
  void crush();

private:
  /// Accounts and caches after a round. Local.
  void take_in_cuts();
  /// Step bound, strains and forces after all rounds of a step. Collective.
  void renew_touched();
  /// Throws core::Error on all ranks if what was renewed near cuts is not what the whole mesh gives. Collective.
  void require_as_computed_anew() const;
  [[nodiscard]] std::vector<std::int32_t> newly_crushed() const;

  StepLimits& limits_;
  TimeStepper* stepper_ = nullptr;
};

}  // namespace brisance::sim
