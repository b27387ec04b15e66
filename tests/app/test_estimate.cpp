/// The cost of a scene is estimated from trial steps: of the scene, of a coarser copy, to its end or in part.
#include "brisance/sim/setup/initial_mesh.hpp"

#include "app/scene/estimate.hpp"
#include "app/scene/scene.hpp"

#include <gtest/gtest.h>

namespace brisance::app {
namespace {

constexpr int kStepsBetweenChecks = 10;  // of a rehearsal, which checks its time then

sim::Scene falling_box(const std::string& material = "", const std::string& mesh = "edge_length_m = 0.1") {
  return parse_scene(
      "[[material]]\nname = \"rubber\"\ndensity_kg_m3 = 1000.0\nlame_lambda_pa = 1e6\nlame_mu_pa = 1e6\n" + material +
          "\n[[object]]\nname = \"box\"\nlowest_point_m = 0.01\nvelocity_m_s = [0.0, 0.0, -5.0]\n"
          "[object.mesh]\nshape = \"box\"\nsize_m = [0.4, 0.2, 0.2]\n" +
          mesh +
          "\n[[collider]]\nname = \"ground\"\nshape = \"plane\"\nnormal = [0.0, 0.0, 1.0]\n"
          "[time]\nduration_s = 0.1\n",
      "box.toml");
}

struct Steps {
  double time_s = 0, bound_s = 0;
  std::int64_t tets = 0;
};

Steps take(const sim::Scene& scene, int count) {
  const core::Comm comm;
  const sim::InitialMesh initial = sim::build_initial_mesh(comm, scene);
  sim::Simulation simulation(comm, scene, initial.share, initial.regions);
  Steps steps{.bound_s = simulation.step_bound().element_step_s,
              .tets = static_cast<std::int64_t>(initial.share.mesh.tets.size())};
  for (int i = 0; i < count; ++i) simulation.step();
  steps.time_s = simulation.time_s();
  return steps;
}

TEST(Rehearsal, ThatRunsToTheEndSaysSo) {
  const sim::Scene scene = falling_box("toughness_n = 20.0");
  const Rehearsal whole = rehearse(core::Comm(), scene, 1e6);
  const Steps steps = take(scene, 0);
  EXPECT_EQ(whole.done_share, 1);
  EXPECT_EQ(whole.tets, steps.tets);
  EXPECT_GT(whole.seconds, 0);
  EXPECT_DOUBLE_EQ(whole.first_step_s, take(scene, 1).time_s);
}

TEST(Rehearsal, ThatMustEndEarlyDoesAsMuchAsItSays) {
  const sim::Scene scene = falling_box();
  const Rehearsal part = rehearse(core::Comm(), scene, 1e-9);
  EXPECT_DOUBLE_EQ(part.done_share, take(scene, kStepsBetweenChecks).time_s / scene.duration_s);
  EXPECT_LT(part.done_share, 0.1);
}

TEST(Rehearsal, APartSaysWhatTheWholeTakes) {
  const sim::Scene scene = falling_box();  // nothing breaks: all steps cost the same
  const Rehearsal whole = rehearse(core::Comm(), scene, 1e6), part = rehearse(core::Comm(), scene, 1e-9);
  EXPECT_GT(part.seconds, 0.1 * whole.seconds);
}

TEST(Rehearsal, IsOfACopyThatIsCoarserAndAsStrong) {
  const sim::Scene fine = falling_box("toughness_n = 20.0"), coarse = coarsened(fine, 2);
  EXPECT_DOUBLE_EQ(coarse.objects[0].mesh.edge_length_m, 0.2);
  EXPECT_DOUBLE_EQ(coarse.materials[0].toughness, 80);
  EXPECT_LT(take(coarse, 0).tets, take(fine, 0).tets / 3);
  EXPECT_EQ(coarsened(falling_box("", "target_tets = 8000"), 2).objects[0].mesh.target_tets, 1000);
}

}  // namespace
}  // namespace brisance::app
