/// What tells one implicit integrator from another: which matrix stands before the unknown, and what follows from it.
#pragma once

namespace brisance::dynamics {

/// One step of length h in the unknown y, a change of the velocity at its end:
///
///   v ← v + y,   x ← x + position_per_velocity · y,   (M + force_share · h · (C + position_per_velocity · K)) y = r
///
/// Newmark's family has position_per_velocity = h β/γ and force_share = γ, Hilber, Hughes and Taylor's γ (1 + α).
struct StepEquation {
  double step_s = 0;                 ///< h
  double position_per_velocity = 0;  ///< [s]
  double force_share = 1;            ///< of the forces at the end of the step in their mean over it [–]

  [[nodiscard]] double damping_weight() const { return force_share * step_s; }                            ///< [s]
  [[nodiscard]] double stiffness_weight() const { return force_share * step_s * position_per_velocity; }  ///< [s²]
};

/// M (v − v₀) = h f(x, v), x = x₀ + h v: Newton's method from v₀ gives (M + h C + h² K) y = h f(x₀ + h v₀, v₀) [RSR],
/// with K (p − x) for the force where the paper prints K p (VALIDATION 0.12).
[[nodiscard]] constexpr StepEquation implicit_euler(double step_s) { return {step_s, step_s, 1}; }

}  // namespace brisance::dynamics
