/// Interface of the explicit, implicit and static steppers.
#pragma once

#include <memory>

namespace brisance::sim {

class ImplicitEquations;
struct Model;
struct Phases;

class TimeStepper {
public:
  TimeStepper() = default;
  TimeStepper(const TimeStepper&) = delete;
  TimeStepper& operator=(const TimeStepper&) = delete;
  virtual ~TimeStepper() = default;

  /// Takes one step that ends at `until_s` at the latest; a step up to there ends at exactly that time. Collective;
  /// throws core::Error.
  virtual void step(double until_s) = 0;
  /// Called after the mesh was cut. Collective.
  virtual void take_in_cuts() {}
  /// Called after nodes have changed owners: data by slot is invalid. Collective.
  virtual void forget() {}
  /// Has the run ended before the scene's duration?
  [[nodiscard]] virtual bool has_ended() const { return false; }
  /// The solver of implicit steps; unused in an explicit run.
  [[nodiscard]] virtual const ImplicitEquations& equations() const;
};

/// The stepper for the scene's time.integrator.
[[nodiscard]] std::unique_ptr<TimeStepper> make_stepper(Model& model, Phases& phases);

}  // namespace brisance::sim
