// Mesh bodies in motion: compared with a box of the same size, at rest on a plane and on each other, on a step.
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/error.hpp"

#include "mass_points.hpp"
#include "rigid_bodies.hpp"
#include "support/rigid_meshes.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

using test::block;
using test::mesh_collider;
using testing::advance, testing::kStep, testing::MassPoints, testing::total_energy;

constexpr double kWaveFrequency = 1e4;
const Vec3 kGravity(0, 0, -9.81);

ColliderParameters ground() {
  ColliderParameters plane;
  plane.name = "ground";
  return plane;
}

ColliderParameters box(const Vec3& size) {
  ColliderParameters p;
  p.name = "box";
  p.shape = ColliderShape::box;
  p.size = size;
  return p;
}

ColliderParameters freed(ColliderParameters p, const Vec3& position) {
  p.motion = ColliderMotion::free;
  p.position = position;
  p.density_kg_m3 = 500;
  return p;
}

/// A cloud of mass points through which a free body is thrown: all effects of node contacts on it.
void throw_through_points(RigidColliders& body, MassPoints& points, int steps) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 3; ++k)
        points.add(Vec3(0.07 * i - 0.2 + 0.003 * k, 0.07 * j - 0.19 + 0.002 * i, -0.3 - 0.05 * k), Vec3::Zero(), 0.05,
                   3000);
  for (int step = 1; step <= steps; ++step) points.step(core::Comm(), body, step * kStep, kStep, Vec3::Zero());
}

TEST(MeshBodies, BlockStrikesNodesAsTheBoxDoes) {
  const Vec3 size(0.4, 0.3, 0.2);
  std::vector<RigidColliders> bodies;
  std::vector<MassPoints> points(2);
  for (const ColliderParameters& shape : {box(size), mesh_collider(block(size))}) {
    ColliderParameters p = freed(shape, Vec3(0.01, 0.02, -0.1));
    p.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vec3(1, 2, 0).normalized()));
    p.velocity = Vec3(0.5, 0, -6);
    p.angular_velocity = Vec3(1, 2, 3);
    bodies.emplace_back(std::vector{p});
    throw_through_points(bodies.back(), points[bodies.size() - 1], 1500);
  }
  const BodyState &a = bodies[0].states()[0], &b = bodies[1].states()[0];
  EXPECT_GT((a.velocity - Vec3(0.5, 0, -6)).norm(), 1);  // it has hit points
  EXPECT_NEAR((a.position - b.position).norm(), 0, 1e-11);
  EXPECT_NEAR((a.velocity - b.velocity).norm(), 0, 1e-9);
  EXPECT_NEAR((a.angular_velocity - b.angular_velocity).norm(), 0, 1e-8);
  for (const std::int32_t i : points[0].owned)
    EXPECT_NEAR((points[0].velocity(i) - points[1].velocity(i)).norm(), 0, 1e-8);
}

TEST(MeshBodies, BlockFallsAndBouncesAsTheBoxDoes) {
  const Vec3 size(0.2, 0.3, 0.1);
  std::vector<BodyState> after;
  for (const ColliderParameters& shape : {box(size), mesh_collider(block(size))}) {
    ColliderParameters plane = ground(), p = freed(shape, Vec3(0, 0, 0.06));
    plane.damping_ratio = p.damping_ratio = 0;
    p.velocity = Vec3(0, 0, -2);
    RigidColliders bodies({plane, p});
    bodies.let_bodies_touch(kWaveFrequency);
    const double before = total_energy(bodies, kGravity);
    advance(bodies, 0.03, kGravity);
    EXPECT_NEAR(total_energy(bodies, kGravity), before, 0.01 * std::abs(before));
    after.push_back(bodies.states()[1]);
  }
  // Points of the face between the corners make the mesh's spring a twelfth stiffer, and the contact as much shorter.
  EXPECT_GT(after[0].velocity.z(), 1.5);
  EXPECT_NEAR(after[1].velocity.z(), after[0].velocity.z(), 0.01);
  EXPECT_LT(after[1].angular_velocity.norm(), 1e-2);
}

TEST(MeshBodies, TumblingBlockKeepsTheMotionOfTheBox) {
  const Vec3 size(0.2, 0.3, 0.1);
  test::ClosedSurface oblique = block(size);  // rotated and far from the origin in its file
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.9, 0.1, -0.4, 0.2).normalized();
  for (Vec3& x : oblique.vertices) x = turn * x + Vec3(3, 2, 1);
  ColliderParameters a = freed(box(size), Vec3(3, 2, 1)), b = freed(mesh_collider(oblique), Vec3::Zero());
  a.orientation = turn;
  a.angular_velocity = b.angular_velocity = Vec3(2, 10, -3);
  RigidColliders bodies({a, b});
  EXPECT_NEAR((bodies.states()[0].position - bodies.states()[1].position).norm(), 0, 1e-14);
  EXPECT_NEAR(bodies.parameters(1).mass_kg, 3, 1e-13);
  EXPECT_EQ(bodies.parameters(0).mass_kg, 3);
  for (int step = 1; step <= 20000; ++step) bodies.advance(core::Comm(), step * kStep, kStep, kGravity);
  const Mat3 now_a = bodies.states()[0].orientation.toRotationMatrix();
  const Mat3 now_b = (bodies.states()[1].orientation * turn).toRotationMatrix();
  EXPECT_NEAR((now_a - now_b).norm(), 0, 1e-9);
  EXPECT_NEAR(kinetic_energy(bodies, 0), kinetic_energy(bodies, 1), 1e-9);
}

TEST(MeshBodies, CubeComesToRestOnAPlane) {
  ColliderParameters cube = freed(mesh_collider(block(Vec3::Constant(0.1))), Vec3(0, 0, 0.08));
  cube.damping_ratio = 0.3;
  cube.angular_velocity = Vec3(0.2, 0.1, 0.3);
  cube.velocity = Vec3(0.1, 0, 0);
  RigidColliders bodies({ground(), cube});
  bodies.let_bodies_touch(kWaveFrequency);
  const double before = total_energy(bodies, kGravity);
  advance(bodies, 1.5, kGravity);
  const BodyState at_rest = bodies.states()[1];
  EXPECT_LT(at_rest.velocity.norm(), 1e-6);
  // Friction at several points stops a spin more than once: it alternates from step to step, by this much.
  EXPECT_LT(at_rest.angular_velocity.norm(), 5e-3);
  EXPECT_NEAR(at_rest.position.z(), 0.05, 2e-5);  // m g / k of about four corners is 1.2e-5 m
  EXPECT_NEAR(total_energy(bodies, kGravity), before, 0.01 * before);
  advance(bodies, 0.5, kGravity);
  EXPECT_LT((bodies.states()[1].position - at_rest.position).norm(), 1e-8);  // no creep
  EXPECT_LT(bodies.states()[1].orientation.angularDistance(at_rest.orientation), 1e-6);
}

/// Two cubes, one on the other, exactly aligned or turned.
void stack(double turn_rad, double& penetration, double& drift) {
  const auto cube = [&](const char* name, double height, double turn) {
    ColliderParameters p = freed(mesh_collider(block(Vec3::Constant(0.1))), Vec3(0, 0, height));
    p.name = name;
    p.damping_ratio = 0.3;
    p.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(turn, Vec3::UnitZ()));
    return p;
  };
  RigidColliders bodies({ground(), cube("lower", 0.05, 0), cube("upper", 0.15, turn_rad)});
  bodies.let_bodies_touch(kWaveFrequency);
  const double before = total_energy(bodies, kGravity);
  advance(bodies, 0.5, kGravity);
  const BodyState lower = bodies.states()[1], upper = bodies.states()[2];
  penetration = std::max(0.05 - lower.position.z(), 0.1 - (upper.position.z() - lower.position.z()));
  advance(bodies, 0.5, kGravity);
  drift = std::max((bodies.states()[1].position - lower.position).norm(),
                   (bodies.states()[2].position - upper.position).norm());
  EXPECT_LT(upper.orientation.angularDistance(bodies.states()[2].orientation), 1e-6);
  EXPECT_LT(Eigen::Quaterniond(Eigen::AngleAxisd(turn_rad, Vec3::UnitZ())).angularDistance(upper.orientation), 1e-3);
  EXPECT_NEAR(total_energy(bodies, kGravity), before, 1e-3 * before);
}

TEST(MeshBodies, TwoCubesStackWithoutDrift) {
  double penetration = 0, drift = 0;
  stack(0.4, penetration, drift);
  // The upper cube's corners lie outside the lower one's sides, so that faces alone carry it: points of weight 2/6 on
  // either, inside the other's outline. m g / k = 9.81 · 5.5 / (0.6 · 0.5 · 10⁶) m.
  EXPECT_LT(penetration, 2.2e-4);
  EXPECT_GT(penetration, 1.2e-4);
  EXPECT_LT(drift, 1e-7);
  // Exactly aligned, the corners of one lie on the sides of the other and carry nothing: the points between them do.
  RecordProperty("turned_penetration_um", static_cast<int>(1e6 * penetration));
  RecordProperty("turned_drift_pm", static_cast<int>(1e12 * drift));
  stack(0, penetration, drift);
  EXPECT_LT(penetration, 5e-4);
  EXPECT_LT(drift, 1e-7);
  RecordProperty("aligned_penetration_um", static_cast<int>(1e6 * penetration));
  RecordProperty("aligned_drift_pm", static_cast<int>(1e12 * drift));
}

TEST(MeshBodies, BallBoxAndCubeRestOnAStepGivenAsAMesh) {
  ColliderParameters floor = mesh_collider(test::step(1, 0.2)), ball, crate = box(Vec3(0.1, 0.1, 0.1));
  ball.name = "ball";
  ball.shape = ColliderShape::sphere;
  ball.radius_m = 0.1;
  const auto cube = freed(mesh_collider(block(Vec3::Constant(0.1))), Vec3(-0.5, 0.3, 0.06));
  RigidColliders bodies({floor, freed(ball, Vec3(-0.5, -0.3, 0.11)), freed(crate, Vec3(0.5, -0.3, -0.14)), cube});
  bodies.let_bodies_touch(kWaveFrequency);
  const double before = total_energy(bodies, kGravity);
  advance(bodies, 1.5, kGravity);
  EXPECT_NEAR(bodies.states()[1].position.z(), 0.1, 1e-4);
  EXPECT_NEAR(bodies.states()[2].position.z(), -0.15, 1e-4);
  EXPECT_NEAR(bodies.states()[3].position.z(), 0.05, 1e-4);
  for (std::size_t b = 1; b < 4; ++b) EXPECT_LT(bodies.states()[b].velocity.norm(), 1e-3);
  EXPECT_NEAR(total_energy(bodies, kGravity), before, 0.01 * std::abs(before) + 0.01);
}

TEST(MeshBodies, FixedMeshStandsWhereItsFileSaysAndPathsLeadItsOrigin) {
  test::ClosedSurface off = block({0.2, 0.2, 0.2});
  for (Vec3& x : off.vertices) x += Vec3(1, 0, 0);
  ColliderParameters fixed = mesh_collider(off), led = fixed;
  fixed.position = Vec3(0, 0, 5);
  led.motion = ColliderMotion::path;
  led.path = {{0, Vec3::Zero(), Eigen::Quaterniond::Identity()},
              {1, Vec3(0, 0, 2), Eigen::Quaterniond(Eigen::AngleAxisd(1, Vec3::UnitZ()))}};
  RigidColliders bodies({fixed, led}, 0.5);
  EXPECT_NEAR(bodies.depth_in(0, Vec3(1, 0, 5), 0), 0.1, 1e-14);
  EXPECT_EQ(bodies.depth_in(0, Vec3(0, 0, 5), 0), 0);
  const Vec3 middle(std::cos(0.5), std::sin(0.5), 1);
  EXPECT_NEAR(bodies.depth_in(1, middle, 0), 0.1, 1e-14);
  EXPECT_NEAR((bodies.states()[1].velocity - Vec3(-std::sin(0.5), std::cos(0.5), 2)).norm(), 0, 1e-14);
}

TEST(MeshBodies, AFreeOneWithoutMassAndOneWithoutItsMeshAreRefused) {
  ColliderParameters cube = mesh_collider(block(Vec3::Constant(0.1)));
  cube.motion = ColliderMotion::free;
  EXPECT_THROW(RigidColliders({cube}), core::Error);
  cube.mass_kg = 1;
  EXPECT_NO_THROW(RigidColliders({cube}));
  cube.mesh = {};
  EXPECT_THROW(RigidColliders({cube}), core::Error);
}

TEST(MeshBodies, ACubeInsideAnotherIsRefused) {
  const auto cube = mesh_collider(block(Vec3::Constant(0.1)));
  RigidColliders bodies({cube, freed(cube, Vec3(0.03, 0.02, 0.09))});
  EXPECT_THROW(bodies.let_bodies_touch(kWaveFrequency), core::Error);
}

TEST(MeshBodies, RestoredOnesGoOnWithTheSameBitsAndOtherMeshesAreRefused) {
  const auto cube = freed(mesh_collider(block(Vec3::Constant(0.1))), Vec3(0, 0, 0.055));
  const std::vector<ColliderParameters> scene{mesh_collider(test::step(1, 0.2)), cube};
  RigidColliders straight(scene);
  straight.let_bodies_touch(kWaveFrequency);
  advance(straight, 0.05, kGravity);
  RigidColliders resumed(scene);
  resumed.restore(straight.save());
  EXPECT_GT(straight.between_bodies().energies().stored, 0);
  for (int step = 1; step <= 1000; ++step)
    for (RigidColliders* bodies : {&straight, &resumed})
      bodies->advance(core::Comm(), 1 + step * kStep, kStep, kGravity);
  EXPECT_EQ(straight.save(), resumed.save());

  RigidColliders other({mesh_collider(test::step(1, 0.21)), cube});
  EXPECT_THAT([&] { other.restore(straight.save()); },
              ::testing::ThrowsMessage<core::Error>(::testing::HasSubstr("mesh collider has changed")));
  resumed.change_from(scene, 1);  // the same scene, before its mass was known: nothing changes
  EXPECT_EQ(straight.save(), resumed.save());
}

}  // namespace
}  // namespace brisance::contact
