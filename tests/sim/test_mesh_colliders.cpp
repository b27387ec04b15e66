// A rigid body given by triangles on a deformable one, through the whole time loop.
#include "support/kuhn.hpp"
#include "support/rigid_meshes.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

/// A soft slab on the ground, and a cube on the slab.
Scene cube_on_a_slab() {
  Scene scene = test::bare_scene(test::solid(1e6, 0.3, 1000, 2e-4));
  scene.gravity = Vec3(0, 0, -9.81);
  contact::ColliderParameters ground, cube = test::mesh_collider(test::block(Vec3::Constant(0.1)));
  ground.name = "ground";
  cube.name = "cube";
  cube.motion = contact::ColliderMotion::free;
  cube.density_kg_m3 = 2000;
  cube.position = Vec3(0.16, 0.15, 0.151);
  cube.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vec3::UnitZ()));
  cube.damping_ratio = ground.damping_ratio = 0.3;
  scene.colliders = {ground, cube};
  return scene;
}

TEST(MeshColliders, AFreeCubeComesToRestOnADeformableSlab) {
  Simulation simulation(core::Comm(MPI_COMM_SELF), cube_on_a_slab(), test::kuhn_box(8, 8, 2, 0.32, 0.32, 0.1), {});
  const double before = simulation.energies().total(), weight = 2 * 9.81;
  double largest = 0;
  while (simulation.time_s() < 0.6) {
    simulation.step(0.6);
    largest = std::max(largest, std::abs(simulation.energies().total() - before));
  }
  const contact::BodyState& cube = simulation.colliders().states()[1];
  EXPECT_LT(cube.velocity.norm(), 2e-3);
  EXPECT_NEAR(cube.position.z(), 0.15, 2e-3);  // the slab is compressed by its own weight and the cube's
  EXPECT_LT(largest, 0.01 * weight * 0.151);
  double borne = 0, deepest = 0;
  for (const auto& contact : simulation.colliders().contacts()) {
    if (contact.body != 1) continue;
    borne -= (contact.spring + contact.dissipative).z();
    deepest = std::max(deepest, contact.depth);
  }
  EXPECT_NEAR(borne, weight, 0.02 * weight);
  EXPECT_LT(deepest, 0.05 * 0.04);  // of an element
  RecordProperty("deepest_m", std::to_string(deepest));
  RecordProperty("imbalance_j", std::to_string(largest));
}

}  // namespace
}  // namespace brisance::sim
