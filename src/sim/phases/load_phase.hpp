/// Loads in a step: forces of faces beside those of contact, impulses between two steps, and what both have done.
#pragma once

#include "prescribed_motion.hpp"
#include "step_limits.hpp"

namespace brisance::sim {

class LoadPhase : ModelView {
public:
  LoadPhase(Model& model, const PrescribedMotion& motion, const StepLimits& limits)
      : ModelView(model), motion_(motion), limits_(limits) {}

  void add_forces(double dt_s);
  /// Work and momentum of the step's kick. Local.
  void book(double dt_s);
  /// The same of one node in a sub-step. Local.
  void book(LoadedNode& node, const Vec3& velocity, double step_s);
  void add_impulse(LocalNode n, const Vec3& momentum, double work);
  /// Impulses whose moment is later than the one and not later than the other; the velocities of all nodes follow.
  /// Collective.
  void give_impulses(double after_s, double until_s);

private:
  const PrescribedMotion& motion_;
  const StepLimits& limits_;
};

}  // namespace brisance::sim
