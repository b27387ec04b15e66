// Deformable bodies that hit rigid ones, through the whole time loop: bars on a wall (VALIDATION E3) and the impulse of
// a drop (E8).
#include "brisance/mesh/tets/boundary_faces.hpp"

#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

contact::ColliderParameters ground() {
  contact::ColliderParameters plane;
  plane.name = "ground";
  plane.damping_ratio = 0;
  plane.friction = 0;
  return plane;
}

// VALIDATION E3: a bar that hits a rigid wall at v stays for 2L/c, stands under −ρcv behind its front, and leaves at v,
// free of stress. ν = 0: no lateral inertia. 5 % (the case's): the ringing of 40 elements and the give of the penalty
// spring, here ten times stiffer than the default, which is as soft as an element (and made the contact last 2.15 L/c).
TEST(Impact, E3BarBouncesOffARigidWallAfterTwoTransits) {
  constexpr int kCells = 40;
  const double speed = 1e-3;
  Scene scene = test::bare_scene(test::solid(1, 0, 1));  // c = 1, L = 1
  scene.colliders = {ground()};
  scene.colliders[0].stiffness_scale = 10;
  mesh::TetMesh bar = test::kuhn_box(2, 2, kCells, 0.05, 0.05, 1);
  bar.velocity.assign(bar.nodes.size(), Vec3(0, 0, -speed));
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, {});
  const double mass = simulation.energies().kinetic * 2 / (speed * speed);
  // Cells number along z first: the middle of the first column of cells.
  double stress = 0, time = 0, first = -1, last = 0;
  while (simulation.time_s() < 3) {
    simulation.step(3);
    const double now = simulation.time_s(), dt = simulation.last_step_s();
    if (simulation.num_contacts() > 0) {
      if (first < 0) first = now - dt;
      last = now;
    }
    if (now > 0.5 && now < 1.5) {
      stress += dt * test::mean_stress(simulation, 6 * (kCells / 4), 6)[2];
      time += dt;
    }
  }
  const Energies after = simulation.energies();
  RecordProperty("contact_time", std::to_string(last - first));
  RecordProperty("stress_over_reference", std::to_string(-stress / time / speed));
  RecordProperty("rebound_over_speed", std::to_string(after.momentum[2] / mass / speed));
  EXPECT_NEAR(last - first, 2, 0.1);
  EXPECT_NEAR(stress / time, -speed, 0.05 * speed);
  EXPECT_NEAR(after.momentum[2], mass * speed, 0.05 * mass * speed);
  EXPECT_LT(after.elastic, 0.05 * 0.5 * mass * speed * speed);
}

// VALIDATION E8: a block falls from H: it arrives at √(2gH), and the impulse of all contact forces is m(v + v′) plus
// the weight over the time. 1e-9: the same sums in another order; the arrival within one step's g dt and dt v.
TEST(Impact, E8ImpulseOfADropIsTheChangeOfMomentum) {
  const double height = 0.2, gravity = 9.81;
  Scene scene = test::bare_scene(test::solid(1e6, 0.3, 1000, 1e-4));
  scene.gravity = Vec3(0, 0, -gravity);
  scene.time.step_classes = 1;  // one force a step of every contact
  scene.colliders = {ground()};
  scene.colliders[0].damping_ratio = 0.1;
  scene.colliders[0].friction = 0.3;
  mesh::TetMesh block = test::kuhn_box(3, 3, 3, 0.1, 0.1, 0.1);
  for (Vec3& x : block.nodes) x[2] += height;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, block, {});
  const double mass = 1000 * 0.001;
  double impulse = 0, arrival = 0;
  const double until = 0.23;  // it has left the ground again
  while (simulation.time_s() < until) {
    const double before = -simulation.energies().momentum[2] / mass;
    simulation.step(until);
    if (simulation.num_contacts() > 0 && arrival == 0) arrival = before;
    for (const auto& contact : simulation.colliders().contacts())
      impulse += simulation.last_step_s() * (contact.spring + contact.dissipative)[2];
  }
  const double momentum = simulation.energies().momentum[2];
  RecordProperty("arrival_m_s", std::to_string(arrival));
  EXPECT_NEAR(arrival, std::sqrt(2 * gravity * height), 0.005 * arrival);
  EXPECT_GT(momentum, 0.3 * mass * arrival);  // it bounced
  EXPECT_NEAR(impulse, momentum + mass * gravity * until, 1e-9 * impulse);
}

/// Motion of a cube of VALIDATION I1 on a plane, or on a free ball, without damping or friction in the contact.
struct Rebound {
  double dug = 0;        ///< deepest contact [m]
  double momentum = 0;   ///< of the cube afterwards, upwards [kg m/s]
  double imbalance = 0;  ///< of the ledger, share of the first kinetic energy
  double drift = 0;      ///< of the momentum of cube and ball together [kg m/s]
};
Rebound rebound(dynamics::Integrator integrator, bool on_free_ball) {
  Scene scene = test::bare_scene(test::solid(1e6, 0.25, 1000, 2e-4));
  scene.colliders = {ground()};
  contact::ColliderParameters& other = scene.colliders[0];
  other.damping_ratio = other.friction = 0;
  if (on_free_ball) {
    other.shape = contact::ColliderShape::sphere;
    other.motion = contact::ColliderMotion::free;
    other.radius_m = 0.2;
    other.mass_kg = 3;
    other.position = Vec3(0.05, 0.05, -0.2);
  }
  scene.time.integrator = integrator;
  scene.time.max_step_s = 1e-5;
  mesh::TetMesh cube = test::kuhn_box(4, 4, 4, 0.1, 0.1, 0.1);
  for (Vec3& x : cube.nodes) x[2] += 1e-4;
  cube.velocity.assign(cube.nodes.size(), Vec3(0, 0, -0.5));
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, cube, {});
  const Energies start = simulation.energies();
  Rebound result;
  const double until = 0.03;
  while (simulation.time_s() < until) {
    simulation.step(until);
    for (const auto& contact : simulation.colliders().contacts()) result.dug = std::max(result.dug, contact.depth);
    if (simulation.num_steps() % 10 != 0) continue;
    const Energies now = simulation.energies();
    result.imbalance = std::max(result.imbalance, std::abs(now.total() - start.total()) / start.kinetic);
  }
  result.momentum = simulation.energies().momentum[2];
  const Vec3 of_ball = on_free_ball ? Vec3(3 * simulation.colliders().states()[0].velocity) : Vec3::Zero();
  result.drift = std::abs(result.momentum + of_ball[2] - start.momentum[2]);
  return result;
}

// VALIDATION I1: with predicted forces without contact, the Taylor step penetrated half as deep again and lost four
// fifths of the energy.
TEST(Impact, I1TaylorStepsMeetAPlaneAsSymplecticOnesDo) {
  const Rebound euler = rebound(dynamics::Integrator::symplectic_euler, false);
  const Rebound taylor = rebound(dynamics::Integrator::taylor2, false);
  EXPECT_NEAR(taylor.dug, euler.dug, 0.02 * euler.dug);
  EXPECT_NEAR(taylor.momentum, euler.momentum, 0.02 * euler.momentum);
  EXPECT_GT(euler.momentum, 0.4);
  EXPECT_LT(taylor.imbalance, 0.01);
}

// Bodies get the same mean of forces as the nodes: momentum to round-off of some thousand steps.
TEST(Impact, I1TaylorStepsKeepTheMomentumOfCubeAndFreeBall) {
  const Rebound taylor = rebound(dynamics::Integrator::taylor2, true);
  EXPECT_GT(taylor.dug, 1e-4);
  EXPECT_LT(taylor.drift, 1e-12);
  EXPECT_LT(taylor.imbalance, 0.02);
}

/// Positions of nodes 0 … n−1 of a ductile bar that flows at its limit, with a brittle one 10 m away that breaks or
/// not.
std::vector<double> ductile_bar_beside(bool other_breaks) {
  material::Material ductile = test::solid(1e6, 0.3, 1000, 1e-5), brittle = ductile;
  ductile.yield_strain = 0.005;
  ductile.plastic_limit = 0.02;
  brittle.toughness = other_breaks ? 2e3 : 1e12;
  Scene scene = test::bare_scene(ductile);
  scene.materials = {ductile, brittle};
  scene.time.max_step_s = 2e-6;  // the same whatever cuts leave behind
  mesh::TetMesh bars = test::kuhn_box(6, 2, 2, 0.3, 0.1, 0.1);
  const std::size_t nodes = bars.nodes.size(), tets = bars.tets.size();
  bars.region.assign(tets, 0);
  for (std::size_t i = 0; i < nodes; ++i) bars.nodes.push_back(bars.nodes[i] + Vec3(10, 0, 0));
  for (std::size_t e = 0; e < tets; ++e) {
    auto tet = bars.tets[e];
    for (auto& corner : tet) corner += static_cast<std::int32_t>(nodes);
    bars.tets.push_back(tet);
    bars.region.push_back(1);
  }
  EXPECT_FALSE(mesh::number_boundary(bars).has_value());
  for (std::size_t i = 0; i < bars.nodes.size(); ++i)
    bars.velocity.emplace_back(40 * (bars.nodes[i % nodes].x() - 0.15), 0, 3 * bars.nodes[i % nodes].y());
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bars, {});
  for (int i = 0; i < 1500; ++i) simulation.step(1);
  EXPECT_EQ(simulation.fracture_counters().cracks > 10, other_breaks);
  EXPECT_GT(simulation.energies().plastic_loss, 0);
  std::vector<double> positions;
  for (std::size_t i = 0; i < nodes; ++i) {
    const Vec3 x = test::position(simulation, static_cast<std::int64_t>(i));
    positions.insert(positions.end(), x.begin(), x.end());
  }
  return positions;
}

// VALIDATION I2: forces computed again after a crack let no other element flow a second time.
TEST(Plasticity, I2ACrackTenMetresAwayChangesNoBit) { EXPECT_EQ(ductile_bar_beside(true), ductile_bar_beside(false)); }

}  // namespace
}  // namespace brisance::sim
