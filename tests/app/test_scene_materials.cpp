/// Materials of a scene: the forms of elastic constants, and toughness.
#include "brisance/material/presets.hpp"

#include "app/scene/scene.hpp"
#include "app/small_scene.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::app {
namespace {

using ::testing::HasSubstr;

/// kMinimal with another material.
std::string with_preset(const std::string& preset) {
  std::string text = kMinimal;
  const std::size_t first = text.find("density_kg_m3"), last = text.find("[[object]]");
  return text.replace(first, last - first, "preset = \"" + preset + "\"\n");
}

TEST(Scene, AMaterialThatNamesNoLawPushesBackFromAnyShapeWhereThatGoes) {
  using enum material::ElasticLaw;
  const auto law = [](const std::vector<std::string>& overrides, const std::string& text = kMinimal) {
    return parse_scene(text, "scene.toml", overrides).materials[0].elastic_law;
  };
  EXPECT_EQ(law({}), neo_hookean);
  EXPECT_EQ(law({"material.elastic_law=stvk"}), stvk);
  EXPECT_EQ(law({"material.plastic_limit=0.1", "material.yield_strain=0.01"}), stvk);
  EXPECT_EQ(law({"time.integrator=implicit_euler", "time.step_s=0.001"}), stvk);
  EXPECT_EQ(law({"time.integrator=static"}), stvk);
  EXPECT_EQ(law({}, with_preset("glass")), neo_hookean);
  EXPECT_EQ(law({}, with_preset("paper_glass")), neo_hookean);
  EXPECT_EQ(law({}, with_preset("clay")), stvk);
  EXPECT_EQ(law({"material.plastic_limit=0"}, with_preset("clay")), neo_hookean);
  EXPECT_EQ(law({}, with_preset("wood")), anisotropic);
  EXPECT_EQ(law({"material.elastic_law=stvk"}, with_preset("wood")), stvk);
}

TEST(Scene, WhatARunWritesNamesTheLaw) {
  const sim::Scene scene = parse_scene(kMinimal, "scene.toml", {"time.integrator=static"});
  EXPECT_THAT(to_toml(scene), HasSubstr("elastic_law = \"stvk\""));
}

TEST(Scene, WhatACrackCostsIsAskedForAndFound) {
  const std::vector<std::string> energy{"fracture.toughness=energy"};
  const auto with = [](const std::string& line) { return with_line("lame_mu_pa = 2e6", line); };
  EXPECT_THAT(error_of(with("strength_pa = 1e5"), energy),
              HasSubstr("give material \"soft\" fracture_energy_j_m2 or k_ic_pa_sqrt_m"));
  EXPECT_THAT(error_of(with("fracture_energy_j_m2 = 3\nk_ic_pa_sqrt_m = 1e5")), HasSubstr("set the same thing"));
  EXPECT_THAT(
      error_of(with("k_ic_pa_sqrt_m = 1e5"), {"fracture.toughness=energy", "fracture.criterion=principal_stress"}),
      HasSubstr("uses the separation tensor"));
  std::string soft = with("k_ic_pa_sqrt_m = 1e5");
  soft.erase(soft.find("lame_mu_pa = 2e6"), 16);
  EXPECT_THAT(error_of(soft, energy), HasSubstr("youngs_modulus_pa and poissons_ratio"));

  sim::Scene scene = parse_scene(with("fracture_energy_j_m2 = 3"), "scene.toml", energy);
  const material::Material& m = scene.materials[0];
  const double nu = material::poissons_ratio(m), young = material::youngs_modulus(m);
  EXPECT_NEAR(fracture::tip_toughness(scene.fracture, 0, m), std::sqrt(young / (1 - nu * nu) * 3), 1e-9);
  scene = parse_scene(with("k_ic_pa_sqrt_m = 1e5"), "scene.toml", energy);
  EXPECT_EQ(fracture::tip_toughness(scene.fracture, 0, m), 1e5);
  EXPECT_EQ(fracture::tip_toughness(scene.fracture, 1, m), 0);
  scene = parse_scene(with("k_ic_pa_sqrt_m = 1e5"), "scene.toml");
  EXPECT_EQ(fracture::tip_toughness(scene.fracture, 0, m), 0);
}

TEST(Scene, LipsThatHoldAskWhatACrackCostsAndForTheStepsTheyAreMadeFor) {
  const std::vector<std::string> cohesive{"fracture.cohesive=true"};
  const auto with = [](const std::string& line) { return with_line("lame_mu_pa = 2e6", line); };
  EXPECT_THAT(error_of(with("strength_pa = 1e5"), cohesive),
              HasSubstr("give material \"soft\" fracture_energy_j_m2 or k_ic_pa_sqrt_m"));
  for (const char* integrator : {"taylor2", "implicit_euler"})
    EXPECT_THAT(error_of(with("strength_pa = 1e5\nfracture_energy_j_m2 = 3"),
                         {"fracture.cohesive=true", "time.step_s=0.001",
                          std::string("time.integrator=\"") + integrator + "\""}),
                HasSubstr("cohesive tractions are supported with time.integrator = \"symplectic_euler\" alone"));
  EXPECT_THAT(error_of(with("strength_pa = 1e5\nfracture_energy_j_m2 = 3") +
                           "[[factor]]\nof = \"stiffness\"\nformula = \"2\"\n",
                       cohesive),
              HasSubstr("leave the factor on stiffness out"));

  const sim::Scene scene = parse_scene(with("strength_pa = 1e5\nk_ic_pa_sqrt_m = 1e5"), "scene.toml", cohesive);
  const material::Material& m = scene.materials[0];
  const double nu = material::poissons_ratio(m);
  EXPECT_NEAR(fracture::fracture_energy(scene.fracture, 0, m), 1e10 * (1 - nu * nu) / material::youngs_modulus(m),
              1e-6);
  EXPECT_EQ(fracture::fracture_energy(scene.fracture, 1, m), 0);
  EXPECT_TRUE(parse_scene(with("fracture_energy_j_m2 = 3"), "scene.toml", cohesive).fracture.cohesive);
}

TEST(Scene, LiteralIsThePaperAsPrintedAndMayBeChanged) {
  const sim::Scene scene = parse_scene(kMinimal + "[fracture]\nsnap_angle_rad = 0.2\nliteral = true\n", "scene.toml");
  EXPECT_EQ(scene.fracture.snap_distance_m, 0.005);
  EXPECT_EQ(scene.fracture.snap_angle_rad, 0.2);
  EXPECT_EQ(scene.fracture.altitude_floor, 0);
  EXPECT_EQ(scene.fracture.crack_speed_share, 0);
  EXPECT_EQ(to_toml(parse_scene(to_toml(scene), "scene.toml")), to_toml(scene));
  const sim::Scene usual = parse_scene(kMinimal + "[fracture]\nliteral = false\n", "scene.toml");
  EXPECT_EQ(to_toml(usual), to_toml(parse_scene(kMinimal, "scene.toml")));
}

TEST(Scene, EngineeringConstantsBecomeLames) {
  std::string text = kMinimal;
  text.replace(text.find("lame_lambda_pa = 1e6"), 20, "youngs_modulus_pa = 70e9");
  text.replace(text.find("lame_mu_pa = 2e6"), 16, "poissons_ratio = 0.25");
  const material::Material m = parse_scene(text, "scene.toml").materials[0];
  EXPECT_NEAR(m.lame_lambda, 28e9, 1);  // E ν/((1+ν)(1−2ν)) = 70·0.25/(1.25·0.5)
  EXPECT_NEAR(m.lame_mu, 28e9, 1);      // E/(2(1+ν)) = 70/2.5
  text.erase(text.find("poissons_ratio"), 22);
  EXPECT_THAT(error_of(text), HasSubstr("belong together"));
}

TEST(Scene, APresetIsWhereOtherKeysStart) {
  const std::string elastic = "density_kg_m3 = 1000\nlame_lambda_pa = 1e6\nlame_mu_pa = 2e6\n";
  std::string text = kMinimal;
  text.replace(text.find(elastic), elastic.size(), "preset = \"glass\"\nyoungs_modulus_pa = 1e7\n");
  const material::Material m = parse_scene(text, "scene.toml").materials[0];
  const material::Material glass = material::preset("glass").value();
  EXPECT_EQ(m.name, "soft");
  EXPECT_EQ(m.density, glass.density);
  EXPECT_NEAR(material::youngs_modulus(m), 1e7, 1e-3);
  EXPECT_NEAR(material::poissons_ratio(m), material::poissons_ratio(glass), 1e-12);
  text.replace(text.find("glass"), 5, "glas");
  EXPECT_THAT(error_of(text), HasSubstr("Did you mean \"glass\"?"));
}

TEST(Scene, EngineeringDampingAndYieldAgreeWithTheMaterialRoom) {
  const material::Material m =
      parse_scene(with_line("lame_mu_pa = 2e6", "damping_time_s = 1e-4\nyield_stress_pa = 5e3\nplastic_limit = 0.1"),
                  "scene.toml")
          .materials[0];
  const material::Material expected = material::from_engineering({.youngs_modulus_pa = material::youngs_modulus(m),
                                                                  .poissons_ratio = material::poissons_ratio(m),
                                                                  .density_kg_m3 = 1000,
                                                                  .damping_time_s = 1e-4,
                                                                  .yield_stress_pa = 5e3,
                                                                  .plastic_limit = 0.1});
  EXPECT_NEAR(m.damping_phi, expected.damping_phi, 1e-9 * expected.damping_phi);
  EXPECT_NEAR(m.damping_psi, expected.damping_psi, 1e-9 * expected.damping_psi);
  EXPECT_NEAR(m.yield_strain, expected.yield_strain, 1e-9 * expected.yield_strain);
}

TEST(Scene, ElongationAndWhatHasFlowedAreRead) {
  const std::string lines = "yield_stress_pa = 5e3\nelongation_at_break = 0.1\n";
  const sim::Scene scene = parse_scene(
      with_line("lame_mu_pa = 2e6", lines + "initial_plastic_strain = [0.02, -0.01, -0.01, 0.001, 0, 0.002]"),
      "s.toml");
  const material::Material& m = scene.materials[0];
  EXPECT_NEAR(m.plastic_limit, std::sqrt(1.5) * 0.21, 1e-15);
  EXPECT_EQ(m.initial_plastic_strain[2], -0.01);
  EXPECT_EQ(m.initial_plastic_strain[5], 0.002);
  const material::Material again = parse_scene(to_toml(scene), "again.toml").materials[0];
  EXPECT_EQ(again.initial_plastic_strain, m.initial_plastic_strain);
  EXPECT_EQ(again.plastic_limit, m.plastic_limit);
  EXPECT_THAT(error_of(with_line("lame_mu_pa = 2e6", lines + "plastic_limit = 0.2")), HasSubstr("plastic_limit"));
  EXPECT_THAT(error_of(with_line("lame_mu_pa = 2e6", lines + "initial_plastic_strain = [0.02, -0.01, -0.01]")),
              HasSubstr("initial_plastic_strain"));
}

TEST(Scene, ToughnessFollowsTheKeyThatGivesIt) {
  const auto force = parse_scene(with_line("lame_mu_pa = 2e6", "toughness_n = 33.1"), "s.toml").materials[0];
  EXPECT_EQ(force.toughness_mode, material::ToughnessMode::force);
  EXPECT_EQ(force.toughness, 33.1);
  const auto stress = parse_scene(with_line("lame_mu_pa = 2e6", "strength_pa = 5e7"), "s.toml").materials[0];
  EXPECT_EQ(stress.toughness_mode, material::ToughnessMode::stress);
}

const char* const kOrthotropic[] = {"material.elastic_law=anisotropic", "material.youngs_moduli_pa=[4e6, 1e6, 7e5]",
                                    "material.poissons_ratios=[0.3, 0.4, 0.35]",
                                    "material.shear_moduli_pa=[5e5, 4e5, 1e5]"};

TEST(Scene, ConstantsThatDependOnTheDirectionReadBackToTheSameBits) {
  std::vector<std::string> overrides(std::begin(kOrthotropic), std::end(kOrthotropic));
  overrides.insert(overrides.end(), {"material.grain=[1, 2, 3]", "material.second_axis=[0, 0.1, 1]",
                                     "material.strength_ratio=[20, 1, 2]"});
  const auto orthotropic = parse_scene(kMinimal, "s.toml", overrides);
  EXPECT_EQ(orthotropic.materials[0].anisotropy.orthotropic.shear_moduli, Vec3(5e5, 4e5, 1e5));
  std::string made_of_wood = kMinimal;
  made_of_wood.replace(made_of_wood.find("lame_lambda"), std::string("lame_lambda_pa = 1e6\nlame_mu_pa = 2e6").size(),
                       "preset = \"wood\"");
  const auto wood = parse_scene(made_of_wood, "s.toml", {"material.grain=[0, 1, 1]"});
  EXPECT_EQ(wood.materials[0].strength_ratio, Vec3(37, 1, 1));
  const auto general = parse_scene(kMinimal, "s.toml",
                                   {"material.elastic_law=anisotropic",
                                    "material.stiffness_pa=[9, 1, 1, 0.1, 0.2, 0.3, 8, 1, 0.4, 0.5, 0.6, 7, 0.7, 0.8, "
                                    "0.9, 3, 0.1, 0.2, 3, 0.1, 3]"});
  for (const sim::Scene& scene : {orthotropic, wood, general}) {
    const auto again = parse_scene(to_toml(scene), "scene.toml", {});
    EXPECT_EQ(to_toml(again), to_toml(scene));
    EXPECT_EQ(again.materials[0].anisotropy.stiffness, scene.materials[0].anisotropy.stiffness);
    EXPECT_EQ(again.materials[0].damping_psi, scene.materials[0].damping_psi);
    EXPECT_GT(again.materials[0].lame_mu, 0);
  }
}

TEST(Scene, ConstantsOfAnotherLawAreRefused) {
  const auto with = [](std::vector<std::string> more) {
    more.insert(more.begin(), std::begin(kOrthotropic), std::end(kOrthotropic));
    return error_of(kMinimal, more);
  };
  EXPECT_EQ(with({}), "no error");
  EXPECT_THAT(with({"material.elastic_law=stvk"}), HasSubstr("goes with elastic_law = \"anisotropic\""));
  EXPECT_THAT(with({"material.plastic_limit=0.1"}), HasSubstr("does not flow"));
  EXPECT_THAT(with({"material.poissons_ratios=[0.3, 0.4, 1.9]"}), HasSubstr("not positive definite"));
  EXPECT_THAT(with({"material.grain=[0, 1, 0]"}), HasSubstr("must not be parallel"));
  EXPECT_THAT(with({"material.stiffness_pa=[1, 2]"}), HasSubstr("21 numbers"));
  EXPECT_THAT(with({"material.strength_ratio=[2, 1, 1]", "fracture.direction=hoop"}),
              HasSubstr("direction = \"hoop\""));
  EXPECT_THAT(error_of(kMinimal, {"material.elastic_law=anisotropic", "material.youngs_moduli_pa=[4e6, 1e6, 7e5]"}),
              HasSubstr("needs youngs_moduli_pa, poissons_ratios and shear_moduli_pa"));
  EXPECT_THAT(error_of(kMinimal, {"material.preset=wood"}), HasSubstr("is of an isotropic material"));
}

}  // namespace
}  // namespace brisance::app
