/// Scene files: each mistake is reported with its place, and keys that belong together are required together.
#include "brisance/core/error.hpp"

#include "app/scene/key.hpp"
#include "app/scene/scene.hpp"
#include "app/small_scene.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::app {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

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
  // Objects without a name are not found by one.
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
  EXPECT_THAT(error_of(kMinimal + "[contact]\ncriterion = true\n"), HasSubstr("must be one of auto, overlap_volume"));
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

}  // namespace
}  // namespace brisance::app
