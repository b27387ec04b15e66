/// Runs in the hierarchical basis: the same bits on any number of ranks while the mesh cracks, momentum and energy, and
/// a crack that opens.
#include "brisance/core/error.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/breaking_plate.hpp"
#include "support/shuffled_case.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::Case;
using test::digest_of;
using test::run;

std::unique_ptr<Simulation> expect_same_bits(const Case& which) {
  const core::Comm world;
  auto alone = run(core::Comm(MPI_COMM_SELF), which, 0);
  auto here = run(world, which, 0);
  EXPECT_EQ(digest_of(*here), digest_of(*alone));
  EXPECT_EQ(digest_of(*run(world, which, 3)), digest_of(*alone));
  EXPECT_EQ(here->equations().last().preconditioner, "basis");
  EXPECT_EQ(here->equations().active_functions(), alone->equations().active_functions());
  return here;
}

Case plate() {
  Case which{test::implicit_breaking_plate(), test::finer_plate(), {}, 15};
  which.scene.time.basis = dynamics::BasisKind::hierarchical;
  which.scene.time.basis_active_share = 0.3;
  which.scene.time.basis_renew_every = 4;
  return which;
}

Case cantilever() {
  Case which;
  which.scene = test::bare_scene(test::solid(2e6, 0.3, 1000, 1e-4));
  which.scene.time.integrator = dynamics::Integrator::hht;
  which.scene.time.basis = dynamics::BasisKind::hierarchical;
  which.scene.time.basis_active_share = 0.3;
  which.scene.time.step_s = 5e-3;
  which.scene.gravity = Vec3(0, 0, -9.81);
  which.scene.regions = {test::grip({true, true, true})};
  which.mesh = test::kuhn_box(20, 3, 3, 1, 0.15, 0.15);
  for (const Vec3& x : which.mesh.nodes) which.masks.push_back(x[0] == 0 ? 1 : 0);
  which.steps = 20;
  return which;
}

// Around the cracks nodes are free, so it breaks as in a run with all nodes.
TEST(BasisRuns, APlateBreaksOnTheGroundWithTheSameBitsOnAnyRanks) {
  const auto simulation = expect_same_bits(plate());
  EXPECT_GT(simulation->fracture_counters().cracks, 3);
  EXPECT_LT(simulation->equations().active_share(), 1);
}

TEST(BasisRuns, ACantileverSwingsWithTheSameBitsOnAnyRanks) {
  const auto simulation = expect_same_bits(cantilever());
  EXPECT_LT(simulation->equations().active_share(), 0.6);
}

// A free bar that spins and vibrates: its momentum stays, and so does the sum of its energy accounts.
TEST(BasisRuns, KeepMomentumAndTheEnergyAccount) {
  Case which = cantilever();
  which.scene.time.integrator = dynamics::Integrator::implicit_euler;
  which.scene.time.step_s = 2e-3;
  which.scene.gravity = Vec3::Zero();
  which.scene.regions.clear();
  which.scene.time.basis_renew_every = 3;
  which.masks.clear();
  for (const Vec3& x : which.mesh.nodes)
    which.mesh.velocity.push_back(Vec3(1, 0, 2) + Vec3(0, 0, 3).cross(x - Vec3(0.5, 0, 0)) +
                                  Vec3(0, 0, 0.3 * std::sin(9 * x[0])));
  Simulation simulation(core::Comm(), which.scene, which.mesh, which.masks);
  const Energies before = simulation.energies();
  for (int i = 0; i < which.steps; ++i) simulation.step();
  const Energies after = simulation.energies();
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-8 * before.momentum.norm());
  EXPECT_NEAR(after.total(), before.total(), 1e-6 * before.kinetic);
  EXPECT_GT(after.numerical_loss, 0);
}

TEST(BasisRuns, WithAllNodesFreeAreRunsInNodes) {
  Case which = cantilever();
  which.scene.time.integrator = dynamics::Integrator::implicit_euler;
  which.scene.time.basis_active_share = 1;
  which.scene.time.solver_tolerance = 1e-13;
  which.steps = 4;
  const auto free = run(core::Comm(), which, 0);
  which.scene.time.basis = dynamics::BasisKind::nodal;
  const auto nodal = run(core::Comm(), which, 0);
  double off = 0;
  for (std::int32_t i = 1; i < nodal->mesh().num_node_slots(); ++i)
    if (const LocalNode n(i); nodal->mesh().is_owned(n))
      off = std::max(off, (Vec3(nodal->mesh().motion[n].position) - Vec3(free->mesh().motion[n].position)).norm());
  EXPECT_LT(nodal->comm().max(off), 1e-10);
  EXPECT_EQ(free->equations().active_functions(), 21 * 4 * 4);
}

TEST(BasisRuns, RefuseAShareThatTheCoarsestLatticeExceeds) {
  Case which = cantilever();
  which.scene.time.basis_active_share = 0.01;
  try {
    (void)run(core::Comm(), which, 0);
    FAIL();
  } catch (const core::Error& e) {
    EXPECT_NE(std::string(e.what()).find("leaves no function active"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace brisance::sim
