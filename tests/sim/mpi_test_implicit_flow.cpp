// Plastic flow under implicit steps, against explicit ones.
#include "support/over_ranks.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::largest;

/// A bar that is stretched by 6 % within 0.2 s, forty times the transit time of a wave, and released; it flows from 0.5
/// % on.
Scene drawn_bar() {
  material::Material m = test::solid(1e8, 0.3, 1000, 1e-4);
  m.yield_strain = 0.01;
  m.plastic_limit = 0.5;
  Scene scene = test::bare_scene(m);
  scene.regions = {test::grip({true, true, true}), test::grip({true, true, true}, Vec3(0.3, 0, 0))};
  scene.regions[1].until_s = 0.2;
  return scene;
}

// ε^p follows the strain after each step, as in an explicit one: the released bar keeps the same length, with the same
// plastic work, to the first order of the step and of the strain; the ledger closes.
TEST(ImplicitFlow, ADuctileBarAsExplicitStepsHaveIt) {
  const mesh::TetMesh bar = test::kuhn_box(10, 1, 1, 1, 0.1, 0.1);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : bar.nodes) masks.push_back(x[0] == 0 ? 1 : (x[0] == 1 ? 2 : 0));
  Simulation exact(core::Comm(), drawn_bar(), bar, masks);
  test::run_until(exact, 0.2);
  const Energies explicit_drawn = exact.energies();
  test::run_until(exact, 0.4);
  const auto longest = [](const Simulation& s) {
    return largest(s, [&](LocalNode n) { return s.mesh().motion[n].position[0]; });
  };
  for (const auto integrator : {dynamics::Integrator::implicit_euler, dynamics::Integrator::hht}) {
    Scene scene = drawn_bar();
    scene.time.integrator = integrator;
    scene.time.hht_alpha = -0.2;
    scene.time.step_s = 1e-3;
    Simulation simulation(core::Comm(), scene, bar, masks);
    test::run_until(simulation, 0.2);
    const Energies drawn = simulation.energies();
    EXPECT_GT(explicit_drawn.plastic_loss, 0);
    EXPECT_NEAR(drawn.plastic_loss, explicit_drawn.plastic_loss, 0.08 * explicit_drawn.plastic_loss);
    EXPECT_NEAR(drawn.total(), 0, 0.01 * drawn.supplied);
    test::run_until(simulation, 0.4);
    EXPECT_NEAR(longest(simulation), longest(exact), 0.1 * (longest(exact) - 1));
    EXPECT_NEAR(simulation.energies().total(), 0, 0.01 * drawn.supplied);
  }
}

}  // namespace
}  // namespace brisance::sim
