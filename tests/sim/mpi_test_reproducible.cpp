/// A breaking object gives the same bits on any number of ranks, with random owners, and when every node changes its
/// owner every 50 steps; and this comparison can fail.
#include "brisance/dist/check.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/breaking_plate.hpp"
#include "support/graded_plate.hpp"
#include "support/shuffled_owners.hpp"

#include <cmath>
#include <cstdio>
#include <set>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::breaking_plate;
using test::digest_of;
using test::falling_plate;
using test::finer_plate;
using test::plate_on_a_step;

constexpr int kSteps = 400;

/// @param shuffle_every  steps between two migrations of everything; 0: none
std::uint64_t digest_after(const core::Comm& comm, const Scene& scene, int shuffle_every = 0, int steps = kSteps) {
  Simulation simulation(comm, scene, falling_plate(), {});
  for (int i = 0; i < steps; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(simulation);
    simulation.step(scene.duration_s);
  }
  return digest_of(simulation);
}

/// The same bits on one rank, on all, with owners at random at the start and every 50 steps; and an account that
/// closes.
void expect_same_bits(Scene scene) {
  const core::Comm world;
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene);

  scene.fracture.check_invariants = true;
  Simulation simulation(world, scene, falling_plate(), {});
  const double before = simulation.energies().total();
  for (int i = 0; i < kSteps; ++i) simulation.step(scene.duration_s);
  EXPECT_EQ(digest_of(simulation), alone);
  const auto counters = simulation.fracture_counters();
  EXPECT_GT(counters.cracks, 50);
  if (world.size() > 1) {
    EXPECT_GT(counters.cracks_across_ranks, 10);
  }
  EXPECT_GT(dist::find_pieces(simulation.mesh()).list.size(), 1u);
  // The ledger closes up to the integrator's own error: 3.1 J here, 0.6 J with steps a quarter as long.
  const Energies after = simulation.energies();
  EXPECT_NEAR(after.total(), before, 0.04 * after.kinetic);
  EXPECT_GT(after.plastic_loss, 0);

  scene.fracture.check_invariants = false;
  EXPECT_EQ(digest_after(world, scene, 50), alone);
}

TEST(Reproducible, SameBitsOnAnyRanksWithAnyOwners) { expect_same_bits(breaking_plate()); }

TEST(Reproducible, SameBitsWithVirtualNodes) {
  Scene scene = breaking_plate();
  scene.fracture.cutter = "virtual_nodes";
  expect_same_bits(scene);
}

// The bound of each tet does not change, since mass and stiffness of a copy have the same share; strain alone shortens
// the step, by 1 + 1.5 ‖ε‖.
TEST(Reproducible, VirtualNodesDoNotShortenTheStepAtRest) {
  Scene scene = breaking_plate();
  scene.fracture.cutter = "virtual_nodes";
  Simulation simulation(core::Comm(), scene, falling_plate(), {});
  const double uncut = simulation.step_bound().element_step_s;
  double shortest = uncut;
  for (int i = 0; i < kSteps; ++i) {
    simulation.step(scene.duration_s);
    shortest = std::min(shortest, simulation.step_bound().element_step_s);
  }
  EXPECT_GT(simulation.fracture_counters().cracks, 50);
  EXPECT_GT(shortest, 0.5 * uncut);
}

/// Nodes in contact with the body, over all ranks.
std::int64_t contacts_with(const Simulation& simulation, int body) {
  std::int64_t count = 0;
  for (const contact::NodeContact& c : simulation.colliders().contacts()) count += c.body == body ? 1 : 0;
  for (const contact::ShortContact& c : simulation.colliders().short_contacts())
    count += c.pressing.body == body && c.pressing.depth > 0 ? 1 : 0;
  return simulation.comm().sum(count);
}

TEST(Reproducible, MeshCollidersAFixedAndAFreeOneChangeNoBit) {
  const core::Comm world;
  const Scene scene = plate_on_a_step();
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene);
  Simulation simulation(world, scene, falling_plate(), {});
  const double before = simulation.energies().total();
  std::int64_t on_floor = 0, on_ball = 0;
  for (int i = 0; i < kSteps; ++i) {
    simulation.step(scene.duration_s);
    on_floor += contacts_with(simulation, 0);
    on_ball += contacts_with(simulation, 1);
  }
  EXPECT_EQ(digest_of(simulation), alone);
  EXPECT_GT(on_floor, 100);
  EXPECT_GT(on_ball, 100);
  EXPECT_GT(simulation.fracture_counters().cracks, 20);
  const Energies after = simulation.energies();
  EXPECT_NEAR(after.total(), before, 0.04 * after.kinetic);
  if (world.is_root())
    std::printf("contacts with the floor %lld, with the ball %lld; imbalance %.3g of %.3g J\n",
                static_cast<long long>(on_floor), static_cast<long long>(on_ball), after.total() - before,
                after.kinetic);
  EXPECT_EQ(digest_after(world, scene, 50), alone);
}

/// The element's middle at rest.
Vec3 rest_middle(const dist::Mesh& mesh, LocalElement e) {
  Vec3 middle = Vec3::Zero();
  for (const LocalNode n : mesh.corners(e)) middle += mesh.rest[n] / 4;
  return middle;
}

TEST(Reproducible, TetsThatCutsMakeKeepTheGroupOfTheirParent) {
  const core::Comm world;
  const Scene scene = breaking_plate();
  Simulation simulation(world, scene, test::named_plate(), {}),
      alone(core::Comm(MPI_COMM_SELF), scene, test::named_plate(), {});
  for (int i = 0; i < 250; ++i) {
    if (i % 100 == 50) test::shuffle_owners(simulation);
    simulation.step(scene.duration_s);
    alone.step(scene.duration_s);
  }
  EXPECT_EQ(digest_of(simulation), digest_of(alone));
  EXPECT_GT(simulation.fracture_counters().edge_splits, 20);
  const dist::Mesh& mesh = simulation.mesh();
  EXPECT_EQ(mesh.facts.groups, test::named_plate().groups);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e)) {
      ASSERT_EQ(mesh.field(dist::kTetGroup)[e], static_cast<std::int32_t>(rest_middle(mesh, e).x() / 0.075));
    }
}

// Strengths by the ids of tets, stiffness by a formula: a tet's values move with it and its pieces to any rank.
TEST(Reproducible, ScatterAndGradesChangeNoBit) {
  const core::Comm world;
  const Scene scene = test::graded_scene();
  const mesh::TetMesh plate = test::graded_plate(scene);
  ASSERT_GT(plate.graded.size(), 20u);
  Simulation simulation(world, scene, plate, {}), alone(core::Comm(MPI_COMM_SELF), scene, plate, {});
  for (int i = 0; i < 300; ++i) {
    if (i % 20 == 5) test::shuffle_owners(simulation);
    simulation.step(scene.duration_s);
    alone.step(scene.duration_s);
  }
  EXPECT_EQ(digest_of(simulation), digest_of(alone));
  EXPECT_GT(simulation.fracture_counters().cracks, 30);
  EXPECT_GT(simulation.fracture_counters().edge_splits, 20);
  // Pieces of a tet are as strong as it was.
  const dist::Mesh& mesh = simulation.mesh();
  const std::set<double> strengths(plate.strength.begin(), plate.strength.end());
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e)) {
      ASSERT_TRUE(strengths.contains(mesh.field(dist::kStrengthFactor)[e]));
    }
  Scene otherwise = scene;
  otherwise.factors[0].seed = 2;
  Simulation other(core::Comm(MPI_COMM_SELF), otherwise, test::graded_plate(otherwise), {});
  for (int i = 0; i < 300; ++i) other.step(scene.duration_s);
  EXPECT_NE(digest_of(other), digest_of(alone));
}

// VALIDATION I2: also if strains are evaluated so rarely that their values then matter for long.
TEST(Reproducible, EverythingReownedAtEveryStepChangesNoBit) {
  const core::Comm world;
  for (const int refresh : {8, 64, 256}) {
    SCOPED_TRACE(refresh);
    Scene scene = breaking_plate();
    scene.time.strain_refresh_steps = refresh;
    EXPECT_EQ(digest_after(world, scene, 1, 300), digest_after(core::Comm(MPI_COMM_SELF), scene, 0, 300));
  }
}

// Enough tets for sub-cycling (VALIDATION I6), with the work rebalanced wherever it differs, and all nodes changing
// owners now and then.
TEST(Reproducible, SeveralClocksAndBalanceChangeNoBit) {
  const core::Comm world;
  Scene scene = breaking_plate();
  scene.time.step_classes = 10;
  int finest_class = 0, rebalances = 0;
  const auto digest_on = [&](const core::Comm& comm, int shuffle_every) {
    Simulation simulation(comm, scene, finer_plate(), {});
    for (int i = 0; i < 300; ++i) {
      if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(simulation);
      simulation.step(scene.duration_s);
      finest_class = std::max(finest_class, simulation.step_bound().finest_class);
    }
    rebalances = simulation.num_rebalances();
    EXPECT_GT(simulation.fracture_counters().cracks, 50);
    return digest_of(simulation);
  };
  scene.time.rebalance_above = 0;
  const std::uint64_t alone = digest_on(core::Comm(MPI_COMM_SELF), 0);
  EXPECT_GT(finest_class, 1);
  EXPECT_EQ(digest_on(world, 0), alone);
  EXPECT_EQ(rebalances, 0);
  EXPECT_EQ(digest_on(world, 7), alone);
  scene.time.rebalance_above = 1;
  EXPECT_EQ(digest_on(world, 0), alone);
  if (world.size() > 1) {
    EXPECT_GT(rebalances, 3);
  }
}

// Elements made by cuts are sorted by their place in the body, at the same steps on any ranks, and are found by their
// ids there, also after further cuts.
TEST(Reproducible, SortingInMemoryChangesNoBit) {
  const core::Comm world;
  const Scene scene = breaking_plate();
  Simulation simulation(world, scene, falling_plate(), {}),
      alone(core::Comm(MPI_COMM_SELF), scene, falling_plate(), {});
  const dist::Mesh& mesh = simulation.mesh();
  std::set<std::int64_t> sorted_below;
  for (int i = 0; i < kSteps; ++i) {
    if (i % 70 == 50) test::shuffle_owners(simulation);
    simulation.step(scene.duration_s);
    alone.step(scene.duration_s);
    ASSERT_EQ(mesh.facts.sorted_below, alone.mesh().facts.sorted_below);
    sorted_below.insert(mesh.facts.sorted_below);
    std::pair<std::int64_t, std::int64_t> last{-1, -1};
    for (std::int32_t k = 0; k < mesh.num_element_slots(); ++k) {
      const LocalElement e(k);
      if (!mesh.is_held(e)) continue;
      ASSERT_EQ(mesh.find(mesh.element_id[e]), e);
      if (mesh.element_id[e].value >= mesh.facts.sorted_below) continue;
      const std::pair here(mesh.field(dist::kPlace)[e], mesh.element_id[e].value);
      ASSERT_LT(last, here);
      last = here;
    }
  }
  EXPECT_GT(sorted_below.size(), 2u);  // at the start, and at least twice since
  EXPECT_EQ(digest_of(simulation), digest_of(alone));
  for (std::int64_t id = 0; id < mesh.facts.next_element_id + 10; ++id)
    if (const LocalElement e = mesh.find(GlobalElement(id)); e.valid()) {
      ASSERT_EQ(mesh.element_id[e].value, id);
    }
  EXPECT_EQ(dist::check_mesh(mesh), std::vector<std::string>());
}

// Cracks by principal stress, of stars and of elements, while everything is re-owned.
class ReproducibleCracks : public testing::TestWithParam<fracture::StressOf> {};
INSTANTIATE_TEST_SUITE_P(PrincipalStress, ReproducibleCracks,
                         testing::Values(fracture::StressOf::star, fracture::StressOf::element));
TEST_P(ReproducibleCracks, ByPrincipalStressChangeNoBit) {
  const core::Comm world;
  Scene scene = breaking_plate();
  scene.fracture.criterion = "principal_stress";
  scene.fracture.principal_stress_of = GetParam();
  scene.fracture.evaluate_interval_share = 0.1;
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene);
  EXPECT_EQ(digest_after(world, scene, 1), alone);
  Simulation simulation(world, scene, falling_plate(), {});
  for (int i = 0; i < kSteps; ++i) simulation.step(scene.duration_s);
  EXPECT_EQ(digest_of(simulation), alone);
  EXPECT_GT(simulation.fracture_counters().cracks, 20);
}

// The fields of fronts decide where and whether they advance, while all nodes change owners.
TEST(Reproducible, FrontsByHoopStressAndEnergyChangeNoBit) {
  const core::Comm world;
  const Scene scene = test::plate_with_fronts();
  const std::uint64_t alone = digest_after(core::Comm(MPI_COMM_SELF), scene);
  EXPECT_EQ(digest_after(world, scene, 1), alone);
  Scene other = scene;
  other.fracture.direction = fracture::Direction::separation;
  EXPECT_NE(digest_after(core::Comm(MPI_COMM_SELF), other), alone);
  Simulation simulation(world, scene, falling_plate(), {});
  for (int i = 0; i < kSteps; ++i) simulation.step(scene.duration_s);
  EXPECT_EQ(digest_of(simulation), alone);
  EXPECT_GT(simulation.fracture_counters().cracks_at_fronts, 10);
}

// The neo-Hookean law, and elements that become crushed material, while all nodes change owners.
TEST(Reproducible, ResistingAndCrushedElementsChangeNoBit) {
  const core::Comm world;
  Scene scene = breaking_plate();
  scene.materials[0].elastic_law = material::ElasticLaw::neo_hookean;
  scene.materials[0].plastic_limit = 0;
  scene.materials[0].crush_below = 0.98;
  std::int64_t crushed = 0;
  const auto digest_on = [&](const core::Comm& comm, int shuffle_every) {
    Simulation simulation(comm, scene, falling_plate(), {});
    for (int i = 0; i < 200; ++i) {
      if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(simulation);
      simulation.step(scene.duration_s);
    }
    crushed = simulation.num_crushed();
    EXPECT_GT(simulation.fracture_counters().cracks, 10);
    return digest_of(simulation);
  };
  const std::uint64_t alone = digest_on(core::Comm(MPI_COMM_SELF), 0);
  EXPECT_GT(crushed, 3);
  EXPECT_EQ(digest_on(world, 0), alone);
  EXPECT_EQ(digest_on(world, 5), alone);
}

TEST(Reproducible, ALastBitOnOneRankIsNoticed) {
  const core::Comm world;
  const Scene scene = breaking_plate();
  Simulation simulation(world, scene, falling_plate(), {});
  for (int i = 0; i < 20; ++i) simulation.step(scene.duration_s);
  const std::uint64_t right = digest_of(simulation);
  dist::Mesh& mesh = simulation.mesh();
  if (world.rank() == world.size() - 1) {
    std::int32_t i = 1;
    while (!mesh.is_owned(LocalNode(i))) ++i;
    double& x = mesh.motion[LocalNode(i)].position[0];
    x = std::nextafter(x, 1e9);
  }
  EXPECT_NE(digest_of(simulation), right);
}

// A sum in another order is another sum: if stars were not kept in ascending id, these tests would detect it.
TEST(Reproducible, TheOrderOfAStarMatters) {
  const Scene scene = breaking_plate();
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, falling_plate(), {});
  for (int i = 0; i < 200; ++i) simulation.step(scene.duration_s);
  const dist::Mesh& mesh = simulation.mesh();
  int differing = 0;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    double up = 0, down = 0;
    const auto star = mesh.star(LocalNode(i));
    for (std::size_t k = 0; k < star.size(); ++k) {
      up += mesh.volume(LocalElement(star[k]));
      down += mesh.volume(LocalElement(star[star.size() - 1 - k]));
    }
    differing += up != down ? 1 : 0;
  }
  EXPECT_GT(differing, 10);
}

}  // namespace
}  // namespace brisance::sim
