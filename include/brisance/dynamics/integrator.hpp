/// An explicit way of going from one moment to the next, chosen when a run starts. Each has its own step rule and its
/// own scratch.
#pragma once

#include "brisance/dynamics/explicit_step.hpp"
#include "brisance/dynamics/parameters.hpp"

#include <functional>
#include <memory>
#include <span>

namespace brisance::dynamics {

/// All forces but gravity [N] that would act if the nodes were where and as fast as `predicted` says, at the end of the
/// step; constrained nodes and ghosts of `predicted` are put right first. Changes nothing else. Collective.
using LookAhead = std::function<void(std::span<dist::NodeMotion> predicted, std::span<dist::NodeForce> forces)>;

class TimeIntegrator {
public:
  virtual ~TimeIntegrator() = default;

  /// The longest step that keeps both the elements stable, whose own limit is given, and contact springs of this
  /// frequency [1/s]. Local.
  [[nodiscard]] virtual double stable_step(double element_step_s, double contact_frequency) const = 0;

  /// Moves owned nodes over the step. Collective where it looks ahead.
  virtual void step(const NodeSpans& nodes, const Vec3& gravity, double dt_s, const LookAhead& look_ahead) = 0;
};

/// Null for implicit steps, which solve a StepEquation (step_equation.hpp) instead of moving nodes one at a time.
[[nodiscard]] std::unique_ptr<TimeIntegrator> make_integrator(Integrator kind);

}  // namespace brisance::dynamics
