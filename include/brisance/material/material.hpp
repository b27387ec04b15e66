/// Material of an object: constants with the symbols of the papers, which docs/MATERIALS.md defines. Functions are
/// local; only `check` throws.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/material/anisotropy.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace brisance::material {

/// How `toughness` is compared with the largest eigenvalue v⁺ [N] of a node's separation tensor (docs/MATERIALS.md,
/// VALIDATION C0). A_n: area of the node normal to the crack plane; A_0: its mean over directions in the uncut mesh.
enum class ToughnessMode : std::uint8_t {
  force,   ///< cracks if v⁺ > τ [N]: the paper's literal criterion; strength depends on the mesh
  stress,  ///< cracks if v⁺ / max(A_n, A_0) > σ_c [Pa]: strength independent of the mesh
};

/// Elastic law. stvk and neo_hookean agree to first order in the strain.
enum class ElasticLaw : std::uint8_t {
  stvk,         ///< St. Venant–Kirchhoff, the papers' law: softens below a stretch of 0.577 and then inverts
  neo_hookean,  ///< stable neo-Hookean (Smith, de Goes and Kim 2018): restoring force from any shape
  anisotropic,  ///< σ = C : ε with the 21 constants of Material::anisotropy
};

/// Elastic–viscous–plastic material, isotropic but for `anisotropy` and `strength_ratio`. λ and μ are the usual Lamé
/// constants, φ and ψ the corresponding viscosities. They are also the constants of the papers' equations with ε = FᵀF
/// − I, if force (24) has the factor vol/2 as printed (VALIDATION 0.1).
struct Material {
  std::string name = "unnamed";
  ElasticLaw elastic_law = ElasticLaw::stvk;
  double density = 0;      ///< ρ [kg/m³]
  double lame_lambda = 0;  ///< λ [Pa]; of an anisotropic material the mean over all directions
  double lame_mu = 0;      ///< μ [Pa]; likewise
  double damping_phi = 0;  ///< φ [Pa·s]
  double damping_psi = 0;  ///< ψ [Pa·s]
  ToughnessMode toughness_mode = ToughnessMode::stress;
  double toughness = 0;  ///< τ [N] in `force` mode, σ_c [Pa] in `stress` mode; 0 or infinite: unbreakable
  Vec3 strength_ratio = Vec3::Ones();  ///< toughness in tension along the material's axes 1 2 3, over `toughness` [–]
  double yield_strain = 0;   ///< γ1 [–], Frobenius norm of the deviatoric elastic strain, unhalved (FᵀF − I)
  double plastic_limit = 0;  ///< γ2 [–], bound on the norm of the plastic strain; 0 switches plasticity off
  /// ε^p before the first step (xx yy zz xy yz zx, axes of the rest shape, unhalved) [–]: initial plastic flow.
  SymMat3 initial_plastic_strain = SymMat3::Zero();

  Vec3 grain = Vec3::UnitX();        ///< direction of the material's axis 1 at rest, of any length
  Vec3 second_axis = Vec3::UnitY();  ///< axis 2 is the component of this across the grain
  Anisotropy anisotropy = {};        ///< constants of ElasticLaw::anisotropic; follow_constants completes them

  double crush_below = 0;                 ///< det F below which an element is crushed permanently [–]; 0: never
  double crushed_stiffness_share = 0.01;  ///< share of λ, μ, φ and ψ that a crushed element keeps [–]

  [[nodiscard]] bool is_plastic() const { return plastic_limit > 0; }
  [[nodiscard]] bool can_be_crushed() const { return crush_below > 0; }
};

[[nodiscard]] inline bool is_neo_hookean(const Material& m) { return m.elastic_law == ElasticLaw::neo_hookean; }

[[nodiscard]] inline bool is_anisotropic(const Material& m) { return m.elastic_law == ElasticLaw::anisotropic; }

/// Whether the strength differs along the material's axes.
[[nodiscard]] inline bool has_directional_strength(const Material& m) { return m.strength_ratio != Vec3::Ones(); }

/// Refers `anisotropy` to the axes `grain` and `second_axis`, and sets λ and μ to its means. If constants or axes are
/// not those of a material, λ and μ become 0, and `check` says why.
void follow_constants(Material& m);

[[nodiscard]] double youngs_modulus(const Material& m);       ///< E = μ(3λ+2μ)/(λ+μ) [Pa]
[[nodiscard]] double poissons_ratio(const Material& m);       ///< ν = λ/(2(λ+μ))
[[nodiscard]] double pressure_wave_speed(const Material& m);  ///< c_p = √((λ+2μ)/ρ); anisotropic: an upper bound [m/s]
[[nodiscard]] double shear_wave_speed(const Material& m);  ///< c_s = √(μ/ρ) [m/s]
/// c_R, the exact root of the Rayleigh equation (2−(c/c_s)²)² = 4 √(1−(c/c_p)²) √(1−(c/c_s)²) [m/s].
[[nodiscard]] double rayleigh_wave_speed(const Material& m);
/// τ_P = (φ+2ψ)/(λ+2μ): Kelvin–Voigt relaxation time of pressure waves [s] (VALIDATION A8).
[[nodiscard]] double damping_time(const Material& m);

/// γ1 = σ_y/(√1.5 μ) of a bar that yields at σ_y [Pa] when pulled (VALIDATION B2).
[[nodiscard]] double yield_strain(double yield_stress_pa, double lame_mu_pa);
[[nodiscard]] double yield_stress(const Material& m);  ///< σ_y, the inverse of yield_strain [Pa]
/// γ2 = √1.5 ((1 + a)² − 1): the bar has reached its limit of flow at a permanent elongation a [–].
[[nodiscard]] double plastic_limit(double elongation);
[[nodiscard]] double elongation_at_limit(const Material& m);  ///< a, the inverse of plastic_limit [–]

/// The material with stiffness and viscosity multiplied by `factor`; damping times and yield strains stay the same.
[[nodiscard]] Material stiffened(Material m, double factor);

/// Index of an element's material in the run's list of materials.
using Index = std::uint16_t;

/// Largest number of materials in that list, with crushed and graded forms, so that all constants fit into a core's
/// cache.
inline constexpr std::size_t kMostMaterials = 4096;

/// Throws core::Error naming the first constant that is out of range (density, stiffness, damping, plasticity).
void check(const Material& m);

}  // namespace brisance::material
