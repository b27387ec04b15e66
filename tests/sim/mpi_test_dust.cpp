/// Pieces too small to deform leave the mesh as particles: the quantities they carry, the accounts, and that no bit
/// depends on owners.
#include "brisance/core/error.hpp"
#include "brisance/dist/check.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/breaking_plate.hpp"
#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/shuffled_owners.hpp"

#include <array>
#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::falling_plate;

/// The breaking plate, whose pieces smaller than this many tets become dust.
Scene dusty_plate(double tets = 12) {
  Scene scene = test::breaking_plate();
  scene.fracture.dust = fracture::Dust::particles;
  scene.fracture.dust_max_tets = tets;
  scene.fracture.check_invariants = true;
  return scene;
}

std::int64_t num_dust(const Simulation& simulation) {
  return simulation.comm().sum(std::ssize(simulation.dust().particles()));
}

/// Sums over nodes and particles: mass, momentum, moment, angular momentum about the origin.
struct Totals {
  double mass = 0;
  Vec3 momentum, moment, angular;
};

Totals totals(const Simulation& simulation) {
  std::array<core::ExactSum, 10> sums;
  const auto add = [&](double m, const Vec3& x, const Vec3& v, const Vec3& spin) {
    sums[0].add(m);
    const Vec3 angular = m * x.cross(v) + spin;
    for (int k = 0; k < 3; ++k) {
      sums[static_cast<std::size_t>(1 + k)].add(m * v[k]);
      sums[static_cast<std::size_t>(4 + k)].add(m * x[k]);
      sums[static_cast<std::size_t>(7 + k)].add(angular[k]);
    }
  };
  const dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      add(mesh.mass[n], Vec3(mesh.motion[n].position), Vec3(mesh.motion[n].velocity), Vec3::Zero());
  for (const DustParticle& dust : simulation.dust().particles())
    add(dust.mass, Vec3(dust.position.data()), Vec3(dust.velocity.data()), Vec3(dust.angular_momentum.data()));
  core::ExactSum::reduce(simulation.comm(), sums);
  const auto vector = [&](std::size_t k) { return Vec3(sums[k].value(), sums[k + 1].value(), sums[k + 2].value()); };
  return {sums[0].value(), vector(1), vector(4), vector(7)};
}

/// All bits of mesh, accounts and particles.
std::uint64_t digest_of(const Simulation& simulation) {
  std::uint64_t h = test::digest_of(simulation);
  const auto mix = [&](double x) { h = core::hash_bits(h, std::bit_cast<std::uint64_t>(x), 12); };
  mix(simulation.energies().dust_loss);
  for (const DustParticle& dust : simulation.dust().gathered(simulation.comm())) {
    h = core::hash_bits(h, static_cast<std::uint64_t>(dust.id), 13);
    for (const auto* vector : {&dust.position, &dust.velocity, &dust.angular_momentum})
      for (const double x : *vector) mix(x);
    for (const double x : {dust.mass, dust.inertia, dust.radius, dust.contact_radius, dust.birth_s}) mix(x);
  }
  return h;
}

void expect_kept_quantities(const Scene& scene) {
  const core::Comm world;
  Scene as_tets = scene;
  as_tets.fracture.dust = fracture::Dust::tets;
  Simulation before(world, as_tets, falling_plate(), {}), after(world, scene, falling_plate(), {});
  while (num_dust(after) == 0) {  // both are the same run up to here
    ASSERT_LT(after.num_steps(), 400);
    before.step();
    after.step();
  }
  const Totals a = totals(before), b = totals(after);
  EXPECT_NEAR(b.mass, a.mass, 1e-15 * a.mass);
  EXPECT_LT((b.momentum - a.momentum).norm(), 1e-14 * a.momentum.norm());
  EXPECT_LT((b.moment - a.moment).norm(), 1e-14 * a.moment.norm());
  EXPECT_LT((b.angular - a.angular).norm(), 1e-13 * a.angular.norm());

  const Energies of_tets = before.energies(), e = after.energies();
  EXPECT_NEAR(e.total(), of_tets.total(), 1e-12 * of_tets.kinetic);
  EXPECT_NEAR(e.gravity, of_tets.gravity, 1e-12 * std::abs(of_tets.gravity));
  // A particle loses elasticity and internal motion; nothing else has changed.
  EXPECT_GT(e.dust_loss, 0);
  EXPECT_GE(of_tets.elastic, e.elastic);
  EXPECT_GE(of_tets.kinetic, e.kinetic - 1e-9 * e.kinetic);
  // The account is half a step ahead of the velocities; what the piece would lose in that half is not lost.
  EXPECT_NEAR(e.viscous_loss, of_tets.viscous_loss, 2e-3 * of_tets.kinetic);
  EXPECT_NEAR(e.plastic_loss, of_tets.plastic_loss, 1e-12 * of_tets.kinetic);
  EXPECT_NEAR(e.supplied, of_tets.supplied, 1e-12 * of_tets.kinetic);
}

Scene dusty_plate_of_virtual_nodes() {
  Scene scene = dusty_plate();
  scene.fracture.cutter = "virtual_nodes";
  return scene;
}

TEST(Dust, TakesMassMomentumAndAngularMomentumAlongAndBooksTheRest) { expect_kept_quantities(dusty_plate()); }

TEST(Dust, TakesTheSameAlongFromVirtualNodes) { expect_kept_quantities(dusty_plate_of_virtual_nodes()); }

TEST(Dust, ElementsAndNodesReallyLeaveTheMesh) {
  const core::Comm world;
  Simulation simulation(world, dusty_plate(), falling_plate(), {});
  while (num_dust(simulation) < 3 && simulation.num_steps() < 400) simulation.step();
  ASSERT_GE(num_dust(simulation), 3);
  const dist::Mesh& mesh = simulation.mesh();
  EXPECT_THAT(dist::check_mesh(mesh), testing::IsEmpty());
  const std::int64_t tets = world.sum(static_cast<std::int64_t>(dist::home_elements(mesh).size()));
  EXPECT_EQ(tets, mesh.facts.next_element_id - simulation.num_tets_of_dust());
  EXPECT_GT(simulation.num_tets_of_dust(), 0);
  for (const DustParticle& dust : simulation.dust().particles()) EXPECT_FALSE(mesh.find(GlobalNode(dust.id)).valid());
  // The remaining pieces are larger than dust, but for one piece at most.
  const dist::Pieces pieces = dist::find_pieces(mesh);
  const double limit_kg = 12 * 1000 * 0.6 * 0.06 * 0.45 / (8 * 6 * 6);
  std::int64_t small = 0;
  for (const dist::Piece& piece : pieces.list) small += piece.mass < limit_kg ? 1 : 0;
  EXPECT_LE(small, 3);  // born since the last evaluation
}

/// @param shuffle_every  steps between two migrations of everything; 0: none
std::uint64_t digest_after(const core::Comm& comm, const Scene& scene, int steps, int shuffle_every = 0) {
  Simulation simulation(comm, scene, falling_plate(), {});
  for (int i = 0; i < steps; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(simulation);
    simulation.step();
  }
  EXPECT_GT(num_dust(simulation), 3);
  return digest_of(simulation);
}

// With random owners nearly every piece lies on all ranks.
TEST(Dust, SameBitsOnAnyRanksWithAnyOwners) {
  const core::Comm world;
  constexpr int kSteps = 240;
  Scene scene = dusty_plate();
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene, kSteps);
  EXPECT_EQ(digest_after(world, scene, kSteps), alone);
  scene.fracture.check_invariants = false;
  EXPECT_EQ(digest_after(world, scene, kSteps, kSteps), alone);
  EXPECT_EQ(digest_after(world, scene, kSteps, 24), alone);
}

// Cracks go on around places whose real node has left.
TEST(Dust, SameBitsOfVirtualNodesWithAnyOwners) {
  constexpr int kSteps = 240;
  const Scene scene = dusty_plate_of_virtual_nodes();
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene, kSteps);
  EXPECT_EQ(digest_after(core::Comm(), scene, kSteps, 24), alone);
}

TEST(Dust, SameBitsWherePiecesMeetEachOther) {
  const core::Comm world;
  constexpr int kSteps = 150;
  Scene scene = test::plate_on_a_step();
  scene.fracture.dust = fracture::Dust::particles;
  scene.fracture.dust_max_tets = 12;
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene, kSteps);
  EXPECT_EQ(digest_after(world, scene, kSteps), alone);
  EXPECT_EQ(digest_after(world, scene, kSteps, 48), alone);
}

TEST(Dust, TheAccountClosesAsItDoesForTets) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  const core::Comm world;
  Scene scene = dusty_plate(), as_tets = scene;
  as_tets.fracture.dust = fracture::Dust::tets;
  const auto imbalance = [&](const Scene& s) {
    Simulation simulation(world, s, falling_plate(), {});
    const double start = simulation.energies().total();
    double most = 0;
    for (int i = 0; i < 400; ++i) {
      simulation.step();
      if (i % 20 == 0) most = std::max(most, std::abs(simulation.energies().total() - start));
    }
    return most;
  };
  const double of_tets = imbalance(as_tets), of_particles = imbalance(scene);
  EXPECT_LT(of_particles, 1.2 * of_tets + 0.05);
}

/// The plate in variants with their own accounts at nodes and tets that leave.
std::vector<std::pair<const char*, Scene>> ways() {
  std::vector<std::pair<const char*, Scene>> list;
  Scene scene = dusty_plate();
  scene.time.step_classes = 10;
  scene.fracture.altitude_floor = 0.3;
  list.emplace_back("sub-cycling", scene);
  scene = dusty_plate();
  scene.fracture.cohesive = true;
  scene.fracture.tips = {{0.2, 0}};
  list.emplace_back("cohesion", scene);
  scene = dusty_plate();
  LoadParameters pressure;
  pressure.kind = LoadKind::pressure;
  pressure.pressure_pa = 1e4;
  scene.loads = {pressure};
  list.emplace_back("loads", scene);
  scene = dusty_plate();
  scene.time.integrator = dynamics::Integrator::taylor2;
  list.emplace_back("taylor2", scene);
  return list;
}

TEST(Dust, TakesNothingOutOfTheAccountsOfOtherWays) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  const core::Comm world;
  for (auto& [name, scene] : ways()) {
    SCOPED_TRACE(name);
    Scene as_tets = scene;
    as_tets.fracture.dust = fracture::Dust::tets;
    Simulation before(world, as_tets, falling_plate(), {}), after(world, scene, falling_plate(), {});
    while (num_dust(after) == 0 && after.num_steps() < 600) {
      before.step();
      after.step();
    }
    ASSERT_GT(num_dust(after), 0);
    const Energies a = before.energies(), b = after.energies();
    EXPECT_NEAR(b.total(), a.total(), 1e-12 * a.kinetic);
    EXPECT_GT(b.dust_loss, 0);
    EXPECT_NEAR(b.plastic_loss, a.plastic_loss, 1e-12 * a.kinetic);
    EXPECT_NEAR(b.cohesive_loss, a.cohesive_loss, 1e-12 * a.kinetic);
    EXPECT_NEAR(b.load_work, a.load_work, 1e-12 * a.kinetic);
    EXPECT_LT((b.load_impulse - a.load_impulse).norm(), 1e-12 * a.momentum.norm());
    EXPECT_NEAR(b.step_change, a.step_change, 1e-12 * a.kinetic);
    for (int i = 0; i < 40; ++i) after.step();
    Simulation alone(core::Comm(MPI_COMM_SELF), scene, falling_plate(), {});
    while (alone.num_steps() < after.num_steps()) alone.step();
    EXPECT_EQ(digest_of(after), digest_of(alone));
  }
}

TEST(Dust, AnObjectThatIsAllDustIsRefused) {
  const core::Comm world;
  try {
    const Simulation simulation(world, dusty_plate(1e6), falling_plate(), {});
    FAIL() << "taken";
  } catch (const core::BadInput& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("fracture.dust_max_tets = 1e+06"));
    EXPECT_THAT(e.what(), testing::HasSubstr("nothing of it would be left"));
  }
}

/// The plate, and far beside it a cube as large as one of its tets.
mesh::TetMesh plate_and_cube() {
  return test::joined(falling_plate(), Vec3(0.1, 0, -4),
                      test::moved(test::kuhn_box(1, 1, 1, 0.04, 0.04, 0.04), Mat3::Identity(), Vec3(0, 1, 0)),
                      Vec3::Zero());
}

TEST(Dust, ByDefaultSmallPiecesOfExplicitStepsBecomeDust) {
  const core::Comm world;
  Scene scene = dusty_plate(), named = dusty_plate();
  scene.fracture.dust = fracture::Parameters{}.dust;
  Simulation simulation(world, scene, falling_plate(), {}), by_name(world, named, falling_plate(), {});
  while (num_dust(simulation) < 3 && simulation.num_steps() < 400) {
    simulation.step();
    by_name.step();
  }
  EXPECT_GE(num_dust(simulation), 3);
  EXPECT_EQ(digest_of(simulation), digest_of(by_name));
}

TEST(Dust, ByDefaultNothingBecomesDustWhereAPartIsAsSmallFromTheStart) {
  const core::Comm world;
  Scene scene = test::breaking_plate();
  scene.fracture.dust = fracture::Parameters{}.dust;
  Simulation by_default(world, scene, plate_and_cube(), {});
  scene.fracture.dust = fracture::Dust::tets;
  Simulation as_tets(world, scene, plate_and_cube(), {});
  for (int i = 0; i < 300; ++i) {
    by_default.step();
    as_tets.step();
  }
  EXPECT_GT(as_tets.fracture_counters().cracks, 20);
  EXPECT_EQ(num_dust(by_default), 0);
  EXPECT_EQ(digest_of(by_default), digest_of(as_tets));
  scene.fracture.dust = fracture::Dust::particles;
  EXPECT_THROW(Simulation(world, scene, plate_and_cube(), {}), core::BadInput);
  scene.fracture.dust = fracture::Parameters{}.dust;
  scene.fracture.dust_max_tets = 3;
  EXPECT_THROW(Simulation(world, scene, plate_and_cube(), {}), core::BadInput);
}

TEST(Dust, WhatARegionHoldsStays) {
  const core::Comm world;
  Scene scene = dusty_plate();
  RegionParameters region;
  region.name = "all";
  region.axes = {true, false, false};
  scene.regions = {region};
  const mesh::TetMesh plate = falling_plate();
  const std::vector<std::uint32_t> regions(plate.nodes.size(), 1);
  Simulation simulation(world, scene, plate, regions);
  for (int i = 0; i < 200; ++i) simulation.step();
  EXPECT_EQ(num_dust(simulation), 0);
}

}  // namespace
}  // namespace brisance::sim
