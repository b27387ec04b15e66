/// Contact between bodies in implicit steps: rest, collisions, no tunnelling, and the same bits on any number of ranks.
#include "support/breaking_plate.hpp"
#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/shuffled_owners.hpp"
#include "support/simulated.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <petscsys.h>

namespace brisance::sim {
namespace {

using test::digest_of;
using test::joined;
using test::moved;

constexpr double kGravity = 9.81;

Scene touching_scene(const material::Material& m, double step_s) {
  Scene scene = test::implicit_scene(m, step_s);
  scene.time.solver = dynamics::Solver::lattice;
  scene.contact.enabled = contact::ContactSwitch::on;
  return scene;
}

/// One block on another on the ground, both soft; the upper one has other tets and is rotated.
struct Stack {
  Scene scene;
  mesh::TetMesh mesh;
  static constexpr double kLowerHeight = 0.1, kGap = 0.002;

  explicit Stack(double step_s) {
    material::Material m = test::solid(2e5, 0.3, 1000, 2e-3);
    scene = touching_scene(m, step_s);
    scene.gravity = Vec3(0, 0, -kGravity);
    contact::ColliderParameters ground;
    ground.name = "ground";
    scene.colliders = {ground};
    const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
    mesh = joined(test::kuhn_box(4, 4, 2, 0.2, 0.2, kLowerHeight), Vec3::Zero(),
                  moved(test::kuhn_box(3, 3, 2, 0.12, 0.12, 0.1), turn, Vec3(0.05, 0.02, kLowerHeight + kGap)),
                  Vec3::Zero());
  }
};

bool is_upper(const Simulation& simulation, LocalNode n) {
  return simulation.mesh().rest[n].z() > Stack::kLowerHeight + 0.5 * Stack::kGap;
}

/// The upper body, over all ranks: mass, momentum along z, lowest point.
struct Upper {
  double mass = 0, momentum = 0, lowest = 0;
};
Upper upper_of(const Simulation& simulation) {
  Upper upper;
  Vec3 sums = Vec3::Zero();
  upper.lowest = -test::largest(simulation, [&](LocalNode n) {
    return is_upper(simulation, n) ? 1 - simulation.mesh().motion[n].position[2] : 0;
  }) + 1;
  test::for_each_owned(simulation, [&](LocalNode n, std::int64_t) {
    if (!is_upper(simulation, n)) return;
    const double mass = simulation.mesh().mass[n];
    sums += Vec3(mass, mass * simulation.mesh().motion[n].velocity[2], 0);
  });
  sums = test::sum_over_ranks(simulation.comm(), sums);
  upper.mass = sums[0];
  upper.momentum = sums[1];
  return upper;
}

// Steps of a sixtieth of a second: a body at rest does not sink, and its contact force is its weight. The impulse on
// the upper block over half a second is its momentum's change less that of gravity; its lower side ends at the lower
// block's upper side, to the depth by pressure.
TEST(ImplicitContact, ABlockRestsOnAnotherAtFrameSizeSteps) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  const Stack stack(1.0 / 60);
  Simulation simulation(core::Comm(), stack.scene, stack.mesh, {});
  test::run_until(simulation, 1);
  const Upper before = upper_of(simulation);
  const double deepest_before = simulation.comm().max(simulation.deformable_contacts().deepest);
  test::run_until(simulation, 1.5);
  const Upper after = upper_of(simulation);
  const double weight = after.mass * kGravity;
  const double held = (after.momentum - before.momentum) / 0.5 + weight;
  EXPECT_NEAR(held, weight, 0.01 * weight);
  EXPECT_NEAR(after.lowest, before.lowest, 1e-4);
  EXPECT_GT(after.lowest, Stack::kLowerHeight - 0.006);
  const double deepest = simulation.comm().max(simulation.deformable_contacts().deepest);
  EXPECT_GT(deepest, 0);
  EXPECT_LT(deepest, 0.05);
  EXPECT_NEAR(deepest, deepest_before, 0.1 * deepest_before);
  const Energies energies = simulation.energies();
  EXPECT_LT(energies.kinetic, 1e-6 * weight);  // [J], of a fall by a micrometre
}

mesh::TetMesh bar(double length, double from_x) {
  return moved(test::kuhn_box(static_cast<int>(length / 0.02 + 0.5), 2, 2, length, 0.04, 0.04), Mat3::Identity(),
               Vec3(from_x, 0, 0));
}

double mean_velocity(const Simulation& simulation, double x, bool beyond) {
  Vec3 sum = Vec3::Zero();
  test::for_each_owned(simulation, [&](LocalNode n, std::int64_t) {
    if ((simulation.mesh().rest[n].x() > x) != beyond) return;
    const double mass = simulation.mesh().mass[n];
    sum += Vec3(mass * simulation.mesh().motion[n].velocity[0], mass, 0);
  });
  sum = test::sum_over_ranks(simulation.comm(), sum);
  return sum.x() / sum.y();
}

// VALIDATION E3 in implicit steps, a fortieth of the time that waves take to and fro: both integrators keep momentum;
// the loss of implicit Euler in the impact is in its account, and it is less in shorter steps.
TEST(ImplicitContact, BarsExchangeTheirMomentum) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  std::vector<double> left;
  for (const double step_s : {1.2e-3, 3e-4}) {
    Scene scene = touching_scene(test::solid(1e6, 0, 1000), step_s);
    scene.contact.restitution = 1;
    scene.contact.friction = 0;
    const mesh::TetMesh bars = joined(bar(0.4, -0.401), Vec3(0.5, 0, 0), bar(0.4, 0), Vec3::Zero());
    Simulation simulation(core::Comm(), scene, bars, {});
    const Energies before = simulation.energies();
    test::run_until(simulation, 0.048);
    const Energies after = simulation.energies();
    EXPECT_EQ(after.contact, 0) << step_s;  // they have separated
    EXPECT_NEAR(after.momentum.x(), before.momentum.x(), 1e-7 * before.momentum.x()) << step_s;
    EXPECT_NEAR(after.total(), before.total(), 0.005 * before.total()) << step_s;
    EXPECT_GT(after.numerical_loss, 0) << step_s;
    left.push_back(mean_velocity(simulation, -0.0005, true));
    EXPECT_GT(left.back(), 0.35) << step_s;
  }
  EXPECT_GT(left[1], left[0]);
  EXPECT_NEAR(left[1], 0.5, 0.05);
}

// The same impact in explicit steps, to a share of the speed, oblique, with damping and friction.
Vec3 speed_after_oblique_blow(const Scene& scene) {
  const Mat3 turn = (Eigen::AngleAxisd(0.7, Vec3::UnitX()) * Eigen::AngleAxisd(0.4, Vec3::UnitY())).toRotationMatrix();
  const mesh::TetMesh cube = test::kuhn_box(3, 3, 3, 0.1, 0.1, 0.1);
  const mesh::TetMesh cubes =
      joined(cube, Vec3(0.25, 0.08, 0), moved(cube, turn, Vec3(0.105, 0.02, 0.03)), Vec3(-0.25, 0, 0.05));
  Simulation simulation(core::Comm(), scene, cubes, {});
  const Energies before = simulation.energies();
  test::run_until(simulation, 0.05);
  const Energies after = simulation.energies();
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-6)  // of 0.25 kg m/s each way
      << "integrator " << static_cast<int>(scene.time.integrator) << ": "
      << (after.momentum - before.momentum).transpose();
  EXPECT_GT(after.contact_loss, 0);
  EXPECT_NEAR(after.total(), before.total(), 0.01 * before.total());
  EXPECT_EQ(after.contact, 0);
  Vec3 momentum = Vec3::Zero();
  double mass = 0;
  test::for_each_owned(simulation, [&](LocalNode n, std::int64_t id) {
    if (id >= static_cast<std::int64_t>(cube.nodes.size())) return;
    momentum += simulation.mesh().mass[n] * Vec3(simulation.mesh().motion[n].velocity);
    mass += simulation.mesh().mass[n];
  });
  return test::sum_over_ranks(simulation.comm(), momentum) / la::sum_over_ranks(simulation.comm(), mass);
}

TEST(ImplicitContact, AnObliqueBlowLeavesWhatItLeavesInExplicitSteps) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  Scene scene = touching_scene(test::solid(1e6, 0.3, 1000, 1e-3), 2.5e-4);
  scene.contact.restitution = 0.5;
  scene.contact.friction = 0.5;
  scene.contact.criterion = contact::ContactCriterion::overlap_volume;  // which both kinds of steps have
  scene.time.solver_tolerance = 1e-9;
  const Vec3 found = speed_after_oblique_blow(scene);
  scene.time = dynamics::Parameters();
  const Vec3 wanted = speed_after_oblique_blow(scene);
  EXPECT_LT((found - wanted).norm(), 0.02) << found.transpose() << " for " << wanted.transpose();
  EXPECT_LT(wanted.x(), 0.1);  // of 0.25 m/s before
}

// A ball at 12 m/s moves 0.2 m a step, through a sheet of 0.04 m: at the end of such a step there is no overlap. The
// step is halved until there is one, and the ball stays on its side.
TEST(ImplicitContact, NobodyPassesThroughWithinAStep) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  Scene scene = touching_scene(test::solid(2e6, 0.3, 1000, 1e-4), 1.0 / 60);
  const mesh::TetMesh bodies =
      joined(test::kuhn_box(3, 3, 3, 0.12, 0.12, 0.12), Vec3(0, 0, -12),
             moved(test::kuhn_box(8, 8, 1, 0.4, 0.4, 0.04), Mat3::Identity(), Vec3(-0.14, -0.14, -0.1)), Vec3::Zero());
  Simulation simulation(core::Comm(), scene, bodies, {});
  double longest = 0, shortest = 1;
  while (simulation.time_s() < 0.05) {
    const double before = simulation.time_s();
    simulation.step(0.05);
    longest = std::max(longest, simulation.time_s() - before);
    shortest = std::min(shortest, simulation.time_s() - before);
  }
  EXPECT_LT(shortest, 0.3 * longest);
  Vec3 thrown = Vec3::Zero(), sheet = Vec3::Zero();  // sum of heights, number
  test::for_each_owned(simulation, [&](LocalNode n, std::int64_t id) {
    (id < 64 ? thrown : sheet) += Vec3(simulation.mesh().motion[n].position[2], 1, 0);
  });
  thrown = test::sum_over_ranks(simulation.comm(), thrown);
  sheet = test::sum_over_ranks(simulation.comm(), sheet);
  EXPECT_GT(thrown[0] / thrown[1], sheet[0] / sheet[1] + 0.05);
}

struct Outcome {
  std::uint64_t digest = 0;
  std::int64_t most_across = 0;
  std::vector<Vec3> positions;
};

Outcome run(const core::Comm& comm, const Scene& scene, const mesh::TetMesh& mesh, int steps, int shuffle_every = 0,
            int restart_at = -1) {
  auto simulation = std::make_unique<Simulation>(comm, scene, mesh, std::span<const std::uint32_t>());
  Outcome outcome;
  for (int i = 0; i < steps; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(*simulation);
    if (i == restart_at) simulation = std::make_unique<Simulation>(comm, scene, simulation->save());
    simulation->step(scene.duration_s);
    outcome.most_across = std::max(outcome.most_across, comm.sum(simulation->deformable_contacts().across));
  }
  outcome.digest = digest_of(*simulation);
  outcome.positions = test::positions_by_id(*simulation, static_cast<std::int64_t>(mesh.nodes.size()));
  return outcome;
}

// With friction, damping and the ground; the upper block slides on the lower one.
TEST(ImplicitContact, SameBitsOnAnyRanksWithAnyOwnersAndAfterARestart) {
  const core::Comm world;
  for (const auto integrator : {dynamics::Integrator::implicit_euler, dynamics::Integrator::hht}) {
    Stack stack(1.0 / 120);
    stack.scene.time.integrator = integrator;
    for (std::size_t i = stack.mesh.velocity.size() / 2 + 1; i < stack.mesh.velocity.size(); ++i)
      stack.mesh.velocity[i] = stack.mesh.nodes[i].z() > Stack::kLowerHeight ? Vec3(0.4, 0, 0) : Vec3(0, 0, 0);
    constexpr int kSteps = 12;
    const Outcome alone = run(core::Comm(MPI_COMM_SELF), stack.scene, stack.mesh, kSteps);
    const Outcome together = run(world, stack.scene, stack.mesh, kSteps);
    EXPECT_EQ(together.digest, alone.digest);
    if (world.size() > 1) {
      EXPECT_GT(together.most_across, 5);
    }
    EXPECT_EQ(run(world, stack.scene, stack.mesh, kSteps, 5).digest, alone.digest);
    EXPECT_EQ(run(world, stack.scene, stack.mesh, kSteps, 0, 7).digest, alone.digest);
  }
}

// Algebraic multigrid has the tets' matrix alone, and products add the rows: the same positions to the tolerance of the
// solver.
TEST(ImplicitContact, MultigridOfPetscGoesToTheSamePlaces) {
  Stack stack(1.0 / 120);
  stack.scene.contact.friction = 0;
  stack.scene.time.solver_tolerance = 1e-10;
  constexpr int kSteps = 6;
  const Outcome wanted = run(core::Comm(), stack.scene, stack.mesh, kSteps);
  stack.scene.time.solver = dynamics::Solver::automatic;
  ASSERT_EQ(PetscOptionsSetValue(nullptr, "-dyn_pc_type", "gamg"), 0);
  const Outcome found = run(core::Comm(), stack.scene, stack.mesh, kSteps);
  ASSERT_EQ(PetscOptionsClearValue(nullptr, "-dyn_pc_type"), 0);
  double off = 0;
  for (std::size_t i = 0; i < wanted.positions.size(); ++i)
    off = std::max(off, (wanted.positions[i] - found.positions[i]).norm());
  EXPECT_LT(off, 1e-8 * 0.2);
}

// With stiffness damping the energy watch includes the work of contact pairs, too.
TEST(ImplicitContact, EnergyIsWatched) {
  if (test::has_many_ranks()) GTEST_SKIP() << "one rank and two show it";
  Stack stack(1.0 / 60);
  stack.scene.time.watch_energy = true;
  Simulation simulation(core::Comm(), stack.scene, stack.mesh, {});
  const double before = simulation.energies().total();
  const double scale = simulation.energies().gravity;
  test::run_until(simulation, 0.5);
  EXPECT_NEAR(simulation.energies().total(), before, 0.005 * scale);
}

}  // namespace
}  // namespace brisance::sim
