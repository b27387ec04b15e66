/// Runs that cannot continue: every rank ends with the same message, whichever rank detects the reason.
#include "brisance/core/error.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

Scene breakable_cube() {
  Scene scene = test::bare_scene(test::solid(1e6, 0.25, 1000, 1e-5));
  scene.materials[0].toughness = 1e9;
  return scene;
}

/// Message of a run that is stepped until it stops; empty where it does not stop within ten steps.
std::string reason_to_stop(Simulation& simulation) {
  try {
    for (int i = 0; i < 10; ++i) simulation.step(simulation.scene().duration_s);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

void place(dist::Mesh& mesh, GlobalNode id, double x) {
  if (const LocalNode n = mesh.find(id); n.valid()) mesh.motion[n].position[0] = x;
}

TEST(StoppedRun, StressThatIsNoNumberIsNotTakenForANodeThatHolds) {
  Simulation simulation(core::Comm(), breakable_cube(), test::kuhn_box(4, 4, 4, 1, 1, 1), {});
  place(simulation.mesh(), GlobalNode(62), 1e160);  // strains overflow in its star
  const std::string reason = reason_to_stop(simulation);
  EXPECT_THAT(reason, testing::HasSubstr("step 0, t = 0 s: the stress around node "));
  EXPECT_THAT(reason, testing::HasSubstr("is no longer finite"));
}

}  // namespace
}  // namespace brisance::sim
