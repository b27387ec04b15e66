// Every criterion of the table in a body under uniform stress (VALIDATION C0, C4).
#include "brisance/fracture/criteria/failure_search.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <string>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr int kCells = 4;
constexpr std::int64_t kCentre = (2 * (kCells + 1) + 2) * (kCells + 1) + 2;
constexpr double kStrength = 1e-3;  ///< of Young's modulus, which is 1

/// Severity at the centre of a cube under uniaxial stress along x.
fracture::Severity at_centre(const std::string& criterion, double stress) {
  Scene scene = test::bare_scene(test::solid(1, 0.25, 1));
  scene.materials[0].toughness = kStrength;
  scene.fracture.criterion = criterion;
  mesh::TetMesh cube = test::kuhn_box(kCells, kCells, kCells, 1, 1, 1);
  for (const Vec3& x : cube.nodes)
    cube.displacement.emplace_back(stress * x[0], -stress / 4 * x[1], -stress / 4 * x[2]);
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, cube, {});
  const dist::Mesh& mesh = simulation.mesh();
  fracture::FailureSearch search(mesh, scene.fracture, {}, [&](auto chosen, auto result) {
    dynamics::corner_forces(simulation.element_spans(), mesh.materials, mesh.motion.span(), chosen, result);
  });
  const LocalNode node = mesh.find(GlobalNode(kCentre));
  const fracture::Severity severity = search.severities(mesh, std::span(&node, 1))[0];
  EXPECT_EQ(search.failures(simulation.mesh(), std::span(&node, 1), 0).size(), severity.share > 1 ? 1u : 0u);
  return severity;
}

// Half a percent: strains of a thousandth are not quite linear.
TEST(Criteria, EachHasTheStrengthAsItsLimitInUniaxialTension) {
  for (const fracture::CriterionKind* kind : fracture::criterion_kinds()) {
    SCOPED_TRACE(kind->name);
    const fracture::Severity above = at_centre(kind->name, 1.02 * kStrength);
    EXPECT_NEAR(above.share, 1.02, 0.005);
    EXPECT_NEAR(std::abs(above.normal.x()), 1, 1e-6);
    EXPECT_NEAR(at_centre(kind->name, 0.98 * kStrength).share, 0.98, 0.005);
    EXPECT_LT(at_centre(kind->name, -50 * kStrength).share, 1);
  }
}

}  // namespace
}  // namespace brisance::sim
