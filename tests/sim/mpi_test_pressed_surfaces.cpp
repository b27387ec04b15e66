/// Surfaces under contact pressure: with contact forces in the separation tensor they bear the same as the inside of a
/// body (docs/MATERIALS.md, "Pressed surfaces").
#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/fracture/criteria/node_area.hpp"
#include "brisance/fracture/criteria/separation.hpp"
#include "brisance/fracture/fields.hpp"

#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/simulated.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::joined;
using test::moved;

constexpr double kYoung = 1e7, kStrength = 2e4;  // Pa

Scene breakable_scene() {
  Scene scene = test::bare_scene(test::solid(kYoung, 0.3, 1000, 3e-4));
  scene.materials[0].toughness = kStrength;
  scene.materials[0].toughness_mode = material::ToughnessMode::stress;
  return scene;
}

/// A plane that moves at this velocity along its normal, from where it is.
contact::ColliderParameters press(const Vec3& position, const Vec3& normal, double speed, double until_s,
                                  double friction) {
  contact::ColliderParameters plane;
  plane.name = "press";
  plane.motion = contact::ColliderMotion::path;
  plane.position = position;
  plane.normal = normal;
  plane.friction = friction;
  plane.damping_ratio = 0.5;
  const Vec3 shift = speed * until_s * normal;
  plane.path = {{.time_s = 0, .position = position}, {.time_s = until_s, .position = position + shift}};
  return plane;
}

/// Mean pressure on the first body, over σ_c.
double pressure(const Simulation& simulation, double area) {
  double force = 0;
  for (const contact::NodeContact& c : simulation.colliders().contacts())
    if (c.body == 0) force += c.force().norm();
  return test::sum_over_ranks(simulation.comm(), Vec3(force, 0, 0)).x() / area / kStrength;
}

// The half star of a surface node under uniaxial compression −σ, with the contact force on it: like the full star
// completed by its mirror image, ζ = −σ 2 A_n n nᵀ. Under pressure from all sides there is no tension.
TEST(PressedSurfaces, NodeThatIsPressedSeesWhatAnInnerNodeSees) {
  constexpr double kStrain = 1e-7;  // small enough for linear results
  Scene scene = breakable_scene();
  scene.colliders = {press(Vec3(0, 0, -1), Vec3::UnitZ(), 0.1, 1, 0)};  // far away, so that the run has contact
  const mesh::TetMesh cube = test::kuhn_box(4, 4, 4, 1, 1, 1);
  for (const bool on_all_sides : {false, true}) {
    const Vec3 stress = on_all_sides ? Vec3(-1, -1, -1) : Vec3(0, 0, -1);
    mesh::TetMesh pressed = cube;
    for (const Vec3& x : cube.nodes)
      pressed.displacement.push_back(kStrain * (1.3 * stress - 0.3 * stress.sum() * Vec3::Ones()).cwiseProduct(x));
    Simulation simulation(core::Comm(MPI_COMM_SELF), scene, pressed, {});
    dist::Mesh& mesh = simulation.mesh();
    AlignedNodeField<dist::NodeForce> forces(mesh.node_id.size());
    dynamics::internal_forces(simulation.element_spans(), mesh.materials, mesh.motion.span(), forces.span(), {});
    std::vector<LocalNode> nodes;  // inside the lower face
    test::for_each_owned(simulation, [&](LocalNode n, std::int64_t) {
      const Vec3& x = mesh.rest[n];
      if (x.z() != 0 || x.head<2>().minCoeff() == 0 || x.head<2>().maxCoeff() == 1) return;
      nodes.push_back(n);
      Eigen::Map<Vec3>(mesh.field(fracture::kContactAcceleration)[n].data()) =
          -mesh.inverse_mass[n] * Vec3(forces[n].force);
    });
    EXPECT_EQ(nodes.size(), 9U);
    const auto corner_forces = [&](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
      dynamics::corner_forces(simulation.element_spans(), mesh.materials, mesh.motion.span(), chosen, result);
    };
    for (const fracture::NodeSeparation& s : fracture::separations(mesh, nodes, corner_forces)) {
      const double scale = kStrain * kYoung * 2 * fracture::projected_area(mesh, s.node, Vec3::UnitZ());
      EXPECT_LT(s.principal.force, 1e-6 * scale);
      if (on_all_sides) continue;
      EXPECT_LT((s.zeta / scale + Mat3(Vec3(0, 0, 1).asDiagonal())).norm(), 1e-5);
    }
  }
}

/// Largest share of any node, and the same without the contact force.
struct Shares {
  double with_contact = 0, without = 0;
};
Shares largest_shares(Simulation& simulation) {
  dist::Mesh& mesh = simulation.mesh();
  const auto forces = [&](std::span<const std::int32_t> chosen, std::span<dist::CornerForces> result) {
    dynamics::corner_forces(simulation.element_spans(), mesh.materials, mesh.motion.span(), chosen, result);
  };
  const auto largest = [&] {
    std::vector<LocalNode> owned;
    test::for_each_owned(simulation, [&](LocalNode n, std::int64_t) { owned.push_back(n); });
    double most = 0;
    for (const fracture::NodeSeparation& s : fracture::separations(mesh, owned, forces))
      most = std::max(most, fracture::severity(mesh, s));
    return simulation.comm().max(most);
  };
  Shares shares;
  shares.with_contact = largest();
  std::ranges::fill(mesh.field(fracture::kContactAcceleration).span(), fracture::kContactAcceleration.initial);
  shares.without = largest();
  return shares;
}

// A cube between two plates, free at its sides: 8 σ_c at the end. With friction at the plates it bulges.
TEST(PressedSurfaces, BlockBetweenPlatesDoesNotCrackOfPressure) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  for (const double friction : {0.0, 0.3}) {
    Scene scene = breakable_scene();
    constexpr double kUntil = 0.06, kSpeed = 0.03;
    scene.colliders = {press(Vec3::Zero(), Vec3::UnitZ(), kSpeed, kUntil, friction),
                       press(Vec3(0, 0, 0.1), -Vec3::UnitZ(), kSpeed, kUntil, friction)};
    Simulation simulation(core::Comm(), scene, test::kuhn_box(4, 4, 4, 0.1, 0.1, 0.1), {});
    test::run_until(simulation, kUntil);
    EXPECT_GT(pressure(simulation, 0.01), 7);
    EXPECT_EQ(simulation.fracture_counters().cracks, 0) << friction;
    EXPECT_LT(largest_shares(simulation).with_contact, 0.5);
  }
}

// Under pressure from all six sides, 7.6 σ_c. Without the contact force, the remaining elements' forces
// at a surface node appear as tension (VALIDATION I8).
TEST(PressedSurfaces, CubePressedFromAllSidesDoesNotCrack) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  Scene scene = breakable_scene();
  constexpr double kUntil = 0.06, kSpeed = 0.02;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 n = Vec3::Unit(axis);
    scene.colliders.push_back(press(Vec3::Zero(), n, kSpeed, kUntil, 0));
    scene.colliders.push_back(press(0.1 * n, -n, kSpeed, kUntil, 0));
  }
  Simulation simulation(core::Comm(), scene, test::kuhn_box(4, 4, 4, 0.1, 0.1, 0.1), {});
  test::run_until(simulation, kUntil);
  EXPECT_EQ(simulation.fracture_counters().cracks, 0);
  EXPECT_GT(pressure(simulation, 0.01), 7);
  const Shares shares = largest_shares(simulation);
  EXPECT_LT(shares.with_contact, 1e-3);
  EXPECT_GT(shares.without, 2);
}

// Three cubes on each other, node on node and offset, with prescribed end displacements: 8 σ_c at the end. Points
// between nodes press unevenly, which bends facets.
TEST(PressedSurfaces, BodiesThatPressOnEachOtherDoNotCrack) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  for (const Vec3& beside : {Vec3(0, 0, 0), Vec3(0.007, 0.004, 0)}) {
    Scene scene = breakable_scene();
    scene.contact.enabled = contact::ContactSwitch::on;
    scene.contact.criterion = contact::ContactCriterion::surface;
    scene.regions = {test::grip({false, false, true}), test::grip({false, false, true}, -0.1 * Vec3::UnitZ())};
    for (auto& region : scene.regions) region.ramp_s = 0.02;
    const mesh::TetMesh cube = test::kuhn_box(4, 4, 4, 0.1, 0.1, 0.1);
    const mesh::TetMesh all =
        joined(joined(cube, Vec3::Zero(), moved(cube, Mat3::Identity(), beside + Vec3(0, 0, 0.1)), Vec3::Zero()),
               Vec3::Zero(), moved(cube, Mat3::Identity(), Vec3(0, 0, 0.2)), Vec3::Zero());
    std::vector<std::uint32_t> regions;
    for (const Vec3& x : all.nodes) regions.push_back(x.z() < 1e-6 ? 1 : x.z() > 0.3 - 1e-6 ? 2 : 0);
    Simulation simulation(core::Comm(), scene, all, regions);
    test::run_until(simulation, 0.06);
    double up = 0;  // on the uppermost cube
    for (const contact::ContactForce& c : simulation.surface_contact()->forces())
      if (simulation.mesh().rest[LocalNode(c.slot)].z() > 0.15) up += std::max(0.0, c.force.z());
    EXPECT_GT(test::sum_over_ranks(simulation.comm(), Vec3(up, 0, 0)).x() / 0.01 / kStrength, 7);
    EXPECT_EQ(simulation.fracture_counters().cracks, 0);
    EXPECT_LT(largest_shares(simulation).with_contact, 0.7);
  }
}

// Tension in a body that contact forces cause still breaks it: a block lies on a step with one end and is pressed on
// the other.
TEST(PressedSurfaces, WhatContactBendsStillCracks) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  Scene scene = breakable_scene();
  constexpr double kUntil = 0.06;
  contact::ColliderParameters roll = press(Vec3(0.2, 0.05, 0.1499), Vec3::UnitZ(), -0.2, kUntil, 0);
  roll.shape = contact::ColliderShape::sphere;
  roll.radius_m = 0.05;
  scene.colliders = {roll};
  scene.regions = {test::grip({true, true, true})};
  const mesh::TetMesh beam = test::kuhn_box(16, 4, 4, 0.4, 0.1, 0.1);
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : beam.nodes) regions.push_back(x.x() < 0.02 || x.x() > 0.38 ? 1 : 0);
  Simulation simulation(core::Comm(), scene, beam, regions);
  test::run_until(simulation, kUntil);
  EXPECT_GT(simulation.fracture_counters().cracks, 5);
}

}  // namespace
}  // namespace brisance::sim
