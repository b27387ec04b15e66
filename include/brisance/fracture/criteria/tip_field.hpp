/// The stress around a crack tip, fitted to that of the tets around it, and the direction of crack growth.
#pragma once

#include <span>
#include <utility>

namespace brisance::fracture {

/// Cauchy stress at one place around a tip, in the plane perpendicular to the front: x ahead of the crack, y across it.
struct TipSample {
  double x, y;        ///< from the tip [m]
  double xx, yy, xy;  ///< stress [Pa]
  double weight;      ///< volume that it represents [m³]
};

/// Two terms of the field at a crack's tip (Williams 1957):
///
///   σ_xx = (K_I cos(θ/2) (1 − sin(θ/2) sin(3θ/2)) − K_II sin(θ/2) (2 + cos(θ/2) cos(3θ/2))) / √(2πr) + T
///   σ_yy = (K_I cos(θ/2) (1 + sin(θ/2) sin(3θ/2)) + K_II sin(θ/2) cos(θ/2) cos(3θ/2)) / √(2πr)
///   σ_xy = (K_I sin(θ/2) cos(θ/2) cos(3θ/2) + K_II cos(θ/2) (1 − sin(θ/2) sin(3θ/2))) / √(2πr)
struct TipField {
  double opening = 0;  ///< K_I [Pa √m]
  double sliding = 0;  ///< K_II [Pa √m]
  double along = 0;    ///< T [Pa]
};

/// Least squares: minimises Σ weight ((Δσ_xx)² + (Δσ_yy)² + 2 (Δσ_xy)²). A part that the samples do not determine is 0.
/// The order of samples affects the bits; the only function of the mathematical library is the square root. Local; does
/// not throw.
[[nodiscard]] TipField fit_tip_field(std::span<const TipSample> samples);

/// cos and sin of the angle, from straight ahead, at which the hoop stress of the singular part is largest (Erdogan and
/// Sih 1963):  tan(θ/2) = −2 K_II / (K_I + √(K_I² + 8 K_II²)),  that is 0 for K_II = 0 and ∓70.53° for K_I = 0. Crack
/// faces under compression (K_I < 0) count as closed: K_I = 0. Local; does not throw.
[[nodiscard]] std::pair<double, double> hoop_direction(const TipField& field);

}  // namespace brisance::fracture
