/// Scene files: what is read is what is stored, what is written reads back, and each mistake is pointed at.
#include "brisance/core/error.hpp"
#include "brisance/material/presets.hpp"

#include "app/cli/nearest.hpp"
#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"
#include "app/small_scene.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::app {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kMinimal = "title = \"drop\"\n" + kSmallScene;

std::string with_line(const std::string& after, const std::string& line) {
  std::string text = kMinimal;
  return text.insert(text.find(after) + after.size() + 1, line + "\n");
}

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    (void)parse_scene(text, "scene.toml", overrides);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Scene, AMinimalSceneTakesItsDefaults) {
  const sim::Scene scene = parse_scene(kMinimal, "scene.toml");
  EXPECT_EQ(scene.title, "drop");
  ASSERT_EQ(scene.objects.size(), 1u);
  EXPECT_EQ(scene.objects[0].material, "soft");  // the only one
  EXPECT_EQ(scene.materials[0].lame_mu, 2e6);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.81));
  EXPECT_TRUE(std::isinf(scene.time.max_step_s));
  EXPECT_TRUE(std::isnan(scene.objects[0].drop_to_height_m));
}

/// A value that differs from the default and keeps the key's range.
Value changed(const Key& key, const Value& value) {
  switch (key.kind) {
    case Kind::boolean:
      return !std::get<bool>(value);
    case Kind::integer:
      if (key.range.high < 18) return static_cast<std::int64_t>(key.range.high);
      return std::get<std::int64_t>(value) == 17 ? std::int64_t{18} : std::int64_t{17};
    case Kind::real: {
      const double low = std::isfinite(key.range.low) ? key.range.low : 0;
      return low + (std::isfinite(key.range.high) ? key.range.high - low : 1) / 3;
    }
    case Kind::text:
      return std::string("a \"name\" with \\ and \t");
    case Kind::file:
      return std::string();
    case Kind::choice:  // the anisotropic law has other constants: a test of its own
      return key.name == "elastic_law" ? std::string("neo_hookean") : key.choices.back();
    case Kind::flags:
      return std::vector<bool>{true, false, true};
    case Kind::reals:
      return key.length == 4 ? std::vector<double>{0.5, 0.5, 0.5, -0.5} : std::vector<double>{1.0 / 3, 2.0 / 3, 7e13};
    case Kind::words:
      return std::vector<std::string>{key.choices.back()};
    case Kind::rows:
      return std::vector<std::vector<double>>(
          3, key.length == 4 ? std::vector<double>{0, 0.6, 0, 0.8} : std::vector<double>{1e-3, 1.0 / 7, 1e300});
  }
  return value;
}

/// Every key of the table away from its default, as a scene in memory.
sim::Scene scene_with_every_key_changed() {
  sim::Scene scene;
  for (const Table& table : scene_tables()) {
    if (table.repeated()) table.append(scene);
    for (const Key& key : table.keys)
      if (const auto value = key.load(scene, 0)) key.store(scene, 0, changed(key, *value));
  }
  scene.materials[0].name = scene.objects[0].material;
  scene.regions[0].shape = sim::RegionShape::group;
  scene.parts[0].shape = sim::PartShape::group;
  scene.parts[0].material = scene.objects[0].material;
  scene.parts[0].object = scene.objects[0].name;
  return scene;
}

TEST(Scene, EveryKeyReadsBackToTheSameBits) {
  sim::Scene scene = scene_with_every_key_changed();
  scene.colliders[0].motion = contact::ColliderMotion::path;
  scene.colliders[0].shape = contact::ColliderShape::mesh;
  scene.colliders[0].file = std::filesystem::path(BRISANCE_SOURCE_DIR) / "configs" / "meshes" / "wedge.obj";
  scene.colliders[0].density_kg_m3 = 0;  // there is a mass
  scene.objects[0].mesh.target_tets = 0;
  scene.objects[0].mesh.shape = mesh::ShapeKind::slab;
  scene.materials[0].elastic_law = material::ElasticLaw::stvk;            // the other does not flow
  scene.materials[0].strength_ratio = Vec3::Ones();                       // the hoop direction knows of none
  scene.materials[0].plastic_limit = scene.materials[0].crush_below = 0;  // implicit steps have neither
  scene.fracture.front_toughness = fracture::FrontToughness::strength;    // principal stress knows no energy
  scene.fracture.tips = {{0, 1.0 / 3}};
  scene.fracture.cohesive = false;                      // nor do implicit steps have it
  scene.materials[0].initial_plastic_strain.setZero();  // nor this
  scene.time.energy_watch_limit = 1;
  scene.time.integrator = dynamics::Integrator::hht;  // statics has neither loads nor a step's length
  scene.time.load_steps = dynamics::Parameters().load_steps;
  scene.loads[0].kind = sim::LoadKind::pressure;
  scene.loads[0].pressure_pa = 0;
  scene.loads[0].profile = {{1e-3, 1e300}, {1.0 / 3, 1.0 / 7}};
  scene.factors[0].of = sim::FactorOf::strength;
  scene.factors[0].formula = "1 + x";  // one source of three
  scene.factors[0].field.clear();
  scene.factors[0].weibull_modulus = 0;
  scene.factors[0].material = scene.materials[0].name;
  scene.factors[0].object = scene.objects[0].name;
  scene.camera.eye.x() = 2;
  const sim::Scene again = parse_scene(to_toml(scene), "scene.toml");
  for (const Table& table : scene_tables())
    for (const Key& key : table.keys)
      EXPECT_EQ(key.load(scene, 0), key.load(again, 0)) << table.path << " " << key.name;
  EXPECT_EQ(to_toml(again), to_toml(scene));
}

TEST(Scene, EveryKeyStoresIntoAPlaceOfItsOwn) {
  const sim::Scene changed_scene = scene_with_every_key_changed();
  for (const Table& table : scene_tables())
    for (const Key& key : table.keys) {
      sim::Scene one;
      for (const Table& t : scene_tables())
        if (t.repeated()) t.append(one);
      const auto before = to_toml(one);
      const auto value = key.load(changed_scene, 0);
      if (!value || key.name.starts_with("path_") || key.load(one, 0) == value) continue;
      key.store(one, 0, *value);
      // One line of the written scene changes and no other.
      std::istringstream a(before), b(to_toml(one));
      int lines_changed = 0;
      for (std::string x, y; std::getline(a, x) && std::getline(b, y);) lines_changed += x != y;
      EXPECT_EQ(lines_changed, 1) << table.path << " " << key.name;
    }
}

TEST(Scene, DefaultsSatisfyTheirOwnRanges) {
  sim::Scene scene;
  for (const Table& table : scene_tables()) {
    if (table.repeated()) table.append(scene);
    for (const Key& key : table.keys) {
      EXPECT_FALSE(key.sentence.empty()) << key.name;
      const auto value = key.load(scene, 0);
      // What has no default must be given: density, duration, shear modulus.
      const bool must_be_given = (table.path == "material" && key.name == "density_kg_m3") ||
                                 key.name == "duration_s" || key.name == "lame_mu_pa";
      if (!value || !std::holds_alternative<double>(*value)) continue;
      EXPECT_EQ(key.range.holds(std::get<double>(*value)), !must_be_given) << key.name;
    }
  }
}

TEST(Scene, AnOutOfRangeValueIsPointedAtWithAnExample) {
  std::string text = kMinimal;
  text.replace(text.find("= 1000"), 6, "= -2700");
  EXPECT_EQ(error_of(text), "scene.toml:4:17: material.density_kg_m3 = -2700 must be positive (glass is near 2500).");
}

TEST(Scene, AnUnknownKeyNamesTheNearest) {
  EXPECT_EQ(error_of(with_line("duration_s = 0.1", "step_savety = 0.5")),
            "scene.toml:12:15: unknown key time.step_savety. Did you mean time.step_safety?");
  EXPECT_THAT(error_of(kMinimal + "[fractur]\nenabled = false\n"),
              HasSubstr("unknown key fractur. Did you mean fracture?"));
  EXPECT_THAT(error_of(kMinimal + "radius_m = 1\n"), HasSubstr("Did you mean object.mesh.radius_m?"));
}

TEST(Scene, AWrongTypeSaysWhatIsExpected) {
  EXPECT_EQ(error_of(with_line("duration_s = 0.1", "step_safety = \"high\"")),
            "scene.toml:12:15: time.step_safety = 'high' must be a number (0.8).");
  EXPECT_THAT(error_of(with_line("duration_s = 0.1", "watch_energy = 1")), HasSubstr("must be true or false"));
  EXPECT_THAT(error_of("gravity_m_s2 = [0, 1]\n" + kMinimal),
              StartsWith("scene.toml:1:16: gravity_m_s2 = [ 0, 1 ] must be a list of 3 numbers in m/s²"));
  EXPECT_THAT(error_of(with_line("duration_s = 0.1", "integrator = \"taylor\"")),
              HasSubstr("Did you mean \"taylor2\"?"));
  EXPECT_THAT(error_of(with_line("shape = \"box\"", "layers = 1.5")), HasSubstr("must be a whole number"));
  EXPECT_THAT(error_of(with_line("duration_s = 0.1", "step_safety = nan")), HasSubstr("must lie between 0 and 1"));
}

TEST(Scene, BrokenTomlIsPointedAt) { EXPECT_THAT(error_of("title = \"x\"\nfoo = = 3\n"), StartsWith("scene.toml:2:")); }

TEST(Scene, TablesOfTheWrongFormAreExplained) {
  EXPECT_THAT(error_of("[material]\nname = \"x\"\n"), HasSubstr("write [[material]] above each"));
  EXPECT_THAT(error_of("time = 3\n" + kMinimal.substr(0, kMinimal.find("[time]"))), HasSubstr("write [time]"));
}

TEST(Scene, RivalFormsExcludeEachOther) {
  EXPECT_THAT(error_of(with_line("lame_mu_pa = 2e6", "youngs_modulus_pa = 1e6\npoissons_ratio = 0.2")),
              HasSubstr("set the same thing; leave one out"));
  EXPECT_THAT(error_of(with_line("lame_mu_pa = 2e6", "toughness_n = 3"), {"fracture.criterion=principal_stress"}),
              HasSubstr("a force is none; give strength_pa"));
  EXPECT_THAT(error_of(kMinimal, {"fracture.principal_stress_of=element"}),
              HasSubstr("goes with fracture.criterion = \"principal_stress\""));
  EXPECT_THAT(error_of(with_line("lame_mu_pa = 2e6", "strength_pa = 1e6\ntoughness_n = 3")),
              HasSubstr("material.strength_pa and material.toughness_n set the same thing"));
}

TEST(Scene, WhatACrackCostsIsAskedForAndFound) {
  const std::vector<std::string> energy{"fracture.toughness=energy"};
  const auto with = [](const std::string& line) { return with_line("lame_mu_pa = 2e6", line); };
  EXPECT_THAT(error_of(with("strength_pa = 1e5"), energy),
              HasSubstr("give material \"soft\" fracture_energy_j_m2 or k_ic_pa_sqrt_m"));
  EXPECT_THAT(error_of(with("fracture_energy_j_m2 = 3\nk_ic_pa_sqrt_m = 1e5")), HasSubstr("set the same thing"));
  EXPECT_THAT(
      error_of(with("k_ic_pa_sqrt_m = 1e5"), {"fracture.toughness=energy", "fracture.criterion=principal_stress"}),
      HasSubstr("goes by the separation tensor"));
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
                HasSubstr("hold on to each other with time.integrator = \"symplectic_euler\" alone"));
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

TEST(Scene, AnglesMayBeGivenInDegrees) {
  const auto scene =
      parse_scene(with_line("shape = \"box\"", "opening_angle_deg = 90") + "[[collider]]\nrotation_deg = [90, 0, 90]\n",
                  "scene.toml");
  EXPECT_DOUBLE_EQ(scene.objects[0].mesh.opening_angle_rad, std::numbers::pi / 2);
  // About x first: y → z; then about z: z stays. So y → z, and x → y.
  EXPECT_LT((scene.colliders[0].orientation * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((scene.colliders[0].orientation * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

TEST(Scene, KeyFramesNeedOneValueEach) {
  const std::string path = kMinimal + "[[collider]]\nmotion = \"path\"\npath_time_s = [0, 1]\n";
  EXPECT_EQ(parse_scene(path + "path_position_m = [[0, 0, 1], [0, 0, 0]]\n", "s.toml").colliders[0].path[0].position,
            Vec3(0, 0, 1));
  EXPECT_THAT(error_of(path + "path_position_m = [[0, 0, 1]]\n"), HasSubstr("has 1 entries, but path_time_s has 2"));
  EXPECT_THAT(error_of(kMinimal + "[[collider]]\npath_time_s = [1, 1]\n"), HasSubstr("must rise"));
}

const std::string kPath = kMinimal +
                          "[[collider]]\nmotion = \"path\"\npath_time_s = [0, 1, 2]\n"
                          "path_position_m = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\n";

TEST(Scene, KeyFramesHalfATurnApartKeepTheirAnglesAndReadBack) {
  const auto path_of = [](const std::string& rows) {
    return parse_scene(kPath + "path_rotation_deg = " + rows + "\n", "s.toml");
  };
  const sim::Scene far = path_of("[[0, 0, 0], [0, 0, 360], [0, 0, 350]]");
  ASSERT_TRUE(far.colliders[0].path[2].angles_deg);
  EXPECT_EQ(*far.colliders[0].path[2].angles_deg, Vec3(0, 0, 350));
  EXPECT_THAT(to_toml(far), HasSubstr("path_rotation_deg = [[0.0, 0.0, 0.0], [0.0, 0.0, 360.0], [0.0, 0.0, 350.0]]"));
  EXPECT_EQ(parse_scene(to_toml(far), "s.toml").colliders, far.colliders);
  // Smaller steps are orientations, as written before there were angles.
  const sim::Scene near = path_of("[[0, 0, 0], [0, 0, 179], [0, 20, 350]]");
  EXPECT_FALSE(near.colliders[0].path[0].angles_deg);
  EXPECT_THAT(to_toml(near), HasSubstr("path_orientation_wxyz"));
  EXPECT_EQ(parse_scene(to_toml(near), "s.toml").colliders, near.colliders);
}

TEST(Scene, NoTwoEntriesOfATableHaveOneName) {
  const std::string twice[][2] = {
      {"material", "[[material]]\npreset = \"glass\"\nname = \"a\"\n"},
      {"collider", "[[collider]]\nname = \"a\"\n"},
      {"region", "[[region]]\nname = \"a\"\nshape = \"sphere\"\nradius_m = 1\n"},
      {"load", "[[load]]\nname = \"a\"\nkind = \"pressure\"\npressure_pa = 1\nshape = \"sphere\"\nradius_m = 1\n"},
      {"object", "[[object]]\nname = \"a\"\nmaterial = \"soft\"\n"}};
  for (const auto& [table, entry] : twice)
    EXPECT_THAT(
        error_of(kMinimal + entry + entry),
        ::testing::ContainsRegex("^scene.toml:[0-9]+:[0-9]+: a second " + table +
                                 " is called \"a\", as the one at scene.toml:1[0-9]:[0-9]+; give it another name"));
  // Without a name they are not meant by one.
  EXPECT_EQ(error_of(kMinimal + "[[collider]]\n[[collider]]\n[[object]]\nmaterial = \"soft\"\n"), "no error");
}

TEST(Scene, TrueAndFalseMeanOnAndOff) {
  using contact::ContactSwitch;
  const auto enabled = [](const std::string& value) {
    return parse_scene(kMinimal + "[contact]\nenabled = " + value + "\n", "s.toml").contact.enabled;
  };
  EXPECT_EQ(enabled("true"), ContactSwitch::on);
  EXPECT_EQ(enabled("false"), ContactSwitch::off);
  EXPECT_EQ(enabled("\"auto\""), ContactSwitch::automatic);
  EXPECT_EQ(parse_scene(kMinimal, "s.toml", {"contact.enabled=true"}).contact.enabled, ContactSwitch::on);
  EXPECT_THAT(error_of(kMinimal + "[contact]\ncriterion = true\n"), HasSubstr("must be one of overlap_volume"));
}

TEST(Scene, ContradictionsAreFound) {
  EXPECT_EQ(error_of(kMinimal + "[[collider]]\nshape = \"sphere\"\n"),
            "scene.toml:12:1: a sphere needs collider.radius_m, positive.");
  EXPECT_THAT(error_of(with_line("[[object]]", "material = \"sotf\"")),
              StartsWith("scene.toml:8:12: there is no material \"sotf\". Did you mean \"soft\"?"));
  EXPECT_THAT(error_of(with_line("[object.mesh]", "file = \"absent.obj\"").replace(0, 0, "")), HasSubstr("both given"));
  EXPECT_THAT(error_of(kMinimal, {"object.mesh.shape=file", "object.mesh.file=absent.obj"}),
              HasSubstr("absent.obj\" does not exist"));
  EXPECT_THAT(error_of("title = \"empty\"\n[time]\nduration_s = 1\n"), HasSubstr("no [[object]]"));
  EXPECT_THAT(error_of(kMinimal.substr(0, kMinimal.find("duration_s"))), HasSubstr("time.duration_s is missing"));
}

TEST(Scene, PartsAndRegionsMayBeGroupsOfTheFile) {
  const auto with = [](const std::string& part) { return kMinimal + part; };
  const sim::Scene scene = parse_scene(
      with("[[part]]\ngroup = \"handle\"\nmaterial = \"soft\"\n[[region]]\ngroup = \"lid\"\n"), "scene.toml");
  ASSERT_EQ(scene.parts.size(), 1u);
  EXPECT_EQ(scene.parts[0].group, "handle");
  EXPECT_EQ(scene.regions[0].shape, sim::RegionShape::group);
  EXPECT_EQ(scene.regions[0].group, "lid");
  EXPECT_EQ(error_of(with("[[part]]\ngroup = \"handle\"\nmaterial = \"sort\"\n")),
            "scene.toml:14:12: there is no material \"sort\". Did you mean \"soft\"?");
  EXPECT_THAT(error_of(with("[[part]]\ngroup = \"handle\"\n")), HasSubstr("scene.toml:12:1: part.material is missing"));
  EXPECT_THAT(error_of(with("[[part]]\ngroup = \"a\"\nmaterial = \"soft\"\nobject = \"mugs\"\n")),
              HasSubstr("there is no object \"mugs\""));
  EXPECT_THAT(error_of(with("[[region]]\nshape = \"group\"\n")), HasSubstr("region.group is missing"));
  EXPECT_THAT(error_of(with("[[region]]\nshape = \"sphere\"\nradius_m = 1\ngroup = \"lid\"\n")),
              HasSubstr("goes with no other shape"));
}

TEST(Scene, IntervalsThatCannotBeCountedAreRefused) {
  for (const std::string key : {"frame_interval_s", "surface_interval_s", "monitor_interval_s"}) {
    for (const std::string value : {"1e-30", "1e-300", "5e-324"})
      EXPECT_THAT(error_of(kMinimal, {"output." + key + "=" + value}),
                  ::testing::AllOf(HasSubstr("output." + key), HasSubstr("is too short: time.duration_s = ")));
    EXPECT_EQ(error_of(kMinimal, {"output." + key + "=1e-12"}), "no error");
  }
}

TEST(Scene, MoreMaterialsThanAnElementCanNameAreRefused) {
  std::string text = kMinimal;
  text.insert(text.find("[[object]]") + 11, "material = \"soft\"\n");
  for (int i = 1; i < 4096; ++i)
    text += "[[material]]\npreset = \"glass\"\nname = \"glass " + std::to_string(i) + "\"\n";
  EXPECT_EQ(parse_scene(text, "scene.toml").materials.size(), 4096u);
  EXPECT_EQ(error_of(text + "[[material]]\npreset = \"glass\"\n"),
            "scene.toml:12298:1: there can be at most 4096 materials, those with crush_below counted twice; leave out "
            "those that no object is made of.");
}

TEST(Scene, OverridesReplaceAndAreCheckedTheSame) {
  EXPECT_EQ(parse_scene(kMinimal, "s.toml", {"time.duration_s=0.5"}).duration_s, 0.5);
  EXPECT_EQ(parse_scene(kMinimal, "s.toml", {"fracture.enabled=false"}).fracture.enabled, false);
  EXPECT_EQ(parse_scene(kMinimal, "s.toml", {"title=two words"}).title, "two words");
  EXPECT_EQ(parse_scene(kMinimal, "s.toml", {"object.mesh.target_tets=5e4"}).objects[0].mesh.target_tets, 50000);
  EXPECT_EQ(parse_scene(kMinimal, "s.toml", {"gravity_m_s2=[0,0,0]"}).gravity, Vec3::Zero());
  EXPECT_EQ(error_of(kMinimal, {"material.density_kg_m3=-1"}),
            "--set: material.density_kg_m3 = -1 must be positive (glass is near 2500).");
  EXPECT_THAT(error_of(kMinimal, {"time.duratoin_s=1"}), HasSubstr("Did you mean time.duration_s?"));
  EXPECT_THAT(error_of(kMinimal, {"tiem.duration_s=1"}), HasSubstr("Did you mean time?"));
  EXPECT_THAT(error_of(kMinimal, {"duration"}), HasSubstr("write KEY=VALUE"));
  EXPECT_THAT(error_of(kMinimal, {"collider[0].mass_kg=1"}), HasSubstr("the scene has 0 of collider"));
  EXPECT_THAT(error_of(kMinimal, {"object[x].name=a"}), HasSubstr("an index is a number"));
  EXPECT_THAT(error_of(kMinimal, {"material.0.name=a"}), HasSubstr("an index stands in brackets: material[0]."));
  EXPECT_THAT(error_of(kMinimal, {"time.step.size=1"}), HasSubstr("unknown key time.step. Did you mean time.step_s?"));
  EXPECT_THAT(error_of(kMinimal, {"time.rebalance_above=0.5"}), HasSubstr("0 (never), 1 (always) or more"));
  EXPECT_THAT(error_of(kMinimal, {"material.crush_below=1"}), HasSubstr("1 excluded"));
  EXPECT_THAT(error_of(kMinimal, {"material.crushed_stiffness_share=0"}), HasSubstr("0 excluded"));
  EXPECT_THAT(error_of(kMinimal, {"material.elastic_law=neo_hookean", "material.plastic_limit=0.1"}),
              HasSubstr("does not flow"));
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

TEST(Scene, AnOverrideDisplacesTheOtherFormOfItsNumber) {
  const auto scene =
      parse_scene(with_line("lame_mu_pa = 2e6", "strength_pa = 1e6"), "s.toml", {"material.toughness_n=7"});
  EXPECT_EQ(scene.materials[0].toughness, 7);
  EXPECT_EQ(scene.materials[0].toughness_mode, material::ToughnessMode::force);
}

TEST(Scene, AnOverrideOfTheSizeDisplacesTheOtherWayToSayIt) {
  const std::string with_edge = with_line("shape = \"box\"", "edge_length_m = 0.1");
  const mesh::Request by_count = parse_scene(with_edge, "s.toml", {"object.mesh.target_tets=5000"}).objects[0].mesh;
  EXPECT_EQ(by_count.target_tets, 5000);
  EXPECT_EQ(by_count.edge_length_m, 0);
  const std::string with_count = with_line("shape = \"box\"", "target_tets = 5000");
  EXPECT_EQ(parse_scene(with_count, "s.toml", {"object.mesh.edge_length_m=0.1"}).objects[0].mesh.target_tets, 0);
  EXPECT_THAT(error_of(with_line("shape = \"box\"", "target_tets = 5000\nedge_length_m = 0.1")),
              HasSubstr("both given"));
}

TEST(Scene, OverridesOfSeveralEntriesNeedAnIndex) {
  const std::string two = kMinimal + "[[collider]]\nname = \"ground\"\n[[collider]]\nname = \"ball\"\n";
  EXPECT_EQ(parse_scene(two, "s.toml", {"collider[1].friction=0.5"}).colliders[1].friction, 0.5);
  EXPECT_THAT(error_of(two, {"collider.friction=0.5"}), HasSubstr("from collider[0] to collider[1]"));
}

TEST(Scene, FilesAreFoundBesideTheScene) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "brisance_scene_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "cup.obj") << "v 0 0 0\n";
  std::string text = kMinimal;
  text.replace(text.find("shape = \"box\""), 13, "file = \"cup.obj\"");
  std::ofstream(folder / "scene.toml") << text;
  const auto scene = read_scene(folder / "scene.toml");
  EXPECT_EQ(scene.objects[0].mesh.file, folder / "cup.obj");
  EXPECT_EQ(scene.objects[0].mesh.shape, mesh::ShapeKind::file);
  std::filesystem::remove_all(folder);
}

TEST(Scene, AMissingSceneFileIsSaid) { EXPECT_THROW((void)read_scene("/nonexistent/scene.toml"), core::Error); }

TEST(Nearest, EditDistanceCountsSingleChanges) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("rnu", "run"), 1u);
  EXPECT_EQ(edit_distance("ouput", "out"), 2u);
  EXPECT_EQ(suggestion("chekc", {"run", "check"}), " Did you mean check?");
  EXPECT_EQ(suggestion("frobnicate", {"run", "check", "prefracture"}), "");
  EXPECT_EQ(suggestion("run", {}), "");
  EXPECT_EQ(nearest("densty", {"name", "density", "dense"}), "density");
}

std::string committed(const std::string& name) {
  std::ifstream stream(std::filesystem::path(BRISANCE_SOURCE_DIR) / "docs" / name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(SceneReference, CommittedPagesAreUpToDate) {
  EXPECT_TRUE(committed("SCENES.md") == scene_reference_markdown())
      << "run: brisance info --scene-reference > docs/SCENES.md";
  EXPECT_TRUE(committed("scene.schema.json") == scene_schema_json())
      << "run: brisance info --scene-schema > docs/scene.schema.json";
}

/// Pages for users, by name.
std::map<std::string, std::string> pages() {
  const std::filesystem::path root(BRISANCE_SOURCE_DIR);
  std::map<std::string, std::string> text{{"README.md", committed("../README.md")}};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") text[entry.path().filename()] = committed(entry.path().filename());
  return text;
}

/// Every match of a pattern's first group.
std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator m(text.begin(), text.end(), pattern), end; m != end; ++m) found.push_back((*m)[1]);
  return found;
}

TEST(Pages, EveryKeyTheyNameWithItsTableExists) {
  std::string tables;
  for (const Table& table : scene_tables())
    if (!table.path.empty() && table.path.find('.') == std::string::npos)
      tables += (tables.empty() ? "" : "|") + table.path;
  const std::regex name("\\b((?:" + tables + ")(?:\\[\\d+\\])?\\.[a-z_0-9]+(?:\\.[a-z_0-9]+)?)\\b");
  int named = 0;
  for (const auto& [page, text] : pages())
    for (std::string key : matches(text, name)) {
      key = std::regex_replace(key, std::regex("\\[\\d+\\]"), "");
      const auto dot = key.rfind('.');
      const Table* table = find_table(key.substr(0, dot));
      EXPECT_TRUE((table && table->find(key.substr(dot + 1))) || find_table(key)) << page << " names " << key;
      ++named;
    }
  EXPECT_GE(named, 5);
}

TEST(Pages, WhatTheMaterialsPageQuotesIsAKeyOrAPreset) {
  std::set<std::string> known;
  for (const char* table : {"material", "part", "factor", "object.mesh", "output", "time", "fracture"})
    for (const Key& key : find_table(table)->keys) {
      known.insert(key.name);
      known.insert(key.choices.begin(), key.choices.end());
    }
  for (const char* field : {"strength_factor", "stiffness_factor"}) known.insert(field);
  for (const char* command : {"evaluate", "render", "play"}) known.insert(command);
  for (const auto name : material::preset_names()) known.emplace(name);
  for (const char* column : {"inverted_tets", "crushed_tets", "dust_loss_j", "dust_particles", "dust_mass_kg"})
    known.insert(column);  // of monitor.csv
  for (const std::string& word : matches(committed("MATERIALS.md"), std::regex("`([a-z_0-9]+)`")))
    EXPECT_TRUE(known.contains(word)) << word;
}

TEST(Configs, EverySceneInTheRepositoryIsValid) {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(BRISANCE_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW((void)read_scene(entry.path())) << entry.path();
    ++scenes;
  }
  EXPECT_GE(scenes, 17);
}

}  // namespace
}  // namespace brisance::app
