/// Step length: landing on events, refusing useless steps, and the energy watch of [OBH02].
#include "brisance/core/error.hpp"
#include "brisance/sim/simulation.hpp"

#include "sim/output/schedule.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

/// A free elastic bar, undamped, released from a uniform stretch.
Scene ringing_bar() {
  Scene scene;
  material::Material m;
  m.name = "rubber";
  m.density = 1000;
  m.lame_lambda = m.lame_mu = 1e6;
  scene.materials = {m};
  scene.gravity = Vec3::Zero();
  scene.fracture.enabled = false;
  scene.duration_s = 1;
  return scene;
}

mesh::TetMesh stretched_bar() {
  mesh::TetMesh bar = test::kuhn_box(6, 1, 1, 0.6, 0.1, 0.1);
  for (const Vec3& x : bar.nodes) bar.displacement.push_back(Vec3(0.01 * x[0], 0, 0));
  return bar;
}

double energy_growth(const Scene& scene, double until_s) {
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, stretched_bar(), {});
  const double before = simulation.energies().total();
  while (simulation.time_s() < until_s) simulation.step(until_s);
  return simulation.energies().total() / before;
}

TEST(StepControl, EventsAreMetExactlyAndWithoutSplinters) {
  Scene scene = ringing_bar();
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, stretched_bar(), {});
  simulation.step(scene.duration_s);
  const double usual = simulation.last_step_s(), event = simulation.time_s() + 3.1 * usual;
  while (simulation.time_s() < event) {
    simulation.step(event);
    EXPECT_GT(simulation.last_step_s(), 0.5 * usual);
  }
  EXPECT_EQ(simulation.time_s(), event);
}

TEST(StepControl, WhatIsDueHappensOnceAtTheFirstStepThatReachesIt) {
  // 25ths and 250ths of a run, for any rounding of the products and steps of any length.
  for (int i = 1; i <= 1000; ++i) {
    const double end_s = 0.0137 * i;
    for (const double step_s : {end_s / 250, end_s / 333.3, end_s / 1000}) {
      Schedule frames{end_s / 25}, lines{end_s / 250};
      int num_frames = 0, num_lines = 0;
      for (double time_s = 0;; time_s += step_s) {
        num_frames += frames.is_due(time_s) ? 1 : 0;
        num_lines += lines.is_due(time_s) ? 1 : 0;
        frames.pass(time_s);
        lines.pass(time_s);
        EXPECT_FALSE(frames.is_due(time_s) || lines.is_due(time_s));
        if (time_s >= end_s * (1 - 1e-10)) break;
      }
      EXPECT_EQ(num_frames, 26) << end_s << ' ' << step_s;
      EXPECT_EQ(num_lines, 251) << end_s << ' ' << step_s;
    }
  }
}

TEST(StepControl, AStepThatPassesSeveralEventsMakesOneOfThem) {
  Schedule frames{0.25};
  EXPECT_TRUE(frames.is_due(0));
  frames.pass(0);
  EXPECT_FALSE(frames.is_due(0.2));
  EXPECT_TRUE(frames.is_due(0.8));
  frames.pass(0.8);
  EXPECT_EQ(frames.next, 4);
  EXPECT_FALSE(frames.is_due(0.99));
}

/// The ringing bar, at rest, its ends pulled apart and turned against each other.
Scene pulled_bar() {
  Scene scene = ringing_bar();
  for (const double side : {-1.0, 1.0}) {
    RegionParameters constraint;
    constraint.velocity = Vec3(0.5 * side, 0, 0);
    constraint.angular_velocity = Vec3(3 * side, 0, 0);
    constraint.pivot = Vec3(0, 0.05, 0.05);
    constraint.ramp_s = 0.002;
    scene.regions.push_back(constraint);
  }
  return scene;
}

Simulation pulled_simulation() {
  const mesh::TetMesh bar = test::kuhn_box(6, 1, 1, 0.6, 0.1, 0.1);
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : bar.nodes) regions.push_back(x[0] == 0 ? 1 : x[0] > 0.59 ? 2 : 0);
  return {core::Comm(MPI_COMM_SELF), pulled_bar(), bar, regions};
}

std::vector<Vec3> velocities(const Simulation& simulation) {
  std::vector<Vec3> result;
  for (std::int32_t i = 1; i < simulation.mesh().num_node_slots(); ++i)
    result.emplace_back(simulation.mesh().motion[LocalNode(i)].velocity);
  return result;
}

TEST(StepControl, GripsMoveRightInAStepOfAnyLength) {
  for (const double until_s : {0.001, 0.01}) {  // while the speed grows, and after
    Simulation simulation = pulled_simulation();
    while (simulation.time_s() < until_s) simulation.step(until_s);
    const auto before = velocities(simulation);
    // The speed in a step is the mean over it, so that of the remainder step is half an ordinary step later.
    const double acceleration = until_s < 0.002 ? (0.5 + 3 * 0.0708) / 0.002 : 3 * 3 * 0.0708;
    const double later = 0.51 * simulation.last_step_s() * acceleration;
    const Energies ledger = simulation.energies();
    simulation.step(std::nextafter(until_s, 1.0));
    EXPECT_GT(simulation.last_step_s(), 0);
    EXPECT_LT(simulation.last_step_s(), 1e-17);
    const auto after = velocities(simulation);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_LT((after[i] - before[i]).norm(), later);
    const Energies now = simulation.energies();
    // Both are shifted to the time of the positions, with forces one step apart, which matters while the speed grows.
    EXPECT_NEAR(now.total(), ledger.total(), until_s < 0.002 ? 0.15 * now.kinetic : 5e-3 * now.elastic);
  }
}

TEST(StepControl, AUselesslySmallStepNamesTheElement) {
  Scene scene = ringing_bar();
  scene.time.min_step_s = 1;
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, stretched_bar(), {});
  try {
    simulation.step(scene.duration_s);
    FAIL() << "accepted";
  } catch (const core::Error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("element " + std::to_string(simulation.step_bound().limiting_element)), std::string::npos)
        << text;
    EXPECT_NE(text.find("time.min_step_s"), std::string::npos) << text;
  }
}

TEST(StepControl, WatchingTheEnergyTamesForwardEuler) {
  // Undamped forward Euler multiplies a mode's energy by 1 + (ω dt)² each step (VALIDATION A9); shorter steps slow that
  // growth in proportion to dt.
  Scene scene = ringing_bar();
  scene.time.integrator = dynamics::Integrator::forward_euler;
  const double until_s = 0.01;
  const double unwatched = energy_growth(scene, until_s);
  scene.time.watch_energy = true;
  const double watched = energy_growth(scene, until_s);
  EXPECT_GT(unwatched, 10);
  EXPECT_LT(watched, 2);
}

/// A ductile bar that Dirichlet conditions stretch by a quarter within 0.5 s: it flows all the time.
Scene drawn_bar() {
  material::Material m = test::solid(1e6, 0.3, 1000, 2e-5);
  m.yield_strain = 0.01;
  m.plastic_limit = 0.8;
  Scene scene = test::bare_scene(m);
  for (const double side : {-1.0, 1.0}) {
    RegionParameters constraint = test::grip({true, true, true});
    constraint.velocity = Vec3(0.15 * side, 0, 0);
    constraint.ramp_s = 0.02;
    scene.regions.push_back(constraint);
  }
  return scene;
}

struct Drawn {
  std::int64_t steps = 0;
  Energies energies;
  std::vector<Vec3> positions;
  double longest = 0;  ///< step over the first one
};
Drawn draw(const Scene& scene) {
  const mesh::TetMesh bar = test::kuhn_box(12, 2, 2, 0.6, 0.1, 0.1);
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : bar.nodes) regions.push_back(x[0] == 0 ? 1 : x[0] > 0.59 ? 2 : 0);
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, regions);
  Drawn drawn;
  double first_s = 0;
  while (simulation.time_s() < 0.5) {
    simulation.step(0.5);
    if (first_s == 0) first_s = simulation.last_step_s();
    drawn.longest = std::max(drawn.longest, simulation.last_step_s() / first_s);
  }
  drawn.steps = simulation.num_steps();
  drawn.energies = simulation.energies();
  for (std::int32_t i = 1; i < simulation.mesh().num_node_slots(); ++i)
    drawn.positions.emplace_back(simulation.mesh().motion[LocalNode(i)].position);
  return drawn;
}

// C5 of the ductile paper against fixed steps: fewer of them, with the same shape and the same plastic work.
TEST(StepControl, EnergyLetsStepsGrowWhileABarFlows) {
  Scene scene = drawn_bar();
  const Drawn fixed = draw(scene);
  scene.time.watch_energy = true;
  scene.time.energy_watch_limit = 2;
  const Drawn watched = draw(scene);
  double largest = 0;
  for (std::size_t i = 0; i < fixed.positions.size(); ++i)
    largest = std::max(largest, (watched.positions[i] - fixed.positions[i]).norm());
  // Stable steps have 0.8 of the rigorous bound, so 1.25 of them still are stable ones for certain.
  EXPECT_GT(watched.longest, 1.25);
  EXPECT_LT(static_cast<double>(watched.steps), 0.9 * static_cast<double>(fixed.steps));
  EXPECT_LT(largest, 1e-3 * 0.6);
  EXPECT_NEAR(watched.energies.plastic_loss, fixed.energies.plastic_loss, 1e-3 * fixed.energies.plastic_loss);
  EXPECT_NEAR(watched.energies.total(), 0, 1e-3 * watched.energies.supplied);
}

}  // namespace
}  // namespace brisance::sim
