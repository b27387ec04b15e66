#include "brisance/material/presets.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brisance::material {
namespace {

/// One row of [OH99] table 1; its τ is a force (VALIDATION 0.5).
struct PaperRow {
  std::string_view name;
  double lambda, mu, phi, psi, density, toughness;
};
constexpr std::array<PaperRow, 9> kPaperRows{{
    {"paper_glass", 1.04e8, 1.04e8, 0, 6760, 2588, 10140},
    {"paper_wall_1", 6.03e8, 1.21e8, 3015, 6030, 2309, 6030},
    {"paper_wall_2", 0, 1.81e8, 0, 18090, 2309, 6030},
    {"paper_bowl_1", 2.65e6, 3.97e6, 264, 397, 1013, 52.9},
    {"paper_bowl_2", 2.65e6, 3.97e6, 264, 397, 1013, 39.6},
    {"paper_bowl_3", 2.65e6, 3.97e6, 264, 397, 1013, 33.1},
    {"paper_bowl_4", 2.65e6, 3.97e6, 264, 397, 1013, 13.2},
    {"paper_comparison_bowl", 0, 5.29e7, 0, 198, 1013, 106},
    {"paper_the_end", 0, 9.21e6, 0, 9.2, 705, 73.6},
}};

/// Real materials, at room temperature: E [Pa], ν, ρ [kg/m³], τ [s], strength [Pa], yield stress [Pa], γ2.
struct RealRow {
  std::string_view name;
  double youngs_modulus, poissons_ratio, density, damping_time, strength, yield_stress, plastic_limit;
};
constexpr std::array<RealRow, 5> kRealRows{{
    {"glass", 70e9, 0.22, 2500, 5e-8, 45e6, 0, 0},
    {"adobe", 0.2e9, 0.25, 1700, 5e-6, 0.2e6, 0, 0},
    {"ceramic", 30e9, 0.20, 2200, 1e-7, 30e6, 0, 0},
    {"clay", 5e6, 0.40, 1800, 2e-5, 60e3, 20e3, 0.4},
    {"steel_soft", 210e9, 0.29, 7850, 5e-8, 400e6, 250e6, 0.45},
}};

/// Woods, dry (12 % of water), clear and straight: E_L [Pa]; E_R, E_T, G_LR, G_LT, G_RT as shares of it; ν_LR, ν_LT,
/// ν_RT; ρ [kg/m³], τ [s], strength across the grain [Pa], and the strength along the grain as a multiple of it.
struct WoodRow {
  std::string_view name;
  double along, radial, tangential, shear_lr, shear_lt, shear_rt, nu_lr, nu_lt, nu_rt;
  double density, damping_time, strength, strength_along;
};
constexpr std::array<WoodRow, 1> kWoodRows{{
    {"wood", 14.7e9, 0.068, 0.050, 0.064, 0.078, 0.007, 0.292, 0.449, 0.390, 538, 2e-7, 2.3e6, 37},
}};

Material from_row(const WoodRow& row) {
  Material m;
  m.name = row.name;
  m.elastic_law = ElasticLaw::anisotropic;
  m.density = row.density;
  m.anisotropy.orthotropic = {row.along * Vec3(1, row.radial, row.tangential), Vec3(row.nu_lr, row.nu_lt, row.nu_rt),
                              row.along * Vec3(row.shear_lr, row.shear_lt, row.shear_rt)};
  follow_constants(m);
  m.damping_phi = m.lame_lambda * row.damping_time;
  m.damping_psi = m.lame_mu * row.damping_time;
  m.toughness_mode = ToughnessMode::stress;
  m.toughness = row.strength;
  m.strength_ratio = Vec3(row.strength_along, 1, 1);
  check(m);
  return m;
}

Material from_row(const PaperRow& row) {
  Material m;
  m.name = row.name;
  m.density = row.density;
  m.lame_lambda = row.lambda;
  m.lame_mu = row.mu;
  m.damping_phi = row.phi;
  m.damping_psi = row.psi;
  m.toughness_mode = ToughnessMode::force;
  m.toughness = row.toughness;
  return m;
}

Material from_row(const RealRow& row) {
  return from_engineering({std::string(row.name), row.youngs_modulus, row.poissons_ratio, row.density, row.damping_time,
                           row.strength, row.yield_stress, row.plastic_limit});
}

template <class Rows>
std::optional<Material> find(const Rows& rows, std::string_view name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == name; });
  return row == rows.end() ? std::nullopt : std::optional(from_row(*row));
}

}  // namespace

Material from_engineering(const EngineeringConstants& c) {
  const std::string who = "material \"" + c.name + "\": ";
  if (!(std::isfinite(c.youngs_modulus_pa) && c.youngs_modulus_pa > 0))
    throw core::Error(who + "youngs_modulus_pa = " + std::to_string(c.youngs_modulus_pa) +
                      " must be positive (glass is near 7e10).");
  if (!(c.poissons_ratio >= 0 && c.poissons_ratio < 0.5))
    throw core::Error(who + "poissons_ratio = " + std::to_string(c.poissons_ratio) +
                      " must be at least 0 and below 0.5 (glass is near 0.22, rubber near 0.49).");
  const double e = c.youngs_modulus_pa, nu = c.poissons_ratio;
  Material m;
  m.name = c.name;
  m.density = c.density_kg_m3;
  m.lame_lambda = e * nu / ((1 + nu) * (1 - 2 * nu));
  m.lame_mu = e / (2 * (1 + nu));
  m.damping_phi = m.lame_lambda * c.damping_time_s;
  m.damping_psi = m.lame_mu * c.damping_time_s;
  m.toughness_mode = ToughnessMode::stress;
  m.toughness = c.strength_pa;
  m.plastic_limit = c.plastic_limit;
  m.yield_strain = c.plastic_limit > 0 ? yield_strain(c.yield_stress_pa, m.lame_mu) : 0;
  check(m);
  return m;
}

std::optional<Material> preset(std::string_view name) {
  if (std::optional<Material> real = find(kRealRows, name)) return real;
  if (std::optional<Material> wood = find(kWoodRows, name)) return wood;
  return find(kPaperRows, name);
}

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  names.reserve(kRealRows.size() + kWoodRows.size() + kPaperRows.size());
  for (const RealRow& row : kRealRows) names.push_back(row.name);
  for (const WoodRow& row : kWoodRows) names.push_back(row.name);
  for (const PaperRow& row : kPaperRows) names.push_back(row.name);
  return names;
}

}  // namespace brisance::material
