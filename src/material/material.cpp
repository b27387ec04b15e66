#include "brisance/material/material.hpp"

#include "brisance/core/error.hpp"

#include <cmath>
#include <cstdio>
#include <string>

namespace brisance::material {

double youngs_modulus(const Material& m) {
  return m.lame_mu * (3 * m.lame_lambda + 2 * m.lame_mu) / (m.lame_lambda + m.lame_mu);
}

double poissons_ratio(const Material& m) { return m.lame_lambda / (2 * (m.lame_lambda + m.lame_mu)); }

double pressure_wave_speed(const Material& m) {
  if (is_anisotropic(m)) return std::sqrt((m.anisotropy.bound_lambda + m.anisotropy.bound_two_mu) / m.density);
  return std::sqrt((m.lame_lambda + 2 * m.lame_mu) / m.density);
}

double shear_wave_speed(const Material& m) { return std::sqrt(m.lame_mu / m.density); }

double rayleigh_wave_speed(const Material& m) {
  // x = (c/c_s)²; the Rayleigh function is positive just above 0 and negative at 1 after the trivial root is divided
  // out.
  const double ratio = m.lame_mu / (m.lame_lambda + 2 * m.lame_mu);
  auto rayleigh = [&](double x) { return (2 - x) * (2 - x) - 4 * std::sqrt(1 - ratio * x) * std::sqrt(1 - x); };
  double low = 0.25, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (rayleigh(middle) < 0 ? low : high) = middle;
  }
  return std::sqrt(0.5 * (low + high)) * shear_wave_speed(m);
}

double damping_time(const Material& m) { return (m.damping_phi + 2 * m.damping_psi) / (m.lame_lambda + 2 * m.lame_mu); }

double yield_strain(double yield_stress_pa, double lame_mu_pa) {
  return yield_stress_pa / (std::sqrt(1.5) * lame_mu_pa);
}

double yield_stress(const Material& m) { return std::sqrt(1.5) * m.lame_mu * m.yield_strain; }

// Along the bar ε^p = (1 + a)² − 1; across it half of that with the opposite sign, so that the volume is kept.
double plastic_limit(double elongation) { return std::sqrt(1.5) * (2 + elongation) * elongation; }

double elongation_at_limit(const Material& m) { return std::sqrt(1 + m.plastic_limit / std::sqrt(1.5)) - 1; }

Material stiffened(Material m, double factor) {
  Anisotropy& a = m.anisotropy;
  for (double* constant : {&m.lame_lambda, &m.lame_mu, &m.damping_phi, &m.damping_psi, &a.mean_lambda, &a.mean_mu,
                           &a.bound_lambda, &a.bound_two_mu})
    *constant *= factor;
  for (double& constant : a.stiffness) constant *= factor;
  return m;
}

void follow_constants(Material& m) {
  m.anisotropy = turned_to(m.anisotropy, axes_of(m.grain, m.second_axis));
  m.lame_lambda = m.anisotropy.mean_lambda;
  m.lame_mu = m.anisotropy.mean_mu;
}

namespace {

void require(bool holds, const Material& m, const std::string& text) {
  if (!holds) throw core::Error("material \"" + m.name + "\": " + text);
}

/// A number with the digits worth printing.
std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

void check_plasticity(const Material& m) {
  require(m.yield_strain >= 0 && m.plastic_limit >= 0, m, "yield_strain and plastic_limit must not be negative.");
  require(!is_neo_hookean(m) || !m.is_plastic(), m,
          "elastic_law = \"neo_hookean\" does not flow: leave plastic_limit 0, or take elastic_law = \"stvk\".");
  // γ2 ≥ √1.5 lets I + ε^p lose definiteness (VALIDATION 0.11).
  require(
      m.plastic_limit < std::sqrt(1.5), m,
      "plastic_limit = " + number(m.plastic_limit) + " must be below 1.2247, or the flowed shape can turn inside out.");
  const bool has_strength = m.toughness_mode == ToughnessMode::stress && m.toughness > 0;
  const double weakest = m.toughness * m.strength_ratio.minCoeff();
  require(!m.is_plastic() || !has_strength || yield_stress(m) <= weakest, m,
          "a pulled bar of it yields at " + number(yield_stress(m)) + " Pa, above its strength of " + number(weakest) +
              ": it breaks before it flows. Lower yield_stress_pa (or yield_strain), raise "
              "strength_pa, or set plastic_limit = 0 for a brittle material.");
}

void check_initial_plastic_strain(const Material& m) {
  constexpr double kRounding = 1e-9;
  const Mat3 strain = full_matrix(m.initial_plastic_strain);
  const double norm = strain.norm();
  if (norm == 0) return;
  require(std::isfinite(norm), m, "initial_plastic_strain must be finite.");
  require(m.is_plastic(), m,
          "initial_plastic_strain is for a material that flows: set plastic_limit, and yield_stress_pa.");
  require(std::abs(strain.trace()) <= kRounding * norm, m,
          "initial_plastic_strain must keep the volume: xx + yy + zz is " + number(strain.trace()) + ", not 0.");
  require(norm <= m.plastic_limit * (1 + kRounding), m,
          "initial_plastic_strain has the norm " + number(norm) + ", above plastic_limit = " + number(m.plastic_limit) +
              ", which nothing can flow beyond. Make it smaller, or raise plastic_limit.");
}

}  // namespace

void check(const Material& m) {
  require(std::isfinite(m.density) && m.density > 0, m,
          "density_kg_m3 = " + number(m.density) + " must be positive (glass is near 2500).");
  if (is_anisotropic(m) || has_directional_strength(m))
    require(!axes_of(m.grain, m.second_axis).isZero(), m,
            "grain and second_axis give no axes: neither may be zero, and they must not be parallel.");
  if (is_anisotropic(m)) {
    const std::string complaint = complaint_about(m.anisotropy);
    require(complaint.empty(), m, complaint);
    require(!m.is_plastic(), m,
            "elastic_law = \"anisotropic\" does not flow: leave plastic_limit 0, or take elastic_law = \"stvk\".");
  }
  require(m.strength_ratio.allFinite() && m.strength_ratio.minCoeff() > 0, m,
          "strength_ratio must be three positive numbers, shares of the strength along the axes 1 2 3.");
  require(std::isfinite(m.lame_mu) && m.lame_mu > 0, m, "lame_mu_pa = " + number(m.lame_mu) + " must be positive.");
  require(std::isfinite(m.lame_lambda) && m.lame_lambda >= 0, m,
          "lame_lambda_pa = " + number(m.lame_lambda) +
              " must not be negative: the step bound holds for lambda >= 0 (Poisson's ratio 0 or more).");
  require(m.damping_phi >= 0 && m.damping_psi >= 0, m, "damping_phi_pa_s and damping_psi_pa_s must not be negative.");
  require(m.toughness >= 0, m, "toughness must not be negative.");
  check_plasticity(m);
  check_initial_plastic_strain(m);
  require(m.crush_below >= 0 && m.crush_below < 1, m,
          "crush_below = " + number(m.crush_below) + " must be 0 (never) or below 1, the volume at rest.");
  require(m.crushed_stiffness_share > 0 && m.crushed_stiffness_share <= 1, m,
          "crushed_stiffness_share = " + number(m.crushed_stiffness_share) + " must be above 0 and at most 1.");
}

}  // namespace brisance::material
