/// Preset materials, and materials from engineering constants. docs/MATERIALS.md gives their sources.
#pragma once

#include "brisance/material/material.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brisance::material {

/// A material as a data sheet gives it.
struct EngineeringConstants {
  std::string name = "unnamed";
  double youngs_modulus_pa = 0;
  double poissons_ratio = 0;
  double density_kg_m3 = 0;
  double damping_time_s = 0;   ///< τ: φ = λτ, ψ = μτ; a mode of angular frequency ω then decays at ω²τ/2
  double strength_pa = 0;      ///< tensile strength σ_c, `stress` mode; 0: unbreakable
  double yield_stress_pa = 0;  ///< uniaxial yield stress; unused where plastic_limit is 0
  double plastic_limit = 0;    ///< γ2, norm of the plastic strain (unhalved); 0: brittle
};

/// λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)), γ1 = σ_y/(√1.5 μ) (uniaxial plateau, VALIDATION B2).
/// Throws core::Error where E ≤ 0, ν is outside [0, 0.5), or the result fails `check`.
[[nodiscard]] Material from_engineering(const EngineeringConstants& c);

/// The preset of that name; nothing if there is none.
[[nodiscard]] std::optional<Material> preset(std::string_view name);

/// All names, in the order of docs/MATERIALS.md.
[[nodiscard]] std::vector<std::string_view> preset_names();

}  // namespace brisance::material
