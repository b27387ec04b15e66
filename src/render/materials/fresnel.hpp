/// Fresnel's reflectances of unpolarised light at a smooth interface.
#pragma once

#include <algorithm>
#include <cmath>

namespace brisance::render {

/// cos θ_t of the refracted ray by Snell's law; negative: total reflection.
/// @param cosine          cos θ_i of the incident ray, 0 … 1
/// @param relative_index  index beyond the interface, divided by that before it
[[nodiscard]] inline float refracted_cosine(float cosine, float relative_index) {
  const float squared = 1 - (1 - cosine * cosine) / (relative_index * relative_index);
  return squared < 0 ? -1 : std::sqrt(squared);
}

/// Reflectance of an interface between dielectrics, ½(r_p² + r_s²); 1 beyond the critical angle.
[[nodiscard]] inline float fresnel_dielectric(float cosine, float relative_index) {
  const float beyond = refracted_cosine(cosine, relative_index);
  if (beyond < 0) return 1;
  const float parallel = (relative_index * cosine - beyond) / (relative_index * cosine + beyond);
  const float perpendicular = (cosine - relative_index * beyond) / (cosine + relative_index * beyond);
  const float reflectance = 0.5F * (parallel * parallel + perpendicular * perpendicular);
  return std::isfinite(reflectance) ? reflectance : 1;  // 0/0 for a grazing ray between equal media
}

/// Reflectance of a conductor of complex index η + iκ in vacuum.
///
///   r_s² = (a² + b² − 2a cos θ + cos²θ) / (a² + b² + 2a cos θ + cos²θ)
///   r_p² = r_s² (cos²θ (a² + b²) − 2a cos θ sin²θ + sin⁴θ) / (cos²θ (a² + b²) + 2a cos θ sin²θ + sin⁴θ)
///   a² + b² = √((η² − κ² − sin²θ)² + 4η²κ²),  2a² = a² + b² + η² − κ² − sin²θ        (Born and Wolf, ch. 14)
[[nodiscard]] inline float fresnel_conductor(float cosine, float eta, float kappa) {
  const float cos2 = cosine * cosine, sin2 = 1 - cos2;
  const float t = eta * eta - kappa * kappa - sin2;
  const float sum = std::sqrt(t * t + 4 * eta * eta * kappa * kappa);
  const float a = std::sqrt(std::max(0.0F, 0.5F * (sum + t)));
  const float perpendicular = (sum + cos2 - 2 * a * cosine) / (sum + cos2 + 2 * a * cosine);
  const float first = cos2 * sum + sin2 * sin2, second = 2 * a * cosine * sin2;
  return 0.5F * perpendicular * (1 + (first - second) / (first + second));
}

}  // namespace brisance::render
