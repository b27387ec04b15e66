/// Implicit steps with the lattice solver: the same bits on any number of ranks, with contact, friction and cracks, and
/// while all nodes change owners.
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/implicit/implicit_equations.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/breaking_plate.hpp"
#include "support/shuffled_case.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::Case;
using test::digest_of;
using test::run;

/// A run on these ranks has the bits of one rank's, and so has one with other owners every few steps.
std::unique_ptr<Simulation> expect_same_bits(const Case& which) {
  const core::Comm world;
  const std::uint64_t alone = digest_of(*run(core::Comm(MPI_COMM_SELF), which, 0));
  auto here = run(world, which, 0);
  EXPECT_EQ(digest_of(*here), alone);
  EXPECT_EQ(digest_of(*run(world, which, 3)), alone);
  EXPECT_EQ(here->equations().last().preconditioner, "lattice");
  return here;
}

// A plate that hits the ground and breaks.
TEST(ImplicitBits, APlateThatBreaksOnTheGround) {
  const auto simulation = expect_same_bits({test::implicit_breaking_plate(), test::falling_plate(), {}, 60});
  EXPECT_GT(simulation->fracture_counters().cracks, 10);
  EXPECT_GT(simulation->comm().sum(simulation->num_contacts()), 0);
}

TEST(ImplicitBits, APlateWhoseTetsStayWhole) {
  Case plate{test::implicit_breaking_plate(), test::falling_plate(), {}, 40};
  plate.scene.fracture.cutter = "virtual_nodes";
  const auto simulation = expect_same_bits(plate);
  EXPECT_GT(simulation->fracture_counters().cracks, 10);
  EXPECT_GT(simulation->comm().sum(simulation->num_contacts()), 0);
}

TEST(ImplicitBits, APlateWhoseEnergyIsWatched) {
  Case plate{test::implicit_breaking_plate(), test::falling_plate(), {}, 30};
  plate.scene.time.watch_energy = true;
  plate.scene.time.step_s *= 4;
  expect_same_bits(plate);
}

/// Clamped at one end.
Case cantilever(const material::Material& m) {
  Case which;
  which.scene = test::bare_scene(m);
  which.scene.time.integrator = dynamics::Integrator::implicit_euler;
  which.scene.time.solver = dynamics::Solver::lattice;
  which.scene.time.step_s = 5e-3;
  which.scene.gravity = Vec3(0, 0, -9.81);
  which.scene.regions = {test::grip({true, true, true})};
  which.mesh = test::kuhn_box(20, 3, 3, 1, 0.15, 0.15);
  for (const Vec3& x : which.mesh.nodes) which.masks.push_back(x[0] == 0 ? 1 : 0);
  which.steps = 40;
  return which;
}

// One that bends by a tenth of its length, and swings.
TEST(ImplicitBits, ACantileverThatSwings) {
  const auto simulation = expect_same_bits(cantilever(test::solid(2e6, 0.3, 1000, 1e-4)));
  EXPECT_EQ(simulation->fracture_counters().cracks, 0);
}

// A stiff one whose root breaks by principal stress: the clamped and the falling part are solved in the same system.
TEST(ImplicitBits, ACantileverThatBreaksOff) {
  material::Material m = test::solid(1e10, 0.2, 1000, 1e-6);
  m.toughness = 5e4;
  m.toughness_mode = material::ToughnessMode::stress;
  Case which = cantilever(m);
  which.scene.fracture.criterion = "principal_stress";
  for (const auto of : {fracture::StressOf::star, fracture::StressOf::element}) {
    which.scene.fracture.principal_stress_of = of;
    const auto simulation = expect_same_bits(which);
    EXPECT_GT(simulation->fracture_counters().cracks, 3);
    EXPECT_GT(dist::find_pieces(simulation->mesh()).list.size(), 1U);
  }
}

// A block that slides with friction: friction limits and line searches are sums, too.
TEST(ImplicitBits, ABlockThatSlides) {
  Case which;
  which.scene = test::bare_scene(test::solid(1e6, 0.3, 1000, 1e-4));
  which.scene.time.integrator = dynamics::Integrator::implicit_euler;
  which.scene.time.solver = dynamics::Solver::lattice;
  which.scene.time.step_s = 1.0 / 600;
  which.scene.gravity = Vec3(2, 0, -9.81);
  contact::ColliderParameters ground;
  ground.name = "ground";
  ground.friction = 0.4;
  which.scene.colliders = {ground};
  which.mesh = test::kuhn_box(4, 3, 3, 0.4, 0.3, 0.3);
  for (Vec3& x : which.mesh.nodes) {
    x = Eigen::AngleAxisd(0.2, Vec3(1, 1, 0).normalized()) * x + Vec3(0, 0, 0.08);
    which.mesh.velocity.emplace_back(0.5, 0, -1);
  }
  which.steps = 60;
  const auto simulation = expect_same_bits(which);
  EXPECT_GT(simulation->comm().sum(simulation->num_contacts()), 0);
}

// Second order: accelerations are handed on, iterations continue until rotations have converged.
Case with_hht(Case which) {
  which.scene.time.integrator = dynamics::Integrator::hht;
  which.scene.time.hht_alpha = -0.1;
  return which;
}

TEST(ImplicitBits, HilberHughesTaylorAPlateThatBreaksOnTheGround) {
  const auto simulation = expect_same_bits(with_hht({test::implicit_breaking_plate(), test::falling_plate(), {}, 60}));
  EXPECT_GT(simulation->fracture_counters().cracks, 10);
  EXPECT_GT(simulation->comm().sum(simulation->num_contacts()), 0);
}

TEST(ImplicitBits, HilberHughesTaylorACantileverThatSwings) {
  const auto simulation = expect_same_bits(with_hht(cantilever(test::solid(2e6, 0.3, 1000, 1e-4))));
  EXPECT_EQ(simulation->fracture_counters().cracks, 0);
}

// Statics: a cantilever is pressed down on to a ball, with its weight, and its root breaks.
TEST(ImplicitBits, LoadStepsOfACantileverThatBreaks) {
  material::Material m = test::solid(1e7, 0.2, 1000);
  m.toughness = 6e4;
  m.toughness_mode = material::ToughnessMode::stress;
  Case which = cantilever(m);
  which.scene.time = {};
  which.scene.time.integrator = dynamics::Integrator::statics;
  which.scene.time.solver = dynamics::Solver::lattice;
  which.scene.time.load_steps = 8;
  which.scene.duration_s = 1;
  contact::ColliderParameters ball;
  ball.name = "ball";
  ball.shape = contact::ColliderShape::sphere;
  ball.radius_m = 0.2;
  ball.position = Vec3(1, 0.07, -0.22);
  ball.friction = 0;
  which.scene.colliders = {ball};
  LoadParameters load;
  load.pressure_pa = 500;
  load.shape = LoadShape::box;
  load.low = Vec3(0.3, -1, 0.149);
  load.high = Vec3(2, 1, 0.151);
  which.scene.loads = {load};
  which.steps = 8;
  const auto simulation = expect_same_bits(which);
  EXPECT_EQ(simulation->time_s(), 1);
  EXPECT_GT(simulation->fracture_counters().cracks, 3);
}

}  // namespace
}  // namespace brisance::sim
