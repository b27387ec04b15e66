#include "brisance/core/error.hpp"

#include "app/scene/scene.hpp"
#include "app/scene/strength_trials.hpp"

#include <gmock/gmock.h>

namespace brisance::app {
namespace {

/// A bar that flies into the ground at 6 m/s: ρ c v = 6e5 Pa.
sim::Scene thrown_bar(const std::string& strength) {
  return parse_scene(R"(
[[material]]
density_kg_m3 = 1000.0
youngs_modulus_pa = 1.0e7
poissons_ratio = 0.2
damping_phi_pa_s = 200.0
damping_psi_pa_s = 400.0
)" + strength + R"(
[[object]]
lowest_point_m = 0.0001
velocity_m_s = [0.0, 0.0, -6.0]
rotation_deg = [0.0, 80.0, 0.0]
[object.mesh]
shape = "box"
size_m = [0.1, 0.1, 0.5]
target_tets = 300
[[collider]]
shape = "plane"
[fracture]
evaluate_interval_share = 0.1
[time]
duration_s = 0.02
)",
                     "bar.toml");
}

std::vector<StrengthTrial> tried(const sim::Scene& scene, const std::vector<double>& factors, StrengthCopy& copy,
                                 double tets = 300) {
  std::size_t heard = 0;
  const auto trials = try_strengths(
      core::Comm(), scene, tets, factors, [&](const StrengthCopy& c) { copy = c; },
      [&](const StrengthTrial&) { ++heard; });
  EXPECT_EQ(heard, factors.size());
  return trials;
}

TEST(StrengthTrials, ScaleEveryKindOfStrength) {
  sim::Scene scene = thrown_bar("strength_pa = 1.0e5\n");
  scene.materials.push_back(scene.materials.front());
  scene.materials[1].toughness_mode = material::ToughnessMode::force;
  scene.materials[1].toughness = 70;
  scene.fracture.tips = {{.energy = 2, .stress_intensity = 0}, {.energy = 0, .stress_intensity = 5}};
  const sim::Scene three = strengthened(scene, 3);
  EXPECT_EQ(three.materials[0].toughness, 3e5);
  EXPECT_EQ(three.materials[1].toughness, 210);
  EXPECT_EQ(three.fracture.tips[0].energy, 18);  // G_c with the square of the factor
  EXPECT_EQ(three.fracture.tips[1].stress_intensity, 15);
}

TEST(StrengthTrials, WeakerBodiesGiveMorePieces) {
  StrengthCopy copy;
  const auto trials = tried(thrown_bar("strength_pa = 3.0e5\n"), {0.1, 100}, copy);
  EXPECT_EQ(copy.edges, 1);
  EXPECT_GT(copy.tets, 100);
  EXPECT_GT(trials[0].pieces, 3);
  EXPECT_GT(trials[0].cracks, 3);
  EXPECT_LE(trials[0].large_pieces, trials[0].pieces);
  EXPECT_LT(trials[0].largest_share, 0.9);
  EXPECT_EQ(trials[1].pieces, 1);
  EXPECT_EQ(trials[1].large_pieces, 1);
  EXPECT_EQ(trials[1].cracks, 0);
  EXPECT_NEAR(trials[1].largest_share, 1, 1e-12);
  // Without a crack the end of the impact is unknown.
  EXPECT_EQ(trials[1].end, StrengthTrial::End::scene);
  EXPECT_GE(trials[1].time_s, 0.02);
}

TEST(StrengthTrials, EndOnceTheCracksAreDone) {
  sim::Scene scene = thrown_bar("strength_pa = 1.0e5\n");
  StrengthCopy copy;
  scene.duration_s = 0.2;
  const auto trials = tried(scene, {1}, copy);
  EXPECT_EQ(trials[0].end, StrengthTrial::End::no_new_cracks);
  EXPECT_LT(trials[0].time_s, 0.15);
}

TEST(StrengthTrials, RunACoarserCopyOfAFineScene) {
  sim::Scene scene = thrown_bar("strength_pa = 1.0e5\n");
  scene.objects[0].mesh.target_tets = 24000;
  scene.duration_s = 1e-4;
  StrengthCopy copy;
  tried(scene, {1}, copy, 24000);
  EXPECT_NEAR(copy.edges, 2, 1e-12);
  EXPECT_LT(copy.tets, 9000);
}

TEST(StrengthTrials, NeedSomethingThatCanBreak) {
  StrengthCopy copy;
  EXPECT_THROW(
      {
        try {
          (void)try_strengths(
              core::Comm(), thrown_bar(""), 300, {1}, [](const StrengthCopy&) {}, [](const StrengthTrial&) {});
        } catch (const core::BadInput& e) {
          EXPECT_THAT(e.what(), testing::HasSubstr("strength_pa"));
          throw;
        }
      },
      core::BadInput);
}

}  // namespace
}  // namespace brisance::app
