/// Ways of taking a step: explicit, implicit and static ones are peers.
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

  /// One step, no longer than to `until_s`, which is met exactly. Collective; throws core::Error.
  virtual void step(double until_s) = 0;
  /// The mesh was cut. Collective.
  virtual void take_in_cuts() {}
  /// Nodes have changed owners: nothing that is kept by slot holds. Collective.
  virtual void forget() {}
  /// Is there nothing more to come, before the scene's duration?
  [[nodiscard]] virtual bool has_ended() const { return false; }
  /// Of implicit steps; empty in an explicit run.
  [[nodiscard]] virtual const ImplicitEquations& equations() const;
};

/// As the scene's time.integrator has it.
[[nodiscard]] std::unique_ptr<TimeStepper> make_stepper(Model& model, Phases& phases);

}  // namespace brisance::sim
