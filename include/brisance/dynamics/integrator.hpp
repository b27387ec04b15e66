/// An explicit time integrator, chosen when a run starts. Each has its own stability limit and scratch memory.
#pragma once

#include "brisance/dynamics/explicit_step.hpp"
#include "brisance/dynamics/parameters.hpp"

#include <functional>
#include <memory>
#include <span>

namespace brisance::dynamics {

/// Computes all forces but gravity [N] at the state `predicted` at the end of the step; first sets constrained nodes
/// and ghosts of `predicted`. Changes nothing else. Collective.
using LookAhead = std::function<void(std::span<dist::NodeMotion> predicted, std::span<dist::NodeForce> forces)>;

class TimeIntegrator {
public:
  virtual ~TimeIntegrator() = default;

  /// The longest step that is stable for the elements, whose own limit is given, together with contact springs of this
  /// frequency [1/s]. Local.
  [[nodiscard]] virtual double stable_step(double element_step_s, double contact_frequency) const = 0;

  /// Moves owned nodes over the step. Collective if it calls look_ahead.
  virtual void step(const NodeSpans& nodes, const Vec3& gravity, double dt_s, const LookAhead& look_ahead) = 0;
};

/// Null for implicit steps, which solve a StepEquation (step_equation.hpp) instead.
[[nodiscard]] std::unique_ptr<TimeIntegrator> make_integrator(Integrator kind);

}  // namespace brisance::dynamics
