// Presets and engineering constants against the conversions of docs/MATERIALS.md and VALIDATION B2.
#include "brisance/core/error.hpp"
#include "brisance/material/presets.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace brisance::material {
namespace {

TEST(Presets, EveryNameIsAValidMaterialOfThatName) {
  EXPECT_EQ(preset_names().size(), 15u);
  for (const std::string_view name : preset_names()) {
    const auto m = preset(name);
    ASSERT_TRUE(m.has_value()) << name;
    EXPECT_EQ(m->name, name);
    EXPECT_NO_THROW(check(*m));
    EXPECT_GT(m->toughness, 0);
  }
  EXPECT_FALSE(preset("unobtainium").has_value());
}

TEST(Presets, PaperRowsHaveTheModuliAndSpeedsOfTheConversionTable) {
  struct Row {
    const char* name;
    double e, nu, c_p, c_s, tau_p;
  };
  const Row kRows[] = {
      {"paper_glass", 2.60e8, 0.2500, 347.2, 200.5, 4.33e-5},
      {"paper_wall_1", 3.43e8, 0.4164, 604.9, 228.9, 1.78e-5},
      {"paper_wall_2", 3.62e8, 0, 396.0, 280.0, 1.00e-4},
      {"paper_bowl_3", 9.53e6, 0.2002, 102.3, 62.6, 1.00e-4},
      {"paper_comparison_bowl", 1.058e8, 0, 323.2, 228.5, 3.74e-6},
      {"paper_the_end", 1.842e7, 0, 161.6, 114.3, 1.0e-6},
  };
  for (const Row& row : kRows) {
    const Material m = *preset(row.name);
    EXPECT_NEAR(youngs_modulus(m), row.e, 2e-3 * row.e) << row.name;
    EXPECT_NEAR(poissons_ratio(m), row.nu, 1e-4) << row.name;
    EXPECT_NEAR(pressure_wave_speed(m), row.c_p, 0.06) << row.name;
    EXPECT_NEAR(shear_wave_speed(m), row.c_s, 0.06) << row.name;
    EXPECT_NEAR(damping_time(m), row.tau_p, 4e-3 * row.tau_p) << row.name;
    EXPECT_EQ(m.toughness_mode, ToughnessMode::force) << row.name;
  }
}

TEST(Presets, EngineeringConstantsComeBack) {
  const Material steel = *preset("steel_soft");
  EXPECT_NEAR(youngs_modulus(steel), 210e9, 1);
  EXPECT_NEAR(poissons_ratio(steel), 0.29, 1e-15);
  EXPECT_NEAR(pressure_wave_speed(steel), 5920, 50);
  EXPECT_NEAR(std::sqrt(1.5) * steel.lame_mu * steel.yield_strain, 250e6, 1e-3);  // plateau of VALIDATION B2
  EXPECT_NEAR(damping_time(steel), 5e-8, 1e-22);
  EXPECT_EQ(preset("glass")->yield_strain, 0);
  EXPECT_FALSE(preset("glass")->is_plastic());
}

TEST(Presets, BadEngineeringConstantsAreNamed) {
  EngineeringConstants c{"rubber", 1e6, 0.5, 1100, 0, 1e6, 0, 0};
  EXPECT_THROW((void)from_engineering(c), core::Error);
  c.poissons_ratio = 0.49;
  EXPECT_NO_THROW((void)from_engineering(c));
  c.youngs_modulus_pa = 0;
  EXPECT_THROW((void)from_engineering(c), core::Error);
  c.youngs_modulus_pa = std::nan("");
  EXPECT_THROW((void)from_engineering(c), core::Error);
  c.youngs_modulus_pa = 1e6;
  c.density_kg_m3 = -1;
  EXPECT_THROW((void)from_engineering(c), core::Error);
}

// VALIDATION B2: σ_y = √1.5 μ γ1. What has flowed to its limit has I + ε^p = diag((1+a)², …) along the bar.
TEST(Plasticity, YieldAndElongationAreTheirOwnInverses) {
  Material m = *preset("steel_soft");
  m.yield_strain = yield_strain(2.5e8, m.lame_mu);
  EXPECT_NEAR(yield_stress(m), 2.5e8, 1);
  EXPECT_NEAR(m.yield_strain * std::sqrt(1.5) * m.lame_mu, 2.5e8, 1);
  for (const double elongation : {0.0, 0.01, 0.17, 0.41}) {
    m.plastic_limit = plastic_limit(elongation);
    EXPECT_NEAR(elongation_at_limit(m), elongation, 1e-12);
    const double along = (1 + elongation) * (1 + elongation) - 1;
    SymMat3 flowed = SymMat3::Zero();
    flowed.head<3>() << along, -along / 2, -along / 2;
    EXPECT_NEAR(full_matrix(flowed).norm(), m.plastic_limit, 1e-12);
  }
}

std::string refusal(const Material& m) {
  try {
    check(m);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

TEST(Plasticity, WhatCannotFlowSoIsRefused) {
  const Material steel = *preset("steel_soft");
  Material m = steel;
  m.initial_plastic_strain << 0.1, -0.05, -0.05, 0, 0, 0.02;
  EXPECT_EQ(refusal(m), "");
  m.initial_plastic_strain[0] = 0.11;
  EXPECT_NE(refusal(m).find("keep the volume"), std::string::npos) << refusal(m);
  m.initial_plastic_strain << 0.5, -0.25, -0.25, 0, 0, 0;
  EXPECT_NE(refusal(m).find("above plastic_limit = 0.45"), std::string::npos) << refusal(m);
  m = *preset("glass");
  m.initial_plastic_strain << 0.1, -0.1, 0, 0, 0, 0;
  EXPECT_NE(refusal(m).find("set plastic_limit"), std::string::npos) << refusal(m);
  m = steel;
  m.toughness = 2e8;
  EXPECT_NE(refusal(m).find("breaks before it flows"), std::string::npos) << refusal(m);
  m.toughness = 0;  // unbreakable
  EXPECT_EQ(refusal(m), "");
}

}  // namespace
}  // namespace brisance::material
