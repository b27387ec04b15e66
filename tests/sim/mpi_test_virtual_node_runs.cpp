/// Runs with virtual nodes: the same bits on any ranks, with owners at random and after a restart; the step does not
/// shrink and no energy appears.
#include "brisance/dist/check.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/output/checkpoint.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/breaking_plate.hpp"
#include "support/shuffled_owners.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::digest_of;
using test::falling_plate;

constexpr int kSteps = 400;

Scene breaking_plate() {
  Scene scene = test::breaking_plate();
  scene.fracture.cutter = "virtual_nodes";
  return scene;
}

std::uint64_t digest_after(const core::Comm& comm, const Scene& scene, int shuffle_every = 0) {
  Simulation simulation(comm, scene, falling_plate(), {});
  for (int i = 0; i < kSteps; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(simulation);
    simulation.step(scene.duration_s);
  }
  return digest_of(simulation);
}

TEST(VirtualNodeRuns, SameBitsOnAnyRanksWithAnyOwners) {
  const core::Comm world;
  Scene scene = breaking_plate();
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene);
  scene.fracture.check_invariants = true;
  Simulation simulation(world, scene, falling_plate(), {});
  const double before = simulation.energies().total();
  for (int i = 0; i < kSteps; ++i) simulation.step(scene.duration_s);
  EXPECT_EQ(digest_of(simulation), alone);
  const auto counters = simulation.fracture_counters();
  EXPECT_GT(counters.cracks, 50);
  if (world.size() > 1) {
    EXPECT_GT(counters.cracks_across_ranks, 10);
  }
  EXPECT_GT(dist::find_pieces(simulation.mesh()).list.size(), 1u);
  const Energies after = simulation.energies();
  // No energy appears, up to the integrator's own error. Some is lost: a node that is pressed into a collider has a
  // softer spring once a cut gives a part of its mass to a virtual node.
  EXPECT_LT(after.total(), before + 0.04 * after.kinetic);
  EXPECT_GT(after.total(), 0.9 * before);

  scene.fracture.check_invariants = false;
  EXPECT_EQ(digest_after(world, scene, kSteps), alone);  // owners drawn at random at the start
  EXPECT_EQ(digest_after(world, scene, 50), alone);
}

// The bound of each tet does not change, since mass and stiffness of a copy have the same share; strain alone shortens
// the step, by 1 + 1.5 ‖ε‖.
TEST(VirtualNodeRuns, CracksDoNotShortenTheStepAtRest) {
  const core::Comm world;
  Scene scene = breaking_plate();
  Simulation simulation(world, scene, falling_plate(), {});
  const double uncut = simulation.step_bound().element_step_s;
  double shortest = uncut;
  for (int i = 0; i < kSteps; ++i) {
    simulation.step(scene.duration_s);
    shortest = std::min(shortest, simulation.step_bound().element_step_s);
  }
  EXPECT_GT(simulation.fracture_counters().cracks, 50);
  EXPECT_GT(shortest, 0.5 * uncut);
}

}  // namespace
}  // namespace brisance::sim
