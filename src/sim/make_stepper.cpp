#include "brisance/sim/implicit/implicit_equations.hpp"
#include "brisance/sim/phases/model.hpp"

#include "sim/explicit/explicit_stepper.hpp"
#include "sim/implicit/implicit_dynamics.hpp"
#include "sim/implicit/static_stepper.hpp"
#include "sim/phases/time_stepper.hpp"

namespace brisance::sim {

const ImplicitEquations& TimeStepper::equations() const {
  static const ImplicitEquations none;
  return none;
}

std::unique_ptr<TimeStepper> make_stepper(Model& model, Phases& phases) {
  const dynamics::Integrator integrator = model.scene.time.integrator;
  if (integrator == dynamics::Integrator::statics) return std::make_unique<StaticStepper>(model, phases);
  if (dynamics::is_implicit(integrator)) return std::make_unique<ImplicitDynamics>(model, phases);
  return std::make_unique<ExplicitStepper>(model, phases);
}

}  // namespace brisance::sim
