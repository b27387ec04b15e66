/// Explicit steps: forces at the present positions, then kicks and drift, with sub-cycling of small elements.
#pragma once

#include "brisance/dynamics/integrator.hpp"

#include "sim/phases/phases.hpp"
#include "sim/phases/time_stepper.hpp"

namespace brisance::sim {

class ExplicitStepper final : public TimeStepper, ModelView {
public:
  ExplicitStepper(Model& model, Phases& phases);

  void step(double until_s) override;

private:
  // the phases of a step, in order
  [[nodiscard]] double choose_step(double until_s);
  void add_cohesive_forces(double dt_s);
  void integrate(double dt_s);
  void finish_step(double dt_s, double end_s);

  // sub-cycling: subcycled_step.cpp
  class ShortForces;
  void gather_subcycled();
  /// Before the first kick: weights forces as Subcycling::begin does. Collective.
  void begin_subcycling(double dt_s);
  void note_changed_classes();
  void kick_across_changes();
  void finish_coarse_step();
  void run_subcycles();

  Phases& phases_;
  std::unique_ptr<dynamics::TimeIntegrator> integrator_;
};

}  // namespace brisance::sim
