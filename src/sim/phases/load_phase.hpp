/// Loads in a step: forces on faces, impulses between two steps, and the work and momentum of both.
#pragma once

#include "prescribed_motion.hpp"
#include "step_limits.hpp"

namespace brisance::sim {

class LoadPhase : ModelView {
public:
  LoadPhase(Model& model, const PrescribedMotion& motion, const StepLimits& limits)
      : ModelView(model), motion_(motion), limits_(limits) {}

  void add_forces(double dt_s);
  /// Books work and momentum of the step's kick. Local.
  void book(double dt_s);
  /// The same for one node in a sub-step. Local.
  void book(LoadedNode& node, const Vec3& velocity, double step_s);
  void add_impulse(LocalNode n, const Vec3& momentum, double work);
  /// Applies the impulses with after_s < start_s ≤ until_s, and updates the velocities of ghosts. Collective.
  void give_impulses(double after_s, double until_s);

private:
  const PrescribedMotion& motion_;
  const StepLimits& limits_;
};

}  // namespace brisance::sim
