/// What tells one implicit integrator from another: which matrix stands before the unknown, and what follows from it.
#pragma once

#include "brisance/dist/mesh.hpp"

#include <cstdint>
#include <span>

namespace brisance::dynamics {

/// Which share of what stresses do against turns stands in a matrix (elements::turn_stiffness).
enum class TurnStiffness : std::uint8_t {
  none,
  tension,  ///< what holds: with it no matrix is indefinite
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
/// f, f₀: what elasticity, damping and weight do at both ends of the step; a₀: the acceleration that the last step has
/// handed on, b₀: that of g in the last step. g: contact, which opens and closes, and loads; they act over the step
/// with the whole of what they are at its end. What rests has a₀ + b₀ = 0; shifted by a₀ alone it would have to move at
/// −start_shift a₀/h to stay where it is.
struct StepEquation {
  double step_s = 0;                 ///< h
  double position_per_velocity = 0;  ///< [s]
  double force_share = 1;            ///< of the forces at the end of the step in their mean over it [–]
  double old_force_share = 0;        ///< of those at its start [–]
  double acceleration_share = 0;     ///< of M a₀ [–]
  double start_shift = 0;            ///< [s²]
  double inertia = 1;                ///< 0: forces balance, without mass and damping [–]
  TurnStiffness turns = TurnStiffness::none;
  /// Where Newton's last iteration began, by node slot, ghosts included; empty: nowhere. The stress of `turns` is then
  /// the one that iteration foresaw, that of the strain which rotations there would see now. The stress found after it
  /// has the second order of the way times λ, which makes matrices of slender and of nearly incompressible bodies
  /// indefinite (Magisano, Leonetti and Garcea 2017, mixed integration points).
  std::span<const dist::NodeMotion> turned_at{};

  [[nodiscard]] double damping_weight() const { return force_share * step_s; }                            ///< [s]
  [[nodiscard]] double stiffness_weight() const { return force_share * step_s * position_per_velocity; }  ///< [s²]
  [[nodiscard]] double contact_weight() const { return step_s; }                                          ///< [s]
  /// Does a step need the forces and accelerations at its start?
  [[nodiscard]] bool needs_start_forces() const { return acceleration_share != 0; }
  /// Of forces at the end of the step, and at its start, in the acceleration that it hands to the next one [–].
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
/// Of second order, stable at any step for α in [−1/3, 0]. α = 0 is Newmark's trapezoidal rule, which keeps the energy
/// of a linear vibration; smaller ones take energy from what vibrates faster than 1/h.
[[nodiscard]] constexpr StepEquation hilber_hughes_taylor(double step_s, double alpha) {
  const double beta = 0.25 * (1 - alpha) * (1 - alpha), gamma = 0.5 - alpha;
  return {.step_s = step_s,
          .position_per_velocity = step_s * beta / gamma,
          .force_share = gamma * (1 + alpha),
          .old_force_share = -gamma * alpha,
          .acceleration_share = 1 - gamma,
          .start_shift = step_s * step_s * (0.5 - beta / gamma)};
}

/// K y = f, y being the way [m]: the unit of time has no meaning.
[[nodiscard]] constexpr StepEquation balance_of_forces(TurnStiffness turns,
                                                       std::span<const dist::NodeMotion> turned_at = {}) {
  return {.step_s = 1, .position_per_velocity = 1, .inertia = 0, .turns = turns, .turned_at = turned_at};
}

}  // namespace brisance::dynamics
