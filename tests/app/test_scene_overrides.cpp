/// Keys from the command line replace those of the scene and are checked in the same way.
#include "brisance/material/presets.hpp"

#include "app/scene/scene.hpp"
#include "app/small_scene.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::app {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace brisance::app
