// Deformable bodies that meet rigid ones, through the whole time loop: bars on a wall (VALIDATION E3) and the impulse
// of a drop (E8).
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

}  // namespace
}  // namespace brisance::sim
