/// The progress line and the estimates behind `brisance check`.
#include "brisance/sim/setup/initial_mesh.hpp"

#include "app/cli/progress.hpp"
#include "app/commands/command_line.hpp"
#include "app/scene/estimate.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace brisance::app {
namespace {

TEST(Progress, LineSaysWhereTheRunStandsAndHowLongItTakes) {
  // 0.04 s to go at 1e-4 s a step are 400 steps, at 25 ms each 10 s.
  const sim::Progress p{
      .step = 600, .time_s = 0.06, .duration_s = 0.1, .dt_s = 1e-4, .pieces = 12, .contacts = 3, .ms_per_step = 25};
  EXPECT_EQ(progress_line(p),
            " 60%  step 600  t 0.06000 s  dt 1.00e-04 s  12 pieces  3 contacts  25 ms/step  left 10 s");
  sim::Progress short_run = p;
  short_run.time_s = 6.125e-7, short_run.duration_s = 1e-6, short_run.dt_s = 1e-9;
  short_run.pieces = short_run.contacts = 1;
  EXPECT_EQ(progress_line(short_run),
            " 61%  step 600  t 6.125e-07 s  dt 1.00e-09 s  1 piece  1 contact  25 ms/step  left 10 s");
}

TEST(Progress, FinishedRunHasNothingLeft) {
  const sim::Progress p{.step = 5, .time_s = 0.1, .duration_s = 0.1, .dt_s = 1e-4, .ms_per_step = 1000};
  EXPECT_TRUE(progress_line(p).starts_with("100%"));
  EXPECT_TRUE(progress_line(p).ends_with("left 0 s"));
}

TEST(Progress, DurationsAreReadable) {
  EXPECT_EQ(duration_words(45), "45 s");
  EXPECT_EQ(duration_words(750), "12 min 30 s");
  EXPECT_EQ(duration_words(3 * 3600 + 300), "3 h 05 min");
  EXPECT_EQ(duration_words(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(Estimate, CountsRegularTetsOrTakesTheWantedNumber) {
  sim::Scene scene;
  scene.objects.resize(3);
  scene.objects[0].mesh.edge_length_m = 0.1;  // of a cube of 1 m: 6√2 · 1000
  scene.objects[1].mesh.target_tets = 1234;
  EXPECT_NEAR(estimated_tets(scene), 8485 + 1234 + 20000, 1);
  EXPECT_NEAR(estimated_tets(coarsened(scene, 2)), (8485 + 1234 + 20000) / 8.0, 2);
}

TEST(Estimate, ACoarserCopyIsAsStrong) {
  sim::Scene scene;
  scene.materials.resize(2);
  scene.materials[0].toughness_mode = material::ToughnessMode::force;
  scene.materials[0].toughness = 10;  // [N], of a node with four times the area
  scene.materials[1].toughness_mode = material::ToughnessMode::stress;
  scene.materials[1].toughness = 1e5;
  const sim::Scene coarser = coarsened(scene, 2);
  EXPECT_EQ(coarser.materials[0].toughness, 40);
  EXPECT_EQ(coarser.materials[1].toughness, 1e5);
}

TEST(Estimate, StepOfAMeshIsWhatARunFinds) {
  sim::Scene scene = test::bare_scene(test::solid(1e7, 0.3, 1000, 1e-5));
  scene.materials.push_back(test::solid(4e7, 0.3, 1000));
  mesh::TetMesh box = test::kuhn_box(2, 3, 2, 0.2, 0.2, 0.3);
  for (std::size_t t = 0; t < box.tets.size(); ++t) box.region.push_back(t < 5 ? 1 : 0);
  const double found_s = sim::Simulation(core::Comm(), scene, box, {}).step_bound().element_step_s;
  EXPECT_NEAR(stable_step(core::Comm(), scene, dist::share_on_root(core::Comm(), box), 1), found_s, 1e-6 * found_s);
  for (Vec3& x : box.nodes) x *= 0.25;
  const double finer_s = sim::Simulation(core::Comm(), scene, box, {}).step_bound().element_step_s;
  EXPECT_NEAR(stable_step(core::Comm(), scene, dist::share_on_root(core::Comm(), box), 1), finer_s, 1e-6 * finer_s);
  EXPECT_NEAR(stable_step(core::Comm(), scene, dist::share_on_root(core::Comm(), box), 4), found_s, 1e-6 * found_s);
}

TEST(Estimate, ATrialTakesStepsForAWhile) {
  sim::Scene scene = test::bare_scene(test::solid(1e7, 0.3, 1000));
  sim::InitialMesh initial;
  initial.share = dist::share_on_root(core::Comm(), test::kuhn_box(3, 3, 3, 0.3, 0.3, 0.3));
  initial.share.mesh.region.assign(initial.share.mesh.tets.size(), 0);
  const Trial trial = try_steps(core::Comm(), scene, initial);
  EXPECT_EQ(trial.tets, 162);
  EXPECT_GT(trial.bytes, 100 * trial.tets);
  EXPECT_GT(trial.steps, 10);
  EXPECT_GT(trial.seconds_a_step * static_cast<double>(trial.steps),
            0.3 * (1 - 1e-12));                         // a quotient times its divisor
  scene.duration_s = 3.5 * trial.bound.element_step_s;  // shorter than the trial
  EXPECT_LT(try_steps(core::Comm(), scene, initial).steps, 10);
}

TEST(CommandLine, PetscOptionsAreSplitOff) {
  const char* argv[] = {"brisance", "run", "s.toml", "--out", "d", "-log_view", "-dyn_ksp_rtol", "1e-8"};
  const Arguments a = split_arguments(8, argv);
  EXPECT_EQ(a.own, (std::vector<std::string>{"run", "s.toml", "--out", "d"}));
  EXPECT_EQ(a.petsc, (std::vector<std::string>{"-log_view", "-dyn_ksp_rtol", "1e-8"}));
}

}  // namespace
}  // namespace brisance::app
