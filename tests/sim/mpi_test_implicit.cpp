// Implicit steps of whole bodies on any number of ranks, against closed forms and VALIDATION's numbers.
#include "brisance/core/error.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"

#include "support/digest.hpp"
#include "support/over_ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::both_ends, test::busy_block, test::busy_scene, test::for_each_owned, test::implicit_scene, test::largest,
    test::OneRank, test::Oscillator, test::position_of, test::positions_by_id, test::pulled_scene, test::set_velocity,
    test::spin, test::waisted_bar;

// VALIDATION A12 (a), at a hundred times the explicit limit, for both strains; and a falling body keeps its shape.
TEST(Implicit, A12ABodyAtRestStaysAtRest) {
  for (const dynamics::Strain strain : {dynamics::Strain::corotational, dynamics::Strain::linear}) {
    Scene scene = implicit_scene(test::solid(1, 0.3, 1), 100 * 0.5415850943);
    scene.time.strain = strain;
    Simulation simulation(core::Comm(), scene, test::kuhn_box(2, 2, 2, 2, 2, 2), {});
    for (int i = 0; i < 10; ++i) simulation.step();
    const auto speed = [&](LocalNode n) { return Vec3(simulation.mesh().motion[n].velocity).norm(); };
    EXPECT_LT(largest(simulation, speed), 1e-12);
  }
}

// v = g t, x = ½ g t (t + h) of implicit Euler.
TEST(Implicit, FallsFreely) {
  Scene scene = implicit_scene(test::solid(1e6, 0.3, 1000), 0.01);
  scene.gravity = Vec3(0, 0, -9.81);
  Simulation simulation(core::Comm(), scene, test::kuhn_box(2, 2, 2, 2, 2, 2), {});
  test::run_until(simulation, 1);
  EXPECT_EQ(simulation.num_steps(), 100);
  const auto off = [&](LocalNode n) {
    const dist::NodeMotion& m = simulation.mesh().motion[n];
    return (Vec3(m.position) - simulation.mesh().rest[n] - Vec3(0, 0, -0.5 * 9.81 * 1.01)).norm() +
           (Vec3(m.velocity) - Vec3(0, 0, -9.81)).norm();
  };
  EXPECT_LT(largest(simulation, off), 1e-9);
}

// VALIDATION A12 (b), A9: |g| = 1/√(1+z²), phase atan z, at any z; the ledger has the loss.
TEST(Implicit, A12AnOscillatorDecaysAsItShould) {
  for (const double z : {0.01, 0.1, 1.0, 100 * 2.0}) {
    for (const dynamics::Strain strain : {dynamics::Strain::linear, dynamics::Strain::corotational}) {
      Scene scene = Oscillator::scene(z);
      scene.time.strain = strain;
      Simulation simulation(core::Comm(), scene, Oscillator::mesh(), Oscillator::masks());
      const std::complex<double> start = Oscillator::state(simulation);
      const double energy = simulation.energies().total();
      EXPECT_NEAR(energy, 0.5 * Oscillator::kStiffness / 6 * Oscillator::kShift * Oscillator::kShift, 1e-9 * energy);
      constexpr int kSteps = 5;
      for (int i = 0; i < kSteps; ++i) simulation.step();
      const std::complex<double> gain = std::polar(std::pow(1 + z * z, -0.5 * kSteps), -kSteps * std::atan(z));
      EXPECT_LT(std::abs(Oscillator::state(simulation) - gain * start), 1e-11 * std::abs(start)) << "z = " << z;
      const Energies e = simulation.energies();
      EXPECT_NEAR(e.kinetic + e.elastic, energy * std::norm(gain), 1e-10 * energy) << "z = " << z;
      EXPECT_NEAR(e.numerical_loss, energy * (1 - std::norm(gain)), 1e-10 * energy) << "z = " << z;
      EXPECT_NEAR(e.total(), energy, 1e-11 * energy) << "z = " << z;
    }
  }
}

// Damping by mass, δ = α/2, also for rigid motion; by stiffness, δ = β ω²/2 (VALIDATION A10): first order in the step.
TEST(Implicit, DampingByMassAndByStiffness) {
  const double z = 1e-3, share = 0.05, w = Oscillator::frequency();
  for (const bool by_mass : {true, false}) {
    Scene scene = Oscillator::scene(z);
    (by_mass ? scene.time.mass_damping_per_s : scene.time.stiffness_damping_s) =
        by_mass ? 2 * share * w : 2 * share / w;
    Simulation simulation(core::Comm(), scene, Oscillator::mesh(), Oscillator::masks());
    const double energy = simulation.energies().total();
    const double periods = 2 * std::numbers::pi / std::sqrt(1 - share * share);  // in 1/ω
    test::run_until(simulation, periods / w);
    const Energies e = simulation.energies();
    const double expected = std::exp(-2 * share * periods) * std::exp(-z * periods);  // A9: the integrator's own
    EXPECT_NEAR((e.kinetic + e.elastic) / energy, expected, 2e-3 * expected);
    EXPECT_NEAR(e.total(), energy, 1e-9 * energy);
    EXPECT_GT(e.viscous_loss, 0.3 * energy);
  }
  Scene scene = implicit_scene(test::solid(1, 0.3, 1), 0.01);
  scene.time.mass_damping_per_s = 2;
  Simulation falling(core::Comm(), scene, test::kuhn_box(1, 1, 1, 1, 1, 1), {});
  set_velocity(falling, [](const Vec3&) { return Vec3(1, 0, 0); });
  test::run_until(falling, 1);
  EXPECT_NEAR(falling.energies().momentum.x(), std::pow(1.02, -100), 1e-9);
}

// VALIDATION A12 (c): bounded at a hundred times the explicit limit.
TEST(Implicit, A12StableAtAHundredTimesTheExplicitLimit) {
  Scene scene = implicit_scene(test::solid(1, 0.3, 1), 100 * 0.5415850943);
  scene.time.strain = dynamics::Strain::linear;
  scene.time.solver_tolerance = 1e-14;  // momentum is kept to this tolerance
  Simulation simulation(core::Comm(), scene, test::kuhn_box(1, 1, 1, 1, 1, 1), {});
  set_velocity(simulation, [](const Vec3& x) -> Vec3 { return {std::sin(5 * x[0] + x[1]), std::cos(9 * x[1]), x[2]}; });
  double before = simulation.energies().kinetic;
  const Vec3 momentum = simulation.energies().momentum;
  for (int i = 0; i < 50; ++i) {
    simulation.step();
    const Energies e = simulation.energies();
    EXPECT_LE(e.kinetic + e.elastic, before * (1 + 1e-12));
    before = e.kinetic + e.elastic;
    EXPECT_LT((e.momentum - momentum).norm(), 1e-12);
  }
}

// VALIDATION A12 (g): the error against a step 256 times as short halves with the step.
TEST(Implicit, A12FirstOrderInTheStep) {
  const auto tip = [](double step_s) {
    Scene scene = implicit_scene(test::solid(1, 0.3, 1), step_s);
    scene.time.solver_tolerance = 1e-12;
    Simulation simulation(core::Comm(), scene, test::kuhn_box(2, 1, 1, 2, 1, 1), {});
    set_velocity(simulation, [](const Vec3& x) -> Vec3 { return {0.01 * std::sin(x[0] + x[1]), 0.01 * x[2], 0}; });
    test::run_until(simulation, 1);
    return position_of(simulation, 11);
  };
  Scene scene = test::bare_scene(test::solid(1, 0.3, 1));
  scene.time.max_step_s = 1e-4;
  Simulation exact(core::Comm(), scene, test::kuhn_box(2, 1, 1, 2, 1, 1), {});
  set_velocity(exact, [](const Vec3& x) -> Vec3 { return {0.01 * std::sin(x[0] + x[1]), 0.01 * x[2], 0}; });
  test::run_until(exact, 1);
  // Explicit runs have another law, which differs by the square of the strain: 1e-4 of 0.01.
  const Vec3 reference = position_of(exact, 11);
  const double coarse = (tip(0.05) - reference).norm(), fine = (tip(0.025) - reference).norm();
  EXPECT_NEAR(coarse / fine, 2, 0.15);
}

// Ten turns of a free body of glass about a principal axis: size and shape stay; the spin falls as implicit Euler
// predicts, ω′ = −ω³ h; no crack appears in a material that breaks at 1 MPa, a strain of 1.4e-5.
TEST(Implicit, TenTurns) {
  material::Material m = test::solid(7e10, 0.22, 2500);
  m.toughness = 1e6;
  m.toughness_mode = material::ToughnessMode::stress;
  const double rate = 10, step_s = 4e-3;
  Scene scene = implicit_scene(m, step_s);
  scene.output.energy_ledger = false;
  const OneRank alone;  // thousands of steps of a few nodes
  Simulation simulation(alone.comm(), scene, test::kuhn_box(2, 2, 2, 0.1, 0.1, 0.1), {});
  const Vec3 centre = Vec3::Constant(0.05), axis = Vec3::Constant(1 / std::sqrt(3.0));
  set_velocity(simulation, [&](const Vec3& x) -> Vec3 { return rate * axis.cross(x - centre); });
  const double spin_before = spin(simulation).dot(axis);
  const auto shape = [&] { return Vec3(position_of(simulation, 18) - position_of(simulation, 8)); };
  const double length = shape().norm();
  double turned = 0, worst = 0;
  Vec3 last = shape();
  while (turned < 20 * std::numbers::pi) {
    simulation.step();
    const Vec3 now = shape();
    turned += std::atan2(last.cross(now).dot(axis), last.dot(now));
    last = now;
    worst = std::max(worst, std::abs(now.norm() / length - 1));
  }
  EXPECT_LT(worst, 1e-3);  // the goal
  EXPECT_LT(worst, 1e-6);  // measured: the fourth power of the angle of a step
  EXPECT_EQ(simulation.fracture_counters().cracks, 0);
  const double left = 1 / std::sqrt(1 + 2 * rate * rate * step_s * simulation.time_s());
  EXPECT_NEAR(spin(simulation).dot(axis) / spin_before, left, 0.01 * left);
  const double mass = 2.5;
  EXPECT_LT(simulation.energies().momentum.norm(), 5e-4 * mass * rate * 0.05);  // to the tolerance of the solver
}

// VALIDATION A13 by implicit steps: a column of the bowl material, 0.1 m high, on rollers under its weight comes to
// rest within a few steps.
TEST(Implicit, A13GravityColumn) {
  constexpr int kCells = 10;
  const double height = 0.1, gravity = 9.81;
  material::Material m;
  m.density = 1013;
  m.lame_lambda = 2.65e6;
  m.lame_mu = 3.97e6;
  const mesh::TetMesh column = test::kuhn_box(1, 1, kCells, 0.01, 0.01, height);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : column.nodes) masks.push_back(x[2] == 0 ? 3 : 1);
  Scene scene = implicit_scene(m, 0.05);
  scene.gravity = Vec3(0, 0, -gravity);
  scene.regions = {test::grip({true, true, false}), test::grip({true, true, true})};
  Simulation simulation(core::Comm(), scene, column, masks);
  for (int i = 0; i < 12; ++i) simulation.step();
  const double modulus = m.lame_lambda + 2 * m.lame_mu;
  const double tip = m.density * gravity * height * height / (2 * modulus);
  const auto off = [&](LocalNode n) {
    const double z = simulation.mesh().rest[n][2];
    const double expected = -m.density * gravity * (height * z - 0.5 * z * z) / modulus;
    return std::abs(simulation.mesh().motion[n].position[2] - z - expected);
  };
  EXPECT_LT(largest(simulation, off), 0.01 * tip);
  const auto speed = [&](LocalNode n) { return Vec3(simulation.mesh().motion[n].velocity).norm(); };
  EXPECT_LT(largest(simulation, speed), 1e-12);
}

// VALIDATION A6, static: four elements across, ν = 0.3. The tip deflection of a bar under a transverse load is less
// than the beam's by about the squared ratio of its bending frequencies, .0174823 and .0187421, to .0161540. The two
// planes are the diagonals of the section; the load is the weight, w L⁴/(8 E I).
TEST(Implicit, A6CantileverUnderItsWeight) {
  const auto sag = [](double z) {
    const Vec3 down = Vec3(0, 1, z).normalized();
    Scene scene = implicit_scene(test::solid(1, 0.3, 1), 1e4);
    scene.gravity = 1e-6 * down;
    scene.time.strain = dynamics::Strain::linear;
    scene.regions = {test::grip({true, true, true})};
    const mesh::TetMesh bar = test::kuhn_box(40, 4, 4, 1, 0.1, 0.1);
    std::vector<std::uint32_t> masks;
    for (const Vec3& x : bar.nodes) masks.push_back(x[0] == 0 ? 1 : 0);
    Simulation simulation(core::Comm(), scene, bar, masks);
    for (int i = 0; i < 8; ++i) simulation.step();
    const std::int64_t tip = (40 * 5 + 2) * 5 + 2;
    return (position_of(simulation, tip) - Vec3(1, 0.05, 0.05)).dot(down) / (1e-6 * 0.01 / (8 * 1e-4 / 12));
  };
  const double beam = 0.0161540;
  const std::array<double, 2> expected{std::pow(beam / 0.0187421, 2), std::pow(beam / 0.0174823, 2)};
  const std::array<double, 2> found{std::min(sag(1), sag(-1)), std::max(sag(1), sag(-1))};
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found[i], expected[i], 0.02);
}

// VALIDATION A12 (d): this number of ranks against one, relative to the size of the motion.
TEST(Implicit, A12TheSameOnAnyNumberOfRanks) {
  const mesh::TetMesh block = busy_block();
  const Scene scene = busy_scene();
  Simulation here(core::Comm(), scene, block, {});
  const OneRank alone;
  Simulation serial(alone.comm(), scene, block, {});
  for (int i = 0; i < 60; ++i) {
    here.step();
    serial.step();
  }
  EXPECT_GT(serial.num_contacts(), 0);
  const auto count = static_cast<std::int64_t>(block.nodes.size());
  EXPECT_LT(test::largest_distance(positions_by_id(here, count), positions_by_id(serial, count)), 1e-8 * 0.3);
  EXPECT_NEAR(here.energies().numerical_loss, serial.energies().numerical_loss,
              1e-7 * serial.energies().numerical_loss);
}

// A restarted run continues as one that was not stopped, to the tolerance of the solver, its accounts too.
TEST(Implicit, ARunTakenUpAgainAgrees) {
  const mesh::TetMesh block = busy_block();
  const Scene scene = busy_scene();
  Simulation straight(core::Comm(), scene, block, {});
  for (int i = 0; i < 50; ++i) straight.step();
  EXPECT_GT(straight.comm().sum(straight.num_contacts()), 0);
  Simulation again(core::Comm(), scene, straight.save());
  EXPECT_EQ(again.energies().numerical_loss, straight.energies().numerical_loss);
  for (int i = 0; i < 20; ++i) {
    straight.step();
    again.step();
  }
  EXPECT_EQ(again.time_s(), straight.time_s());
  const auto count = static_cast<std::int64_t>(block.nodes.size());
  EXPECT_LT(test::largest_distance(positions_by_id(straight, count), positions_by_id(again, count)), 1e-8 * 0.3);
  EXPECT_NEAR(again.energies().total(), straight.energies().total(), 1e-7 * std::abs(straight.energies().total()));
}

// Cracks between implicit steps: the bar breaks in two at its waist, with the same list of cracks on this number of
// ranks as on one, though PETSc's solver gives other bits: the margin where the waist breaks first is large. Matrices
// are made anew for the cut mesh, and the ledger continues.
TEST(Implicit, ABarBreaksAtItsWaist) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  const Scene scene = pulled_scene(1e-3);
  const mesh::TetMesh bar = waisted_bar();
  const std::vector<std::uint32_t> masks = both_ends(bar);
  const auto run = [&](const core::Comm& comm) {
    auto simulation = std::make_unique<Simulation>(comm, scene, bar, masks);
    test::run_until(*simulation, 0.3);
    return simulation;
  };
  const auto here = run(core::Comm());
  const OneRank alone;
  const auto serial = run(alone.comm());
  const auto pieces = dist::find_pieces(here->mesh()).list;
  EXPECT_GE(pieces.size(), 2U);
  EXPECT_EQ(pieces.size(), dist::find_pieces(serial->mesh()).list.size());
  EXPECT_EQ(here->fracture_counters().cracks, serial->fracture_counters().cracks);
  EXPECT_EQ(test::topology_digest(here->mesh()), test::topology_digest(serial->mesh()));
  EXPECT_GT(here->equations().num_matrices(), 1);
  double largest_mass = 0, mass = 0;
  for (const auto& piece : pieces) {
    largest_mass = std::max(largest_mass, piece.mass);
    mass += piece.mass;
  }
  EXPECT_NEAR(largest_mass / mass, 0.5, 0.1);
  const Energies e = here->energies();
  EXPECT_NEAR(e.total(), 0, 0.02 * e.supplied);
}

// It comes to rest on the ground, does not sink and does not creep; the ledger closes to the error of one iteration.
TEST(Implicit, ABlockComesToRestOnTheGround) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  Simulation simulation(core::Comm(), busy_scene(), busy_block(), {});
  const double energy = simulation.energies().total(), thrown = simulation.energies().kinetic;
  double worst = 0;
  const auto depth = [&](LocalNode n) { return -simulation.mesh().motion[n].position[2]; };
  double depth_before = 0;
  while (simulation.time_s() < 3) {
    simulation.step();
    worst = std::max(worst, std::abs(simulation.energies().total() - energy));
    if (simulation.time_s() < 2.5) depth_before = largest(simulation, depth);
  }
  const auto speed = [&](LocalNode n) { return Vec3(simulation.mesh().motion[n].velocity).norm(); };
  EXPECT_LT(largest(simulation, speed), 1e-3);
  EXPECT_NEAR(largest(simulation, depth), depth_before, 0.05 * depth_before);
  EXPECT_LT(depth_before, 2e-3);  // depth of springs of that stiffness
  EXPECT_GE(simulation.comm().sum(simulation.num_contacts()), 3);
  EXPECT_LT(worst, 0.005 * thrown);
  EXPECT_GT(simulation.energies().numerical_loss, 0);
  EXPECT_GT(simulation.energies().contact_loss, 0);
  EXPECT_EQ(simulation.num_halvings(), 0);
}

// Coulomb: on a plane inclined by less than the angle of friction it stays, by more it slides at g (sin − μ cos).
TEST(Implicit, FrictionHoldsABlockOnAnIncline) {
  for (const bool holds : {true, false}) {
    Scene scene = implicit_scene(test::solid(1e6, 0.3, 1000, 1e-3), 1.0 / 600);
    const double angle = 0.3;
    scene.gravity = 9.81 * Vec3(std::sin(angle), 0, -std::cos(angle));
    contact::ColliderParameters ground;
    ground.friction = holds ? 0.5 : 0.1;
    scene.colliders = {ground};
    Simulation simulation(core::Comm(), scene, test::kuhn_box(2, 2, 1, 0.2, 0.2, 0.1), {});
    test::run_until(simulation, 0.5);
    const Energies e = simulation.energies();
    const double speed = e.momentum.x() / (1000 * 0.2 * 0.2 * 0.1);
    const double expected = holds ? 0 : 0.5 * 9.81 * (std::sin(angle) - 0.1 * std::cos(angle));
    EXPECT_NEAR(speed, expected, holds ? 1e-4 : 0.01);
  }
}

// A prescribed region takes the body along, and the ledger has the work.
TEST(Implicit, ARegionDragsTheBody) {
  Scene scene = implicit_scene(test::solid(1e6, 0.3, 1000, 1e-4), 1e-3);
  scene.regions = {test::grip({true, true, true}, Vec3(1, 0, 0))};
  const mesh::TetMesh bar = test::kuhn_box(6, 1, 1, 0.6, 0.1, 0.1);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : bar.nodes) masks.push_back(x[0] == 0 ? 1 : 0);
  Simulation simulation(core::Comm(), scene, bar, masks);
  test::run_until(simulation, 0.5);
  for_each_owned(simulation, [&](LocalNode n, std::int64_t) {
    if (simulation.mesh().rest[n][0] > 0) return;
    EXPECT_NEAR(simulation.mesh().motion[n].position[0], 0.5, 1e-12);
  });
  const Energies e = simulation.energies();
  EXPECT_NEAR(e.momentum.x(), 6, 0.3);
  EXPECT_NEAR(e.total(), 0, 1e-3 * e.supplied);
  EXPECT_GT(e.supplied, 3);
}

// A solver that fails ends the run with the reason; nothing has moved.
TEST(Implicit, AStepThatNeverConvergesSaysWhy) {
  Scene scene = busy_scene();
  la::check(PetscOptionsSetValue(nullptr, "-dyn_ksp_max_it", "1"), "PetscOptionsSetValue");
  Simulation simulation(core::Comm(), scene, busy_block(), {});
  std::string message;
  try {
    for (int i = 0; i < 200; ++i) simulation.step();
  } catch (const core::Error& e) {
    message = e.what();
  }
  la::check(PetscOptionsClearValue(nullptr, "-dyn_ksp_max_it"), "PetscOptionsClearValue");
  EXPECT_NE(message.find("DIVERGED_ITS"), std::string::npos) << message;
  EXPECT_NE(message.find("time.step_s"), std::string::npos) << message;
  EXPECT_EQ(simulation.num_halvings(), 8);
}

/// A unit cube that has rotated as a whole by an angle about an oblique axis; breakable at `strength`.
class TurnedCube {
public:
  static constexpr double kStrength = 1e5;
  static Scene scene(dynamics::Strain strain, dynamics::Integrator integrator) {
    material::Material m = test::solid(1e7, 0.3, 1000, 1e-4);
    m.toughness = kStrength;
    m.toughness_mode = material::ToughnessMode::stress;
    Scene scene = test::implicit_scene(m, 1e-3);
    scene.time.strain = strain;
    scene.time.integrator = integrator;
    return scene;
  }
  static mesh::TetMesh turned(double angle) {
    mesh::TetMesh cube = test::kuhn_box(3, 3, 3, 1, 1, 1);
    const Mat3 r = Eigen::AngleAxisd(angle, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    for (const Vec3& x : cube.nodes) cube.displacement.push_back(r * x - x);
    return cube;
  }
};

// Closed form: a linear strain measures a rotation by θ as −(1 − cos θ) in its plane, a stress of 2 (λ + μ) (1 − cos
// θ). Where that is a tenth of the strength a run ends before it cracks anything; a little below it continues, and so
// does a corotational one, or one that nothing can break, at any angle.
TEST(ImplicitDynamics, ALinearStrainCracksNothingByATurn) {
  using dynamics::Integrator, dynamics::Strain;
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::hht}) {
    const Scene linear = TurnedCube::scene(Strain::linear, integrator);
    const material::Material& m = linear.materials[0];
    const double limit = std::acos(1 - 0.1 * TurnedCube::kStrength / (2 * (m.lame_lambda + m.lame_mu)));
    Simulation below(core::Comm(), linear, TurnedCube::turned(0.99 * limit), {});
    EXPECT_NO_THROW(below.step());
    Simulation above(core::Comm(), linear, TurnedCube::turned(1.01 * limit), {});
    try {
      above.step();
      ADD_FAILURE() << "a turn was taken for a strain";
    } catch (const core::Error& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("has turned by"), std::string::npos) << text;
      EXPECT_NE(text.find("time.strain = \"corotational\""), std::string::npos) << text;
    }
    EXPECT_EQ(above.fracture_counters().cracks, 0);
    Simulation corotational(core::Comm(), TurnedCube::scene(Strain::corotational, integrator), TurnedCube::turned(2),
                            {});
    corotational.step();
    EXPECT_EQ(corotational.fracture_counters().cracks, 0);
    Scene whole = linear;
    whole.fracture.enabled = false;
    Simulation unbreakable(core::Comm(), whole, TurnedCube::turned(1.01 * limit), {});
    EXPECT_NO_THROW(unbreakable.step());
  }
}

// The false strain of a rotation by θ, in every element: 1 − cos θ.
TEST(ImplicitDynamics, FalseStrainsAreThoseOfTheTurn) {
  for (const double angle : {0.001, 0.3, 2.0}) {
    const Simulation simulation(core::Comm(),
                                TurnedCube::scene(dynamics::Strain::linear, dynamics::Integrator::implicit_euler),
                                TurnedCube::turned(angle), {});
    const dist::Mesh& mesh = simulation.mesh();
    const std::vector<double> strains = dynamics::false_strains(mesh);
    for (std::int32_t slot = 0; slot < mesh.num_element_slots(); ++slot) {
      const double expected = mesh.is_held(LocalElement(slot)) ? 1 - std::cos(angle) : 0;
      EXPECT_NEAR(strains[static_cast<std::size_t>(slot)], expected, 1e-13);
    }
  }
}

}  // namespace
}  // namespace brisance::sim
