// Hilber, Hughes and Taylor's steps on any number of ranks: order, conservation, cracks, contact, restart.
#include "brisance/dist/pieces.hpp"

#include "support/over_ranks.hpp"
#include "support/sparse_body.hpp"
#include "support/vibrations.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::for_each_owned, test::largest, test::OneRank, test::Oscillator, test::position_of, test::positions_by_id,
    test::set_velocity, test::spin;

Scene with_hht(Scene scene, double alpha) {
  scene.time.integrator = dynamics::Integrator::hht;
  scene.time.hht_alpha = alpha;
  return scene;
}

// The trapezoidal rule rotates x + i v/ω by 2 atan(z/2) a step and keeps its size, at any z, and so its energy.
TEST(HilberHughesTaylor, TheTrapezoidalRuleKeepsTheEnergyOfAVibration) {
  for (const double z : {0.01, 0.1, 1.0, 200.0}) {
    Scene scene = with_hht(Oscillator::scene(z), 0);
    scene.duration_s = 1e6;
    Simulation simulation(core::Comm(), scene, Oscillator::mesh(), Oscillator::masks());
    const std::complex<double> start = Oscillator::state(simulation);
    const double energy = simulation.energies().total();
    constexpr int kSteps = 100;
    for (int i = 0; i < kSteps; ++i) simulation.step();
    const std::complex<double> gain = std::polar(1.0, -2 * kSteps * std::atan(0.5 * z));
    EXPECT_LT(std::abs(Oscillator::state(simulation) - gain * start), 1e-9 * std::abs(start)) << "z = " << z;
    const Energies e = simulation.energies();
    EXPECT_NEAR(e.kinetic + e.elastic, energy, 1e-9 * energy) << "z = " << z;
    EXPECT_LT(std::abs(e.numerical_loss), 1e-9 * energy) << "z = " << z;
    EXPECT_NEAR(e.total(), energy, 1e-9 * energy) << "z = " << z;
  }
}

// Against the scheme as its authors print it, for one unknown: M a = −(1 + α) K x + α K x₀. Its energy loss has an
// account of its own.
TEST(HilberHughesTaylor, AnOscillatorFollowsThePrintedScheme) {
  for (const double alpha : {-0.05, -0.2, -1.0 / 3}) {
    for (const double z : {0.05, 1.0, 30.0}) {
      const double w = Oscillator::frequency(), h = z / w, beta = 0.25 * (1 - alpha) * (1 - alpha), gamma = 0.5 - alpha;
      Simulation simulation(core::Comm(), with_hht(Oscillator::scene(z), alpha), Oscillator::mesh(),
                            Oscillator::masks());
      const double energy = simulation.energies().total();
      double x = Oscillator::kShift, v = 0, a = -w * w * x;
      for (int i = 0; i < 30; ++i) {
        simulation.step();
        const double known = x + h * v + h * h * (0.5 - beta) * a;
        const double next =
            (alpha * w * w * x - (1 + alpha) * w * w * known) / (1 + (1 + alpha) * w * w * h * h * beta);
        v += h * ((1 - gamma) * a + gamma * next);
        x = known + h * h * beta * next;
        a = next;
      }
      EXPECT_LT(std::abs(Oscillator::state(simulation) - std::complex(x, v / w)), 1e-10 * Oscillator::kShift)
          << "α = " << alpha << ", z = " << z;
      const Energies e = simulation.energies();
      EXPECT_NEAR(e.total(), energy, 1e-10 * energy) << "α = " << alpha << ", z = " << z;
      if (z < 1) continue;
      EXPECT_GT(e.numerical_loss, 1e-3 * energy) << "α = " << alpha << ", z = " << z;
    }
  }
}

/// Distance of a bar that begins in its first bending vibration from the exact motion of the discrete bar after 0.8
/// periods of `steps` steps, over the amplitude.
double error_of(Scene scene, const test::DenseBody& vibrations, const mesh::TetMesh& bar, int steps) {
  const double w = vibrations.frequency(6), end_s = 0.8 * 2 * std::numbers::pi / w;
  const Eigen::VectorXd shape = 1e-3 * vibrations.shape(6);
  scene.time.step_s = end_s / steps;
  scene.time.solver_tolerance = 1e-12;
  scene.time.strain = dynamics::Strain::linear;
  Simulation simulation(core::Comm(), scene, bar, {});
  dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh.motion[LocalNode(i)].velocity) = w * shape.segment<3>(3 * mesh.node_id[LocalNode(i)].value);
  const double energy = simulation.energies().total();
  for (int i = 0; i < steps; ++i) simulation.step();
  EXPECT_NEAR(simulation.energies().total(), energy, 1e-8 * energy);
  double worst = 0;
  for (std::int64_t id = 0; id < static_cast<std::int64_t>(bar.nodes.size()); ++id) {
    const Vec3 exact = std::sin(w * end_s) * shape.segment<3>(3 * id);
    worst = std::max(worst, (position_of(simulation, id) - bar.nodes[static_cast<std::size_t>(id)] - exact).norm());
  }
  return worst / shape.cwiseAbs().maxCoeff();
}

// VALIDATION A9, "orders": a free bar vibrates according to its matrices; halving the step divides the error by 4, of
// implicit Euler by 2.
TEST(HilberHughesTaylor, SecondOrderInAVibratingBar) {
  const mesh::TetMesh bar = test::kuhn_box(4, 1, 1, 1, 0.25, 0.25);
  const Scene euler = test::implicit_scene(test::solid(1, 0.3, 1), 1);
  const test::DenseBody vibrations(euler, bar, std::vector<bool>(bar.nodes.size(), false));
  EXPECT_LT(vibrations.frequency(5), 1e-6);
  EXPECT_GT(vibrations.frequency(6), 0.1);
  for (const double alpha : {0.0, -0.1, -0.3}) {
    const Scene scene = with_hht(euler, alpha);
    const double coarse = error_of(scene, vibrations, bar, 80), fine = error_of(scene, vibrations, bar, 160);
    EXPECT_NEAR(coarse / fine, 4, 0.2) << "α = " << alpha;
    EXPECT_LT(coarse, 0.05) << "α = " << alpha;
  }
  EXPECT_NEAR(error_of(euler, vibrations, bar, 400) / error_of(euler, vibrations, bar, 800), 2, 0.1);
}

// VALIDATION A6, dynamic, one element across: the clamped bar's two lowest frequencies are the discrete numbers, and in
// the lowest vibration the trapezoidal rule rotates by 2 atan(ωh/2) a step.
TEST(HilberHughesTaylor, A6AClampedBarVibratesAtTheDiscreteFrequency) {
  const mesh::TetMesh bar = test::kuhn_box(10, 1, 1, 1, 0.1, 0.1);
  Scene scene = with_hht(test::implicit_scene(test::solid(1, 0.3, 1), 1), 0);
  scene.time.strain = dynamics::Strain::linear;
  scene.time.solver_tolerance = 1e-12;
  scene.regions = {test::grip({true, true, true})};
  std::vector<std::uint32_t> masks;
  std::vector<bool> is_held;
  for (const Vec3& x : bar.nodes) {
    is_held.push_back(x[0] == 0);
    masks.push_back(x[0] == 0 ? 1 : 0);
  }
  const test::DenseBody body(scene, bar, is_held);
  const double w = body.frequency(0);
  EXPECT_NEAR(w / (2 * std::numbers::pi), 0.030109, 1e-6);
  EXPECT_NEAR(body.frequency(1) / (2 * std::numbers::pi), 0.039293, 1e-6);
  const Eigen::VectorXd shape = 1e-3 * body.shape(0);
  scene.time.step_s = 0.3 / w;
  Simulation simulation(core::Comm(), scene, bar, masks);
  dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    Eigen::Map<Vec3>(mesh.motion[LocalNode(i)].velocity) = w * shape.segment<3>(3 * mesh.node_id[LocalNode(i)].value);
  constexpr int kSteps = 100;
  for (int i = 0; i < kSteps; ++i) simulation.step();
  const double phase = 2 * kSteps * std::atan(0.15);
  const auto off = [&](LocalNode n) {
    const Vec3 way = Vec3(mesh.motion[n].position) - mesh.rest[n];
    return (way - std::sin(phase) * shape.segment<3>(3 * mesh.node_id[n].value)).norm();
  };
  EXPECT_LT(largest(simulation, off), 1e-6 * shape.cwiseAbs().maxCoeff());
}

// VALIDATION A6, dynamic, two and four elements across: in either plane the phase advances by 2 atan(ωh/2) a step, ω
// being the discrete number; an error in its last digit would be detected.
TEST(HilberHughesTaylor, A6FinerBarsVibrateAtTheDiscreteFrequencies) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  for (const int across : {2, 4}) {
    const mesh::TetMesh bar = test::kuhn_box(10 * across, across, across, 1, 0.1, 0.1);
    Scene scene = with_hht(test::implicit_scene(test::solid(1, 0.3, 1), 1), 0);
    scene.time.strain = dynamics::Strain::linear;
    scene.time.solver_tolerance = 1e-12;
    scene.regions = {test::grip({true, true, true})};
    std::vector<std::uint32_t> masks;
    for (const Vec3& x : bar.nodes) masks.push_back(x[0] == 0 ? 1 : 0);
    const test::SparseBody body(scene.materials[0], bar, [](const Vec3& x) { return x[0] == 0; });
    const std::array<double, 2> reference =
        across == 2 ? std::array{.0208442, .0247353} : std::array{.0174823, .0187421};
    for (Eigen::Index plane = 0; plane < 2; ++plane) {
      const double w = 2 * std::numbers::pi * reference[static_cast<std::size_t>(plane)];
      const Eigen::VectorXd shape = 1e-4 * body.shape(plane);
      scene.time.step_s = 0.3 / w;
      Simulation simulation(core::Comm(), scene, bar, masks);
      dist::Mesh& mesh = simulation.mesh();
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
        Eigen::Map<Vec3>(mesh.motion[LocalNode(i)].velocity) =
            w * shape.segment<3>(3 * mesh.node_id[LocalNode(i)].value);
      constexpr int kSteps = 20;
      for (int i = 0; i < kSteps; ++i) simulation.step();
      const double phase = 2 * kSteps * std::atan(0.15);
      const auto off = [&](LocalNode n) {
        const Vec3 way = Vec3(mesh.motion[n].position) - mesh.rest[n];
        return (way - std::sin(phase) * shape.segment<3>(3 * mesh.node_id[n].value)).norm();
      };
      EXPECT_LT(largest(simulation, off), 5e-5 * shape.cwiseAbs().maxCoeff()) << across << " across, plane " << plane;
    }
  }
}

// x = ½ g t² to the tolerance of the solver, and at rest a body stays at rest, at any step.
TEST(HilberHughesTaylor, FallsFreely) {
  Scene scene = with_hht(test::implicit_scene(test::solid(1e6, 0.3, 1000), 0.05), -0.1);
  scene.gravity = Vec3(0, 0, -9.81);
  Simulation simulation(core::Comm(), scene, test::kuhn_box(2, 2, 2, 2, 2, 2), {});
  test::run_until(simulation, 1);
  const auto off = [&](LocalNode n) {
    const dist::NodeMotion& m = simulation.mesh().motion[n];
    return (Vec3(m.position) - simulation.mesh().rest[n] - Vec3(0, 0, -0.5 * 9.81)).norm() +
           (Vec3(m.velocity) - Vec3(0, 0, -9.81)).norm();
  };
  EXPECT_LT(largest(simulation, off), 1e-8);
  EXPECT_NEAR(simulation.energies().total(), 9.81 * 1000 * 8 * 1, 1e-5);
}

// Momentum is kept to the tolerance of the equations. A rotating body keeps its spin, its energy and its size to the
// square of the angle of a step, over ten turns; no crack appears in a material that breaks at a strain of 1.4e-5.
TEST(HilberHughesTaylor, TenTurns) {
  material::Material m = test::solid(7e10, 0.22, 2500);
  m.toughness = 1e6;
  m.toughness_mode = material::ToughnessMode::stress;
  const double rate = 10, step_s = 4e-3;
  const Scene scene = with_hht(test::implicit_scene(m, step_s), -0.1);
  const OneRank alone;  // thousands of steps of a few nodes
  Simulation simulation(alone.comm(), scene, test::kuhn_box(2, 2, 2, 0.1, 0.1, 0.1), {});
  const Vec3 centre = Vec3::Constant(0.05), axis = Vec3::Constant(1 / std::sqrt(3.0));
  set_velocity(simulation, [&](const Vec3& x) -> Vec3 { return Vec3(0.1, 0, 0) + rate * axis.cross(x - centre); });
  const Vec3 momentum = simulation.energies().momentum;
  const auto own_spin = [&] {
    const Vec3 p = simulation.energies().momentum;
    return Vec3(spin(simulation) - (centre + simulation.time_s() * p / 2.5).cross(p)).dot(axis);
  };
  const double before = own_spin(), energy = simulation.energies().total();
  const auto shape = [&] { return Vec3(position_of(simulation, 18) - position_of(simulation, 8)); };
  const double length = shape().norm();
  double worst = 0, worst_spin = 0;
  while (simulation.time_s() * rate < 20 * std::numbers::pi) {
    simulation.step();
    worst = std::max(worst, std::abs(shape().norm() / length - 1));
    worst_spin = std::max(worst_spin, std::abs(own_spin() / before - 1));
  }
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(worst_spin, 1e-3);
  EXPECT_EQ(simulation.fracture_counters().cracks, 0);
  EXPECT_LT((simulation.energies().momentum - momentum).norm(), 5e-4 * momentum.norm());
  EXPECT_NEAR(simulation.energies().total(), energy, 2e-3 * energy);
}

// With contact and friction: this number of ranks against one, and a restarted run against one that was not stopped, to
// the tolerance of the solver.
TEST(HilberHughesTaylor, TheSameOnAnyNumberOfRanksAndTakenUpAgain) {
  const mesh::TetMesh block = test::busy_block();
  const Scene scene = with_hht(test::busy_scene(), -0.1);
  Simulation straight(core::Comm(), scene, block, {});
  const OneRank alone;
  Simulation serial(alone.comm(), scene, block, {});
  for (int i = 0; i < 50; ++i) {
    straight.step();
    serial.step();
  }
  EXPECT_GT(serial.num_contacts(), 0);
  Simulation again(core::Comm(), scene, straight.save());
  for (int i = 0; i < 20; ++i) {
    straight.step();
    serial.step();
    again.step();
  }
  const auto count = static_cast<std::int64_t>(block.nodes.size());
  const auto a = positions_by_id(straight, count), b = positions_by_id(again, count),
             c = positions_by_id(serial, count);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max({worst, (a[i] - b[i]).norm(), (a[i] - c[i]).norm()});
  EXPECT_LT(worst, 1e-7 * 0.3);
  const double energy = std::abs(straight.energies().total());
  EXPECT_NEAR(again.energies().total(), straight.energies().total(), 1e-6 * energy);
  EXPECT_NEAR(serial.energies().total(), straight.energies().total(), 1e-6 * energy);
}

// On the ground and under a pressure: once at rest it has no velocity. (Shifted by elastic forces and weight alone,
// without external forces, nodes in contact would have to move at a millimetre a second to stay in place.)
TEST(HilberHughesTaylor, WhatRestsDoesNotMove) {
  Scene scene = with_hht(test::busy_scene(), -0.1);
  scene.colliders[0].friction = 0;
  scene.time.mass_damping_per_s = 40;
  LoadParameters load;
  load.pressure_pa = 3000;
  scene.loads = {load};
  const OneRank alone;
  Simulation simulation(alone.comm(), scene, test::kuhn_box(2, 2, 2, 0.2, 0.2, 0.2), {});
  test::run_until(simulation, 1.5);
  const auto speed = [&](LocalNode n) { return Vec3(simulation.mesh().motion[n].velocity).norm(); };
  EXPECT_LT(largest(simulation, speed), 1e-6);
  EXPECT_GE(simulation.num_contacts(), 9);
}

// It bounces, comes to rest on the ground and stays there; the ledger closes. After 3 s it still rocks on the springs
// of its contacts, at 12 Hz, which a step of 1/600 s resolves: only damping reduces it, at one e-fold a second.
TEST(HilberHughesTaylor, ABlockComesToRestOnTheGround) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  Simulation simulation(core::Comm(), with_hht(test::busy_scene(), -0.1), test::busy_block(), {});
  const double energy = simulation.energies().total(), thrown = simulation.energies().kinetic;
  double worst = 0;
  while (simulation.time_s() < 3) {
    simulation.step();
    worst = std::max(worst, std::abs(simulation.energies().total() - energy));
  }
  const auto speed = [&](LocalNode n) { return Vec3(simulation.mesh().motion[n].velocity).norm(); };
  EXPECT_LT(largest(simulation, speed), 2e-2);
  EXPECT_LT(worst, 0.01 * thrown);
  EXPECT_GE(simulation.comm().sum(simulation.num_contacts()), 3);
}

// Cuts change masses and forces: steps start without history, the ledger continues, and the bar breaks at its waist
// with the same cracks on this number of ranks as on one.
TEST(HilberHughesTaylor, ABarBreaksAtItsWaist) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  const Scene scene = with_hht(test::pulled_scene(1e-3), -0.1);
  const mesh::TetMesh bar = test::waisted_bar();
  const auto run = [&](const core::Comm& comm) {
    auto simulation = std::make_unique<Simulation>(comm, scene, bar, test::both_ends(bar));
    test::run_until(*simulation, 0.3);
    return simulation;
  };
  const auto here = run(core::Comm());
  const OneRank alone;
  const auto serial = run(alone.comm());
  EXPECT_GE(dist::find_pieces(here->mesh()).list.size(), 2U);
  EXPECT_EQ(here->fracture_counters().cracks, serial->fracture_counters().cracks);
  EXPECT_EQ(here->mesh().facts.next_node_id, serial->mesh().facts.next_node_id);
  const Energies e = here->energies();
  EXPECT_NEAR(e.total(), 0, 0.02 * e.supplied);
}

}  // namespace
}  // namespace brisance::sim
