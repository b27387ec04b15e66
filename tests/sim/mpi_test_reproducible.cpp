/// A breaking object gives the same bits on any number of ranks, with owners drawn at random, and when every node
/// changes its owner every 50 steps; and the comparison that says so can fail.
#include "brisance/dist/check.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/digest.hpp"
#include "support/kuhn.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

/// A plate thrown on its edge against a plane and a free ball; it breaks within some hundred steps.
Scene breaking_plate() {
  Scene scene;
  material::Material m;
  m.name = "plate";
  m.density = 1000;
  m.lame_lambda = m.lame_mu = 4e6;
  m.damping_phi = m.damping_psi = 100;
  m.toughness = 2e4;
  m.yield_strain = 0.02;
  m.plastic_limit = 0.01;
  scene.materials = {m};
  scene.duration_s = 1;
  contact::ColliderParameters ground;
  ground.name = "ground";
  ground.position = Vec3(0, 0, -0.001);
  contact::ColliderParameters ball;
  ball.name = "ball";
  ball.shape = contact::ColliderShape::sphere;
  ball.motion = contact::ColliderMotion::free;
  ball.radius_m = 0.1;
  ball.mass_kg = 2;
  ball.position = Vec3(0.3, -0.101, 0.25);
  ball.velocity = Vec3(0, 6, 0);
  scene.colliders = {ground, ball};
  scene.time.strain_refresh_steps = 8;
  return scene;
}

mesh::TetMesh falling_plate() {
  mesh::TetMesh plate = test::kuhn_box(8, 1, 6, 0.6, 0.06, 0.45);
  plate.velocity.assign(plate.nodes.size(), Vec3(0.1, 0, -4));
  return plate;
}

constexpr int kSteps = 400;

std::uint64_t digest_after(const core::Comm& comm, const Scene& scene) {
  Simulation simulation(comm, scene, falling_plate(), {});
  for (int i = 0; i < kSteps; ++i) simulation.step(scene.duration_s);
  return test::digest(simulation.mesh());
}

TEST(Reproducible, SameBitsOnAnyRanksWithAnyOwners) {
  const core::Comm world;
  Scene scene = breaking_plate();
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene);

  scene.fracture.check_invariants = true;
  Simulation simulation(world, scene, falling_plate(), {});
  const double before = simulation.energies().total();
  for (int i = 0; i < kSteps; ++i) simulation.step(scene.duration_s);
  EXPECT_EQ(test::digest(simulation.mesh()), alone);
  const auto counters = simulation.fracture_counters();
  EXPECT_GT(counters.cracks, 50);
  if (world.size() > 1) {
    EXPECT_GT(counters.cracks_across_ranks, 10);
  }
  EXPECT_GT(dist::find_pieces(simulation.mesh()).list.size(), 1u);
  // The ledger closes up to the integrator's own error: 3.1 J here, 0.6 J with steps a quarter as long.
  const Energies after = simulation.energies();
  EXPECT_NEAR(after.total(), before, 0.04 * after.kinetic);
  EXPECT_GT(after.plastic_loss, 0);

  scene.fracture.check_invariants = false;
  scene.random_partition = true;
  EXPECT_EQ(digest_after(world, scene), alone);
  scene.migrate_every_steps = 50;
  EXPECT_EQ(digest_after(world, scene), alone);
}

TEST(Reproducible, AWrongSummationOrderIsNoticed) {
  const core::Comm world;
  if (world.size() == 1) GTEST_SKIP() << "needs two ranks";
  Scene scene = breaking_plate();
  const std::uint64_t right = digest_after(core::Comm(MPI_COMM_SELF), scene);
  scene.fracture.fault = fracture::Fault::wrong_summation_order;
  EXPECT_NE(digest_after(world, scene), right);
}

}  // namespace
}  // namespace brisance::sim
