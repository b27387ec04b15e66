/// How long a step is: landing on events, refusing useless ones, and the energy watch of [OBH02].
#include "brisance/core/error.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/kuhn.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

/// A free elastic bar, undamped, released from a uniform stretch.
Scene ringing_bar() {
  Scene scene;
  material::Material m;
  m.name = "rubber";
  m.density = 1000;
  m.lame_lambda = m.lame_mu = 1e6;
  scene.materials = {m};
  scene.gravity = Vec3::Zero();
  scene.fracture.enabled = false;
  scene.duration_s = 1;
  return scene;
}

mesh::TetMesh stretched_bar() {
  mesh::TetMesh bar = test::kuhn_box(6, 1, 1, 0.6, 0.1, 0.1);
  for (const Vec3& x : bar.nodes) bar.displacement.push_back(Vec3(0.01 * x[0], 0, 0));
  return bar;
}

double energy_growth(const Scene& scene, double until_s) {
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, stretched_bar(), {});
  const double before = simulation.energies().total();
  while (simulation.time_s() < until_s) simulation.step(until_s);
  return simulation.energies().total() / before;
}

TEST(StepControl, EventsAreMetExactlyAndWithoutSplinters) {
  Scene scene = ringing_bar();
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, stretched_bar(), {});
  simulation.step(scene.duration_s);
  const double usual = simulation.last_step_s(), event = simulation.time_s() + 3.1 * usual;
  while (simulation.time_s() < event) {
    simulation.step(event);
    EXPECT_GT(simulation.last_step_s(), 0.5 * usual);
  }
  EXPECT_EQ(simulation.time_s(), event);
}

TEST(StepControl, AUselesslySmallStepNamesTheElement) {
  Scene scene = ringing_bar();
  scene.time.min_step_s = 1;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, stretched_bar(), {});
  try {
    simulation.step(scene.duration_s);
    FAIL() << "accepted";
  } catch (const core::Error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("element " + std::to_string(simulation.step_bound().limiting_element)), std::string::npos)
        << text;
    EXPECT_NE(text.find("time.min_step_s"), std::string::npos) << text;
  }
}

TEST(StepControl, WatchingTheEnergyTamesForwardEuler) {
  // Undamped forward Euler multiplies a mode's energy by 1 + (ω dt)² each step (VALIDATION A9); shorter steps slow that
  // growth in proportion to dt.
  Scene scene = ringing_bar();
  scene.time.integrator = dynamics::Integrator::forward_euler;
  const double until_s = 0.01;
  const double unwatched = energy_growth(scene, until_s);
  scene.time.watch_energy = true;
  const double watched = energy_growth(scene, until_s);
  EXPECT_GT(unwatched, 10);
  EXPECT_LT(watched, 2);
}

}  // namespace
}  // namespace brisance::sim
