// [[load]] tables: reading, and refusals with their place in the file.
#include "app/small_scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::app {
namespace {

using ::testing::HasSubstr;

sim::LoadParameters read(const std::string& keys) {
  return parse_scene(kSmallScene + "[[load]]\n" + keys, "scene.toml").loads.at(0);
}

std::string error_of_load(const std::string& keys) { return error_of(kSmallScene + "[[load]]\n" + keys); }

TEST(LoadScene, KindsAreRead) {
  const auto pressure = read("group = \"cavity\"\nprofile_s_pa = [[0, 0], [0.001, 1e6]]");
  EXPECT_EQ(pressure.shape, sim::LoadShape::group);
  ASSERT_EQ(pressure.profile.size(), 2u);
  EXPECT_EQ(pressure.profile[1][1], 1e6);
  const auto blast = read("kind = \"blast\"\npeak_pressure_pa = 1e5\npositive_phase_s = 0.002\ndecay = 0");
  EXPECT_EQ(blast.kind, sim::LoadKind::blast);
  EXPECT_FALSE(blast.has_negative_phase);
  EXPECT_EQ(read("kind = \"impulse\"\nspeed_m_s = 3").speed_m_s, 3);
}

TEST(LoadScene, AWrittenSceneReadsBack) {
  const sim::Scene scene =
      parse_scene(kSmallScene + "[[load]]\n" +
                      "profile_s_pa = [[0, 0], [0.1, 3.5]]\nshape = \"box\"\nlow_m = [0, 0, 0]\nhigh_m = [1, 1, 1]",
                  "scene.toml");
  EXPECT_EQ(to_toml(parse_scene(to_toml(scene), "scene.toml")), to_toml(scene));
}

TEST(LoadScene, MistakesArePointedAt) {
  EXPECT_THAT(error_of_load(""), HasSubstr("scene.toml:11:1: a pressure needs load.pressure_pa or load.profile_s_pa."));
  EXPECT_THAT(
      error_of_load("profile_s_pa = [[0, 0], [0.2, 1], [0.1, 3]]"),
      HasSubstr("scene.toml:12:16: load.profile_s_pa must rise in time from pair to pair; 0.1 s comes after 0.2 s."));
  EXPECT_THAT(error_of_load("pressure_pa = 1\nprofile_s_pa = [[0, 1]]"), HasSubstr("are both given; leave one out."));
  const std::string blast = "kind = \"blast\"\npeak_pressure_pa = 1e5\n";
  EXPECT_THAT(error_of_load(blast), HasSubstr("a blast needs load.positive_phase_s, positive."));
  EXPECT_THAT(error_of_load(blast + "positive_phase_s = -0.001"), HasSubstr("scene.toml:14:20: load.positive_phase_s"));
  EXPECT_THAT(error_of_load(blast + "positive_phase_s = 0.1\nwave_speed_m_s = 0"), HasSubstr("must be positive"));
  EXPECT_THAT(error_of_load(blast + "positive_phase_s = 0.1\ndecay = 0.001"), HasSubstr("0.01 at least"));
  EXPECT_THAT(error_of_load("kind = \"impulse\""), HasSubstr("an impulse needs load.speed_m_s, not zero."));
  EXPECT_THAT(error_of_load("kind = \"impulse\"\nspeed_m_s = 1\ngroup = \"lid\""),
              HasSubstr("acts on nodes by their place"));
  EXPECT_THAT(error_of_load("pressure_pa = 1\nshape = \"sphere\""), HasSubstr("a sphere needs load.radius_m"));
  EXPECT_THAT(error_of_load("pressure_pa = 1\nshape = \"box\""), HasSubstr("a box needs load.low_m below load.high_m"));
  EXPECT_THAT(error_of_load("pressure_pa = 1\nshape = \"group\""), HasSubstr("load.group is missing"));
  EXPECT_THAT(error_of_load("pressure_pa = 1\nstrength = 4"), HasSubstr("unknown key load.strength"));
  std::string many;
  for (int i = 0; i < 17; ++i) many += "pressure_pa = 1\n[[load]]\n";
  EXPECT_THAT(error_of_load(many + "pressure_pa = 1"), HasSubstr("at most 16 pressures and blasts"));
}

// Pressures may change in a run that has begun; the faces they act on are part of its state.
TEST(LoadScene, ARunBranchesIntoOtherPressuresOnTheSameFaces) {
  const auto scene = [](const std::string& keys) {
    return parse_scene(kSmallScene + "[[load]]\n" + keys, "scene.toml");
  };
  const std::string cavity = "group = \"cavity\"\n";
  EXPECT_NO_THROW(require_same_state(scene(cavity + "pressure_pa = 1"), scene(cavity + "pressure_pa = 2")));
  EXPECT_THROW(require_same_state(scene(cavity + "pressure_pa = 1"), scene("pressure_pa = 1")), core::Error);
}

}  // namespace
}  // namespace brisance::app
