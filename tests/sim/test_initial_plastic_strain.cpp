// Bodies that have flowed before the run: their shape at rest is not stress-free.
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

SymMat3 along_x(double strain) {
  SymMat3 flowed;
  flowed << strain, -strain / 2, -strain / 2, 0, 0, 0;
  return flowed;
}

/// Soft, well damped, and far from flowing any further.
material::Material flowed_before(double strain) {
  material::Material m = test::solid(1e6, 0.3, 1000, 2e-3);
  m.yield_strain = 0.5;
  m.plastic_limit = 1;
  m.initial_plastic_strain = along_x(strain);
  return m;
}

/// Length of an edge of the bar, from its corner at the origin: bodies may rotate while they spring back [m].
double edge_of(const Simulation& simulation, const Vec3& to) {
  const dist::Mesh& mesh = simulation.mesh();
  Vec3 ends[2];
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    for (int k = 0; k < 2; ++k)
      if ((mesh.rest[LocalNode(i)] - k * to).norm() < 1e-9) ends[k] = Vec3(mesh.motion[LocalNode(i)].position);
  return (ends[1] - ends[0]).norm();
}

// Without stress FᵀF = I + ε^p: a bar that has flowed along x by ε_xx comes to rest √(1 + ε_xx) times as long and
// √(1 − ε_xx/2) as thick. On the way the account closes: what springs up was stored.
TEST(InitialPlasticStrain, ABarFindsTheShapeThatItHasFlowedTo) {
  for (const double strain : {0.2, -0.1}) {
    Scene scene = test::bare_scene(flowed_before(strain));
    Simulation simulation(core::Comm(MPI_COMM_SELF), scene, test::kuhn_box(6, 1, 1, 0.6, 0.1, 0.1), {});
    const Energies start = simulation.energies();
    EXPECT_GT(start.elastic, 0);
    EXPECT_EQ(start.plastic_loss, 0);
    test::run_until(simulation, 1);
    EXPECT_NEAR(edge_of(simulation, Vec3(0.6, 0, 0)), 0.6 * std::sqrt(1 + strain), 1e-5);
    EXPECT_NEAR(edge_of(simulation, Vec3(0, 0.1, 0)), 0.1 * std::sqrt(1 - strain / 2), 1e-5);
    const Energies end = simulation.energies();
    EXPECT_LT(end.elastic, 1e-6 * start.elastic);
    EXPECT_NEAR(end.total(), start.total(), 5e-3 * start.elastic);
  }
}

// Only elements of the material with initial plastic strain have it: the rest is stretched along, and both keep some
// stress.
TEST(InitialPlasticStrain, BelongsToItsMaterial) {
  Scene scene = test::bare_scene(flowed_before(0.1));
  scene.materials.push_back(scene.materials[0]);
  scene.materials[1].name = "as made";
  scene.materials[1].initial_plastic_strain.setZero();
  mesh::TetMesh bar = test::kuhn_box(6, 1, 1, 0.6, 0.1, 0.1);
  bar.region.clear();
  for (const auto& tet : bar.tets) {
    double height = 0;
    for (const auto n : tet) height += bar.nodes[static_cast<std::size_t>(n)].x() / 4;
    bar.region.push_back(height < 0.3 ? 0 : 1);
  }
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, {});
  const double start = simulation.energies().elastic;
  test::run_until(simulation, 1);
  const double length = edge_of(simulation, Vec3(0.6, 0, 0));
  EXPECT_NEAR(length, 0.3 + 0.3 * std::sqrt(1.1), 2e-3);
  EXPECT_GT(simulation.energies().elastic, 1e-3 * start);
}

}  // namespace
}  // namespace brisance::sim
