/// Keys of [[material]]: constants in an engineer's or the papers' form, or a preset.
#include "brisance/material/presets.hpp"

#include "app/scene/binding.hpp"
#include "app/scene/tables/tables.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace brisance::app {

namespace {

using material::Material;
using sim::Scene;

constexpr auto kMaterial = [](auto& s, std::size_t i) -> auto& { return s.materials.at(i); };

double poisson_or_zero(const Material& m) { return m.lame_mu > 0 ? material::poissons_ratio(m) : 0; }

/// λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)).
void set_elasticity(Material& m, double youngs_modulus_pa, double poissons_ratio) {
  m.lame_lambda = youngs_modulus_pa * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
  m.lame_mu = youngs_modulus_pa / (2 * (1 + poissons_ratio));
}

Key youngs_modulus_key() {
  return bind_computed(kMaterial, Kind::real, 0, kNotWritten,
                       [](Material& m, const Value& v) { set_elasticity(m, std::get<double>(v), poisson_or_zero(m)); },
                       {.name = "youngs_modulus_pa",
                        .unit = "Pa",
                        .sentence = "Young's modulus E.",
                        .example = "glass is near 7e10, soft models use 1e7",
                        .range = kPositive,
                        .group = "elasticity",
                        .form = "engineering"});
}

Key poissons_ratio_key() {
  return bind_computed(
      kMaterial, Kind::real, 0, kNotWritten,
      [](Material& m, const Value& v) { set_elasticity(m, material::youngs_modulus(m), std::get<double>(v)); },
      {.name = "poissons_ratio",
       .unit = "–",
       .sentence = "Poisson's ratio ν. It cannot be negative: the step bound needs λ ≥ 0.",
       .example = "glass is near 0.22",
       .range = {.low = 0, .high = 0.5, .high_open = true},
       .group = "elasticity",
       .form = "engineering"});
}

Key preset_key() {
  Key row = bind_computed(
      kMaterial, Kind::choice, 0, kNotWritten,
      [](Material& m, const Value& v) { m = material::preset(std::get<std::string>(v)).value(); },
      {.name = "preset", .sentence = "Starts from this material (docs/MATERIALS.md); other keys then change it."});
  for (const auto name : material::preset_names()) row.choices.emplace_back(name);
  return row;
}

/// φ = λτ, ψ = μτ.
Key damping_time_key() {
  return bind_computed(kMaterial, Kind::real, 0, kNotWritten,
                       [](Material& m, const Value& v) {
                         m.damping_phi = m.lame_lambda * std::get<double>(v);
                         m.damping_psi = m.lame_mu * std::get<double>(v);
                       },
                       {.name = "damping_time_s",
                        .unit = "s",
                        .sentence = "Sets both viscosities from one time τ: φ = λτ, ψ = μτ. A vibration of angular "
                                    "frequency ω decays at the rate ω²τ/2.",
                        .example = "5e-5 for soft models",
                        .range = kNotNegative,
                        .group = "damping",
                        .form = "time"});
}

/// γ1 = σ_y/(√1.5 μ), the uniaxial plateau.
Key yield_stress_key() {
  return bind_computed(
      kMaterial, Kind::real, 0, kNotWritten,
      [](Material& m, const Value& v) { m.yield_strain = material::yield_strain(std::get<double>(v), m.lame_mu); },
      {.name = "yield_stress_pa",
       .unit = "Pa",
       .sentence = "Stress at which a bar under tension begins to flow. It needs plastic_limit or elongation_at_break.",
       .example = "mild steel is near 2.5e8",
       .range = kNotNegative,
       .group = "yield",
       .form = "stress"});
}

/// γ2 = √1.5 ((1 + a)² − 1).
Key elongation_key() {
  return bind_computed(
      kMaterial, Kind::real, 0, kNotWritten,
      [](Material& m, const Value& v) { m.plastic_limit = material::plastic_limit(std::get<double>(v)); },
      {.name = "elongation_at_break",
       .unit = "–",
       .sentence = "Permanent elongation of a bar, as a share of its length, at the limit of plastic flow. It sets "
                   "plastic_limit.",
       .example = "mild steel is near 0.2",
       .range = {.low = 0, .high = 0.414, .high_open = true},
       .group = "plastic limit",
       .form = "elongation"});
}

Key initial_plastic_strain_key() {
  return bind_computed(
      kMaterial, Kind::reals, 6,
      [](const Material& m) -> std::optional<Value> {
        const SymMat3& strain = m.initial_plastic_strain;
        return std::vector<double>(strain.begin(), strain.end());
      },
      [](Material& m, const Value& v) {
        std::ranges::copy(std::get<std::vector<double>>(v), m.initial_plastic_strain.begin());
      },
      {.name = "initial_plastic_strain",
       .unit = "–",
       .sentence = "Plastic strain before the run: xx, yy, zz, xy, yz, zx of FᵀF − I in the axes of the placed shape "
                   "at rest. The trace must be 0, the norm at most plastic_limit. The object then moves towards the "
                   "shape that this flow would have given it.",
       .example = "[0.1, -0.05, -0.05, 0, 0, 0]"});
}

/// λ or μ where the law is isotropic; for an anisotropic one they are means and not given.
Key lame_key(double Material::*member, Key row) {
  row.group = "elasticity";
  row.form = "lame";
  return bind_computed(
      kMaterial, Kind::real, 0,
      [member](const Material& m) {
        return material::is_anisotropic(m) ? std::nullopt : std::optional<Value>(m.*member);
      },
      [member](Material& m, const Value& v) { m.*member = std::get<double>(v); }, std::move(row));
}

/// Three constants along the axes of an anisotropic material; other constants follow from them.
Key orthotropic_key(Vec3 material::Orthotropic::*member, Key row) {
  row.unit = row.unit.empty() ? "Pa" : row.unit;
  row.group = "elasticity";
  row.form = "orthotropic";
  return bind_computed(
      kMaterial, Kind::reals, 3,
      [member](const Material& m) -> std::optional<Value> {
        if (!material::is_anisotropic(m) || m.anisotropy.voigt != material::UpperTriangle{}) return std::nullopt;
        return to_value(m.anisotropy.orthotropic.*member);
      },
      [member](Material& m, const Value& v) {
        m.anisotropy.voigt = {};
        from_value(v, m.anisotropy.orthotropic.*member);
        material::follow_constants(m);
      },
      std::move(row));
}

Key stiffness_key() {
  return bind_computed(
      kMaterial, Kind::reals, material::UpperTriangle{}.size(),
      [](const Material& m) -> std::optional<Value> {
        const material::UpperTriangle& c = m.anisotropy.voigt;
        if (!material::is_anisotropic(m) || c == material::UpperTriangle{}) return std::nullopt;
        return std::vector<double>(c.begin(), c.end());
      },
      [](Material& m, const Value& v) {
        std::ranges::copy(std::get<std::vector<double>>(v), m.anisotropy.voigt.begin());
        material::follow_constants(m);
      },
      {.name = "stiffness_pa",
       .unit = "Pa",
       .sentence = "The 21 constants of a general anisotropic law along the material's axes: the upper triangle of the "
                   "stiffness by rows (11 … 16, 22 …, 66), in Voigt's order 11 22 33 23 13 12. Positive definite.",
       .group = "elasticity",
       .form = "stiffness"});
}

/// One of the two vectors that define the axes, with which the constants rotate.
Key axis_key(Vec3 Material::*member, Key row) {
  return bind_computed(
      kMaterial, Kind::reals, 3, [member](const Material& m) -> std::optional<Value> { return to_value(m.*member); },
      [member](Material& m, const Value& v) {
        from_value(v, m.*member);
        if (material::is_anisotropic(m)) material::follow_constants(m);
      },
      std::move(row));
}

Key toughness_key(material::ToughnessMode mode, Key row) {
  row.group = "toughness";
  row.form = row.name;
  row.range = kNotNegativeOrInfinite;
  return bind_computed(
      kMaterial, Kind::real, 0,
      [mode](const Material& m) { return m.toughness_mode == mode ? std::optional<Value>(m.toughness) : std::nullopt; },
      [mode](Material& m, const Value& v) {
        m.toughness_mode = mode;
        m.toughness = std::get<double>(v);
      },
      std::move(row));
}

/// G_c or K_Ic, stored in the fracture parameters: the given one replaces the other.
Key tip_toughness_key(double fracture::TipToughness::*member, Key row) {
  row.kind = Kind::real;
  row.group = "fracture energy";
  row.form = row.name;
  row.range = kNotNegative;
  row.load = [member](const Scene& s, std::size_t i) -> std::optional<Value> {
    if (i >= s.fracture.tips.size() || !(s.fracture.tips[i].*member > 0)) return std::nullopt;
    return s.fracture.tips[i].*member;
  };
  row.store = [member](Scene& s, std::size_t i, const Value& v) {
    if (s.fracture.tips.size() <= i) s.fracture.tips.resize(i + 1);
    s.fracture.tips[i] = {};
    s.fracture.tips[i].*member = std::get<double>(v);
  };
  return row;
}

}  // namespace

Table material_table() {
  using enum material::ToughnessMode;
  return {
      .path = "material",
      .sentence =
          "What objects are made of: a preset, or numbers, or a preset with some numbers changed. Elasticity is given "
          "by youngs_modulus_pa and poissons_ratio, by lame_lambda_pa and lame_mu_pa, or, where it depends on the "
          "direction, by youngs_moduli_pa, poissons_ratios and shear_moduli_pa or by stiffness_pa. Strength is given "
          "by strength_pa or toughness_n.",
      .keys =
          {
              preset_key(),
              bind(kMaterial, &Material::name,
                   {.name = "name", .sentence = "Name by which objects refer to the material."}),
              bind(kMaterial, &Material::density,
                   {.name = "density_kg_m3",
                    .unit = "kg/m³",
                    .sentence = "Density ρ.",
                    .example = "glass is near 2500",
                    .range = kPositive}),
              youngs_modulus_key(),
              poissons_ratio_key(),
              lame_key(&Material::lame_lambda, {.name = "lame_lambda_pa",
                                                .unit = "Pa",
                                                .sentence = "Lamé's first constant λ.",
                                                .example = "1.04e8 for the 1999 glass",
                                                .range = kNotNegative}),
              lame_key(&Material::lame_mu, {.name = "lame_mu_pa",
                                            .unit = "Pa",
                                            .sentence = "Shear modulus μ, Lamé's second constant.",
                                            .example = "1.04e8 for the 1999 glass",
                                            .range = kPositive}),
              bind_choice(kMaterial, &Material::elastic_law, {"stvk", "neo_hookean", "anisotropic"},
                          {.name = "elastic_law",
                           .sentence = "Law of stress at large strain. neo_hookean has a restoring force in any shape; "
                                       "stvk, the papers' St. Venant–Kirchhoff, softens when compressed below 0.58 of "
                                       "its length and then inverts; anisotropic is stvk with a stiffness that depends "
                                       "on the direction. Plasticity needs stvk. Left out: anisotropic for a preset of "
                                       "wood, stvk with plastic_limit or implicit steps, else neo_hookean."}),
              orthotropic_key(&material::Orthotropic::youngs_moduli,
                              {.name = "youngs_moduli_pa",
                               .sentence = "anisotropic: Young's moduli E1, E2, E3 along the material's axes.",
                               .example = "[1.47e10, 1.0e9, 7.4e8] for Douglas fir",
                               .range = kPositive}),
              orthotropic_key(&material::Orthotropic::poissons_ratios,
                              {.name = "poissons_ratios",
                               .unit = "–",
                               .sentence = "anisotropic: Poisson's ratios ν12, ν13, ν23. ν_ij is the contraction along "
                                           "j over the extension along i, under tension along i.",
                               .example = "[0.292, 0.449, 0.390] for Douglas fir"}),
              orthotropic_key(&material::Orthotropic::shear_moduli,
                              {.name = "shear_moduli_pa",
                               .sentence = "anisotropic: shear moduli G12, G13, G23.",
                               .example = "[9.4e8, 1.15e9, 1.0e8] for Douglas fir",
                               .range = kPositive}),
              stiffness_key(),
              axis_key(&Material::grain,
                       {.name = "grain",
                        .unit = "–",
                        .sentence = "Axis 1 of an anisotropic material (the grain of wood), in the world where the "
                                    "object is placed. It rotates with the body; any length."}),
              axis_key(&Material::second_axis,
                       {.name = "second_axis",
                        .unit = "–",
                        .sentence = "Axis 2 is the component of this direction normal to grain (the radial direction "
                                    "of wood); axis 3 is normal to both."}),
              bind(kMaterial, &Material::crush_below,
                   {.name = "crush_below",
                    .unit = "–",
                    .sentence = "A tet compressed below this share of its volume is crushed for good: it keeps its "
                                "mass and crushed_stiffness_share of its stiffness. 0: never.",
                    .example = "0.2",
                    .range = {.low = 0, .high = 1, .high_open = true}}),
              bind(kMaterial, &Material::crushed_stiffness_share,
                   {.name = "crushed_stiffness_share",
                    .unit = "–",
                    .sentence = "Share of stiffness and damping that a crushed tet keeps.",
                    .range = {.low = 0, .high = 1, .low_open = true}}),
              damping_time_key(),
              bind(kMaterial, &Material::damping_phi,
                   {.name = "damping_phi_pa_s",
                    .unit = "Pa·s",
                    .sentence = "Viscosity φ, which damps changes of volume.",
                    .example = "0 to 3000",
                    .range = kNotNegative,
                    .group = "damping",
                    .form = "viscosities"}),
              bind(kMaterial, &Material::damping_psi,
                   {.name = "damping_psi_pa_s",
                    .unit = "Pa·s",
                    .sentence = "Viscosity ψ, which damps changes of shape.",
                    .example = "400 for the 1999 bowls",
                    .range = kNotNegative,
                    .group = "damping",
                    .form = "viscosities"}),
              toughness_key(stress, {.name = "strength_pa",
                                     .unit = "Pa",
                                     .sentence = "Tensile strength: a node cracks where its separation tensor per area "
                                                 "exceeds this. It does not depend on the mesh. 0 or inf: never.",
                                     .example = "glass is near 5e7"}),
              toughness_key(force, {.name = "toughness_n",
                                    .unit = "N",
                                    .sentence = "Toughness τ of the 1999 paper: bound on the separation tensor itself, "
                                                "so bodies are stronger on finer meshes. 0 or inf: never.",
                                    .example = "13 to 53 for the 1999 bowls"}),
              bind(kMaterial, &Material::strength_ratio,
                   {.name = "strength_ratio",
                    .unit = "–",
                    .sentence = "Tensile strength along the axes 1, 2, 3, as shares of strength_pa or toughness_n. At "
                                "an angle θ from axis 1 the share is 1/(cos²θ/r1 + sin²θ/r2), Hankinson's formula.",
                    .example = "[37, 1, 1] for Douglas fir",
                    .range = kPositive}),
              tip_toughness_key(&fracture::TipToughness::energy,
                                {.name = "fracture_energy_j_m2",
                                 .unit = "J/m²",
                                 .sentence = "Energy G_c to make a square metre of crack, read with fracture.toughness "
                                             "= \"energy\". K_Ic = √(E G_c/(1 − ν²)).",
                                 .example = "3 for the glass of branching tests"}),
              tip_toughness_key(&fracture::TipToughness::stress_intensity,
                                {.name = "k_ic_pa_sqrt_m",
                                 .unit = "Pa√m",
                                 .sentence = "Critical stress intensity K_Ic, in place of fracture_energy_j_m2.",
                                 .example = "7e5 for glass, 6.8e7 for maraging steel"}),
              yield_stress_key(),
              bind(kMaterial, &Material::yield_strain,
                   {.name = "yield_strain",
                    .unit = "–",
                    .sentence = "Norm γ1 of the deviatoric elastic strain FᵀF − I at which plastic flow begins.",
                    .example = "0.001",
                    .range = kNotNegative,
                    .group = "yield",
                    .form = "strain"}),
              bind(kMaterial, &Material::plastic_limit,
                   {.name = "plastic_limit",
                    .unit = "–",
                    .sentence = "Largest norm γ2 of the plastic strain. 0 switches plasticity off.",
                    .example = "0.162",
                    .range = {.low = 0, .high = 1.2247, .high_open = true},
                    .group = "plastic limit",
                    .form = "strain"}),
              elongation_key(),
              initial_plastic_strain_key(),
          },
      .count = [](const Scene& s) { return s.materials.size(); },
      .append = [](Scene& s) { s.materials.emplace_back().elastic_law = material::ElasticLaw::neo_hookean; },
  };
}

}  // namespace brisance::app
