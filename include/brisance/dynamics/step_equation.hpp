/// The equation of an implicit step: the coefficients of its matrix and residual, by which implicit integrators differ.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <span>

namespace brisance::dynamics {

/// The part of the geometric (stress) stiffness against rotations in the matrix (elements::turn_stiffness).
enum class TurnStiffness : std::uint8_t {
  none,
  tension,  ///< of tensile stress: keeps the matrix positive definite
  whole,    ///< all of it: the derivative of the forces
};

/// One step of length h in the unknown y, a change of the velocity at its end:
///
///   v ← v + y,   x ← x + position_per_velocity · y,   (M + force_share · h · (C + position_per_velocity · K)) y = r
///
/// from v₀, x₀ + h v₀ + start_shift · (a₀ + b₀), until r vanishes:
///
///   r = h (force_share f + old_force_share f₀ + acceleration_share M a₀) + h g − M (v − v₀)
///
/// f, f₀: forces of elasticity, damping and weight at both ends of the step; a₀: the acceleration handed on by the last
/// step, b₀: that of g in the last step. g: contact, which opens and closes, and loads; both act over the step with
/// their value at its end. A body at rest has a₀ + b₀ = 0; shifted by a₀ alone it would have to move at −start_shift
/// a₀/h to stay in place.
struct StepEquation {
  double step_s = 0;                 ///< h
  double position_per_velocity = 0;  ///< [s]
  double force_share = 1;            ///< weight of the forces at the end of the step in their mean over it [–]
  double old_force_share = 0;        ///< weight of those at its start [–]
  double acceleration_share = 0;     ///< weight of M a₀ [–]
  double start_shift = 0;            ///< [s²]
  double inertia = 1;                ///< 0: equilibrium without mass and damping [–]
  TurnStiffness turns = TurnStiffness::none;
  /// Start of Newton's last iteration, by node slot, ghosts included; empty: there is none. The stress for `turns` is
  /// then the one predicted by that iteration: that of the strain seen with the rotations there. The stress after the
  /// iteration has a second-order term of the displacement times λ, which makes matrices of slender and of nearly
  /// incompressible bodies indefinite (Magisano, Leonetti and Garcea 2017, mixed integration points).
  std::span<const dist::NodeMotion> turned_at{};

  [[nodiscard]] double damping_weight() const { return force_share * step_s; }                            ///< [s]
  [[nodiscard]] double stiffness_weight() const { return force_share * step_s * position_per_velocity; }  ///< [s²]
  [[nodiscard]] double contact_weight() const { return step_s; }                                          ///< [s]
  /// Does the step need the forces and accelerations at its start?
  [[nodiscard]] bool needs_start_forces() const { return acceleration_share != 0; }
  /// Weights of the forces at the end of the step, and at its start, in the acceleration for the next step [–].
  [[nodiscard]] double end_share_after() const { return force_share / (1 - acceleration_share); }
  [[nodiscard]] double start_share_after() const { return old_force_share / (1 - acceleration_share); }
};

/// M (v − v₀) = h f(x, v), x = x₀ + h v: Newton's method from v₀ gives (M + h C + h² K) y = h f(x₀ + h v₀, v₀) [RSR],
/// with K (p − x) for the force where the paper prints K p (VALIDATION 0.12).
[[nodiscard]] constexpr StepEquation implicit_euler(double step_s) {
  return {.step_s = step_s, .position_per_velocity = step_s};
}

/// Hilber, Hughes and Taylor 1977:  M a = (1 + α) f − α f₀,
///
///   x = x₀ + h v₀ + h² ((½ − β) a₀ + β a),   v = v₀ + h ((1 − γ) a₀ + γ a),   β = (1 − α)²/4,  γ = ½ − α.
///
/// Of second order, stable for any step with α in [−1/3, 0]. α = 0 is Newmark's trapezoidal rule, which keeps the
/// energy of a linear vibration; smaller values damp vibrations faster than 1/h.
[[nodiscard]] constexpr StepEquation hilber_hughes_taylor(double step_s, double alpha) {
  const double beta = 0.25 * (1 - alpha) * (1 - alpha), gamma = 0.5 - alpha;
  return {.step_s = step_s,
          .position_per_velocity = step_s * beta / gamma,
          .force_share = gamma * (1 + alpha),
          .old_force_share = -gamma * alpha,
          .acceleration_share = 1 - gamma,
          .start_shift = step_s * step_s * (0.5 - beta / gamma)};
}

/// K y = f, with the displacement y [m]: the unit of time has no meaning.
[[nodiscard]] constexpr StepEquation balance_of_forces(TurnStiffness turns,
                                                       std::span<const dist::NodeMotion> turned_at = {}) {
  return {.step_s = 1, .position_per_velocity = 1, .inertia = 0, .turns = turns, .turned_at = turned_at};
}

}  // namespace brisance::dynamics
