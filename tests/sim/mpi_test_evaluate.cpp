// `evaluate` reports the nodes that fail in a run: with the scene's criterion and all its settings, on any number of
// ranks.
#include "brisance/dist/distribute.hpp"
#include "brisance/fracture/criteria/failure_search.hpp"
#include "brisance/fracture/fields.hpp"
#include "brisance/sim/evaluate.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <set>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr double kStrength = 1e-3;  ///< of Young's modulus, which is 1

/// A unit cube, stretched along x increasingly with x, and sheared a little.
mesh::TetMesh stretched(double strain) {
  mesh::TetMesh cube = test::kuhn_box(4, 4, 4, 1, 1, 1);
  for (const Vec3& x : cube.nodes)
    cube.displacement.emplace_back(strain * (x[0] + 0.2 * x[0] * x[0]), -0.25 * strain * x[1],
                                   -0.25 * strain * x[2] + 0.1 * strain * x[0]);
  return cube;
}

/// Uniform tension: the principal stress is the same everywhere.
mesh::TetMesh pulled(double stress) {
  mesh::TetMesh cube = test::kuhn_box(4, 4, 4, 1, 1, 1);
  for (const Vec3& x : cube.nodes)
    cube.displacement.emplace_back(stress * x[0], -0.25 * stress * x[1], -0.25 * stress * x[2]);
  return cube;
}

Scene breakable() {
  Scene scene = test::bare_scene(test::solid(1, 0.25, 1));
  scene.materials[0].toughness = kStrength;
  scene.objects.resize(1);
  scene.objects[0].material = scene.materials[0].name;
  return scene;
}

Scene by_principal_stress(fracture::StressOf of) {
  Scene scene = breakable();
  scene.fracture.criterion = "principal_stress";
  scene.fracture.principal_stress_of = of;
  return scene;
}

struct Evaluated {
  Evaluation whole;
  std::set<std::int64_t> failing;  ///< nodes of this rank
};

Evaluated evaluated(const Scene& scene, const mesh::TetMesh& mesh) {
  io::GridPart fields;
  const core::Comm comm;
  Evaluated result{evaluate(comm, scene, dist::share_on_root(comm, comm.is_root() ? mesh : mesh::TetMesh()), fields),
                   {}};
  for (const io::GridArray& array : fields.point_arrays)
    if (array.name == "severity")
      for (std::size_t i = 0; i < array.values.size(); ++i)
        if (array.values[i] > 1) result.failing.insert(fields.point_id[i]);
  return result;
}

std::vector<std::uint32_t> masks_of(const Scene& scene, const mesh::TetMesh& mesh) {
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : mesh.nodes) masks.push_back(regions_at(scene, x));
  return masks;
}

/// Nodes of this rank that fail by the criterion of a run before the first step.
std::set<std::int64_t> failing_in_run(const Scene& scene, const mesh::TetMesh& whole) {
  Simulation simulation(core::Comm(), scene, whole, masks_of(scene, whole));
  dist::Mesh& mesh = simulation.mesh();
  fracture::FailureSearch criterion(
      mesh, scene.fracture, regions_constrained_at(scene, 0), [&](auto chosen, auto result) {
        dynamics::corner_forces(simulation.element_spans(), mesh.materials, mesh.motion.span(), chosen, result);
      });
  std::vector<LocalNode> nodes;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_owned(LocalNode(i))) nodes.emplace_back(i);
  std::set<std::int64_t> ids;
  for (const fracture::Failure& failure : criterion.failures(mesh, nodes, 0))
    ids.insert(mesh.node_id[failure.node].value);
  return ids;
}

std::int64_t cracks_of_first_step(const Scene& scene, const mesh::TetMesh& mesh) {
  Simulation simulation(core::Comm(), scene, mesh, masks_of(scene, mesh));
  simulation.step();
  return simulation.fracture_counters().cracks;
}

// The same nodes for any criterion, kind of strength, its direction, factors and constraints.
TEST(Evaluate, FailsWhomARunFails) {
  Scene force = breakable();
  force.materials[0].toughness_mode = material::ToughnessMode::force;
  force.materials[0].toughness = kStrength / 16;
  Scene directional = breakable();
  directional.materials[0].strength_ratio = Vec3(1.1, 1, 3);
  Scene directional_stress = by_principal_stress(fracture::StressOf::star);
  directional_stress.materials[0].strength_ratio = Vec3(1.1, 1, 3);
  Scene held = by_principal_stress(fracture::StressOf::star);
  held.regions = {test::grip({true, true, true}), test::grip({true, false, false})};
  held.regions[0].low = Vec3(0.9, -1, -1), held.regions[0].high = Vec3(2, 2, 2);
  held.regions[1].low = Vec3(-1, -1, -1), held.regions[1].high = Vec3(0.6, 2, 2);
  Scene hoop = breakable();
  hoop.fracture.direction = fracture::Direction::hoop;
  const mesh::TetMesh cube = stretched(0.85 * kStrength);
  for (const Scene& scene :
       {breakable(), by_principal_stress(fracture::StressOf::star), by_principal_stress(fracture::StressOf::element),
        force, directional, directional_stress, held, hoop}) {
    const Evaluated found = evaluated(scene, cube);
    const std::set<std::int64_t> expected = failing_in_run(scene, cube);
    EXPECT_EQ(found.failing, expected);
    const std::int64_t num_failing = core::Comm().sum(std::ssize(expected));
    EXPECT_EQ(found.whole.num_failing_nodes, num_failing);
    EXPECT_GT(num_failing, 0);
    EXPECT_LT(num_failing, std::ssize(cube.nodes));
    EXPECT_GT(cracks_of_first_step(scene, cube), 0);
  }
}

// Closed form: under uniform tension of 1.02 of the strength, principal stress fails every node at 1.02, corners too;
// under 0.98 none, and a run makes no crack. Separation tensors fail no node of the loaded ends.
TEST(Evaluate, PrincipalStressIsTheSameEverywhere) {
  const Scene stress = by_principal_stress(fracture::StressOf::star);
  const mesh::TetMesh above = pulled(1.02 * kStrength), below = pulled(0.98 * kStrength);
  EXPECT_EQ(evaluated(stress, above).whole.num_failing_nodes, 125);
  EXPECT_NEAR(evaluated(stress, above).whole.largest_severity, 1.02, 0.005);
  EXPECT_LE(evaluated(breakable(), above).whole.num_failing_nodes, 75);
  EXPECT_EQ(evaluated(stress, below).whole.num_failing_nodes, 0);
  EXPECT_NEAR(evaluated(stress, below).whole.largest_severity, 0.98, 0.005);
  EXPECT_GT(cracks_of_first_step(stress, above), 0);
  EXPECT_EQ(cracks_of_first_step(stress, below), 0);
}

// Under compression no node fails, and shares are 0.
TEST(Evaluate, PressureFailsNobody) {
  const Scene stress = by_principal_stress(fracture::StressOf::star);
  mesh::TetMesh cube = test::kuhn_box(2, 2, 2, 1, 1, 1);
  for (const Vec3& x : cube.nodes) cube.displacement.emplace_back(-0.02 * x);
  EXPECT_EQ(evaluated(stress, cube).whole.num_failing_nodes, 0);
  EXPECT_EQ(evaluated(stress, cube).whole.largest_severity, 0);
}

}  // namespace
}  // namespace brisance::sim
