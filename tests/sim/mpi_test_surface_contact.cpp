/// Contact of points against facets: closed forms, both momenta, the ledger, all pairs, and the same bits on any number
/// of ranks.
#include "brisance/contact/surface/point_facet.hpp"
#include "brisance/contact/surface/surface_contact.hpp"

#include "support/breaking_plate.hpp"
#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/shuffled_owners.hpp"
#include "support/simulated.hpp"
#include "support/surface_scene.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::digest_of;
using test::joined;
using test::moved;
using test::surface_scene;

mesh::TetMesh bar(double length, const Vec3& at) {
  return moved(test::kuhn_box(static_cast<int>(length / 0.02 + 0.5), 4, 4, length, 0.08, 0.08), Mat3::Identity(), at);
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

// VALIDATION E3: c = √(E/ρ) = 31.6 m/s. Equal bars exchange their velocities; a short one stops dead, and the long one
// leaves with v L₁/L₂: e = 0.5 for half the length. 5 % of v, as VALIDATION allows. Nodes on nodes, and between them.
TEST(SurfaceContact, BarsExchangeTheirVelocities) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  for (const Vec3& beside : {Vec3(0, 0, 0), Vec3(0, 0.005, -0.006)})
    for (const double first : {0.8, 0.4}) {
      const mesh::TetMesh bars =
          joined(bar(first, Vec3(-first - 1e-3, 0, 0)), Vec3(0.5, 0, 0), bar(0.8, beside), Vec3::Zero());
      Simulation simulation(core::Comm(), surface_scene(test::solid(1e6, 0, 1000)), bars, {});
      const double before = simulation.energies().total();
      test::run_until(simulation, 0.09);
      EXPECT_NEAR(mean_velocity(simulation, -0.0005, false), 0, 0.025) << first << ", " << beside.transpose();
      EXPECT_NEAR(mean_velocity(simulation, -0.0005, true), 0.5 * first / 0.8, 0.025);
      const Energies after = simulation.energies();
      EXPECT_NEAR(after.momentum.x(), 0.5 * 1000 * first * 0.0064, 1e-12);
      EXPECT_EQ(after.contact, 0);  // they have separated
      EXPECT_NEAR(after.total(), before, 0.01 * before);
    }
}

// VALIDATION E2, with friction and damping, and bodies that turn: 1e-12, rounding alone. The ledger closes to 1 %.
TEST(SurfaceContact, ObliqueBlowKeepsBothMomenta) {
  Scene scene = surface_scene(test::solid(1e6, 0.3, 1000, 1e-4));
  scene.contact.restitution = scene.contact.friction = 0.5;
  const Mat3 turn = (Eigen::AngleAxisd(0.7, Vec3::UnitX()) * Eigen::AngleAxisd(0.4, Vec3::UnitY())).toRotationMatrix();
  const mesh::TetMesh cube = test::kuhn_box(3, 3, 3, 0.1, 0.1, 0.1);
  const mesh::TetMesh cubes =
      joined(cube, Vec3(1, 0.3, 0), moved(cube, turn, Vec3(0.13, 0.02, 0.03)), Vec3(-1, 0, 0.2));
  for (const int step_classes : {1, 10}) {
    scene.time.step_classes = step_classes;
    Simulation simulation(core::Comm(), scene, cubes, {});
    const Energies before = simulation.energies();
    const Vec3 spin = test::spin(simulation);
    test::run_until(simulation, 0.05);
    const Energies after = simulation.energies();
    EXPECT_GT(after.contact_loss, 0.02 * before.kinetic);
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12);
    EXPECT_LT((test::spin(simulation) - spin).norm(), step_classes > 1 ? 1e-4 * spin.norm() : 1e-12);
    EXPECT_NEAR(after.total(), before.total(), 0.01 * before.total());
  }
}

struct FoundContact {
  std::int64_t point, facet;  ///< id, ContactFacet::key
  double depth_share;         ///< of the facet's edge length
  bool operator==(const FoundContact&) const = default;
};

/// Contacts from a test of all pairs of points and facets, on one rank.
std::vector<FoundContact> all_pairs(const Simulation& simulation) {
  const contact::ContactSurface& surface = simulation.surface_contact()->surface();
  std::vector<Vec3> position;
  for (const auto& motion : simulation.mesh().motion.span()) position.emplace_back(motion.position);
  const auto at = [&](std::int32_t node) -> const Vec3& { return position[static_cast<std::size_t>(node)]; };
  std::vector<FoundContact> contacts;
  for (const contact::ContactPoint& point : surface.points()) {
    if (point.around.empty()) continue;
    const Vec3 normal = contact::normal_at(point, position);
    std::vector<contact::NearFacet> near, opposing, around;
    std::vector<const contact::ContactFacet*> facet_of, facet_of_opposing;
    for (const contact::ContactFacet& facet : surface.facets()) {
      if (facet.is_gone()) continue;
      const contact::FacetView view =
          contact::view_facet({at(facet.node[0]), at(facet.node[1]), at(facet.node[2])}, at(point.node));
      if (view.distance > contact::deepest(point, facet) || !contact::may_touch(point, facet)) continue;
      near.push_back({.view = view, .key = facet.key});
      facet_of.push_back(&facet);
      if (!(view.normal.dot(normal) < 0)) continue;
      opposing.push_back(near.back());
      facet_of_opposing.push_back(&facet);
    }
    const auto nearest = contact::nearest_facet(opposing);
    if (!nearest) continue;
    const auto has_foot = [&](const contact::ContactFacet& facet) {
      for (std::size_t k = 0; k < 3; ++k)
        if (contact::weighs(opposing[*nearest].view, k) &&
            std::ranges::find(facet.id, facet_of_opposing[*nearest]->id[k]) == facet.id.end())
          return false;
      return true;
    };
    for (std::size_t i = 0; i < near.size(); ++i)
      if (has_foot(*facet_of[i])) around.push_back(near[i]);
    if (contact::has_come_through(opposing[*nearest], around))
      contacts.push_back({point.id.value, opposing[*nearest].key,
                          opposing[*nearest].view.distance / facet_of_opposing[*nearest]->edge_m});
  }
  return contacts;
}

/// Number of duplicate facets.
std::size_t num_facets_again(const contact::ContactSurface& surface) {
  std::vector<std::int64_t> keys;
  for (const contact::ContactFacet& facet : surface.facets())
    if (!facet.is_gone()) keys.push_back(facet.key);
  const std::size_t all = keys.size();
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return all - keys.size();
}

Scene breaking_scene() {
  Scene scene = test::breaking_plate();
  scene.colliders.clear();
  scene.contact.enabled = contact::ContactSwitch::on;
  scene.contact.criterion = contact::ContactCriterion::surface;
  scene.gravity = Vec3::Zero();
  scene.fracture.check_invariants = true;
  return scene;
}

mesh::TetMesh crossing_plates() {
  const mesh::TetMesh plate = test::kuhn_box(8, 1, 6, 0.6, 0.06, 0.45);
  const Mat3 turn = Eigen::AngleAxisd(1.2, Vec3::UnitZ()).toRotationMatrix();
  return joined(plate, Vec3(0.1, 6, 0), moved(plate, turn, Vec3(0.3, 0.08, 0.1)), Vec3(0, -6, 0.5));
}

/// Contacts of the last evaluation.
std::vector<FoundContact> found_by(const Simulation& simulation) {
  std::vector<FoundContact> found;
  const contact::SurfaceContact& contact = *simulation.surface_contact();
  for (const contact::PointContact& c : contact.contacts()) {
    const contact::ContactFacet& facet = contact.surface().facets()[static_cast<std::size_t>(c.facet)];
    found.push_back(
        {contact.surface().points()[static_cast<std::size_t>(c.point)].id.value, facet.key, c.depth_m / facet.edge_m});
  }
  return found;
}

TEST(SurfaceContact, FindsWhatAllPairsGiveAtEveryStep) {
  if (core::Comm().size() > 1) GTEST_SKIP() << "the whole surface is on one rank";
  Scene scene = breaking_scene();
  scene.contact.search_share = 0;                   // all points search in every step
  scene.fracture.dust = fracture::Dust::particles;  // points leave, and others take their slots
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, crossing_plates(), {});
  std::size_t most = 0;
  for (int i = 0; i < 80; ++i) {
    simulation.step();
    if (i % 3 == 1) continue;                  // the next search covers the cuts of two steps
    static_cast<void>(simulation.energies());  // finds contacts at the present positions
    ASSERT_EQ(num_facets_again(simulation.surface_contact()->surface()), 0U) << "step " << i;
    const std::vector<FoundContact> found = found_by(simulation);
    ASSERT_EQ(found, all_pairs(simulation)) << "step " << i;
    most = std::max(most, found.size());
  }
  EXPECT_GT(most, 20U);
  EXPECT_GT(simulation.num_tets_of_dust(), 0);
  EXPECT_GT(simulation.fracture_counters().cracks, 10);
}

// Between searches a point keeps its facet. These bodies meet at a tenth of the wave speed and move by several search
// shares in a step, so that some contacts are found late: at any time less than a fifth of the depth in contact is
// missed. Where the foot has moved to another facet depths differ little.
TEST(SurfaceContact, KeepsFacetsBetweenSearches) {
  if (core::Comm().size() > 1) GTEST_SKIP() << "the whole surface is on one rank";
  Simulation simulation(core::Comm(MPI_COMM_SELF), breaking_scene(), crossing_plates(), {});
  double all = 0, missed = 0, error = 0;
  std::size_t searches = 0, points = 0;
  for (int i = 0; i < 80; ++i) {
    simulation.step();
    searches += static_cast<std::size_t>(simulation.surface_contact()->report().searches);
    points += simulation.surface_contact()->surface().boundary_nodes().size();
    if (i % 4 != 0) continue;
    static_cast<void>(simulation.energies());
    const std::vector<FoundContact> found = found_by(simulation);
    for (const FoundContact& contact : all_pairs(simulation)) {
      const auto same = std::ranges::find(found, contact.point, &FoundContact::point);
      const double found_share = same == found.end() ? 0 : same->depth_share;
      all += contact.depth_share;
      (same == found.end() ? missed : error) += std::abs(contact.depth_share - found_share);
    }
  }
  EXPECT_LT(missed, 0.2 * all);
  EXPECT_LT(error, 0.05 * all);
  EXPECT_LT(2 * searches, points);
}

// A block of 0.1 m slides down a slab from facet to facet: at 0.1 to 1.3 m/s, 0.3 to 4 % of the wave speed.
TEST(SurfaceContact, SlidingPointsGoFromFacetToFacet) {
  if (core::Comm().size() > 1) GTEST_SKIP() << "the whole surface is on one rank";
  Scene scene = surface_scene(test::solid(1e6, 0.3, 1000, 3e-4));
  scene.contact.friction = 0;
  scene.gravity = Vec3(3.4, 0, -9.2);
  scene.regions = {test::grip({true, true, true})};
  const mesh::TetMesh slab = moved(test::kuhn_box(12, 4, 1, 0.6, 0.2, 0.05), Mat3::Identity(), Vec3(0, 0, -0.05));
  const mesh::TetMesh block = moved(test::kuhn_box(3, 3, 3, 0.1, 0.1, 0.1), Mat3::Identity(), Vec3(0.063, 0.052, 1e-6));
  const mesh::TetMesh both = joined(slab, Vec3::Zero(), block, 0.1 * Vec3::UnitX());
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : both.nodes) regions.push_back(x.z() < -0.04 ? 1 : 0);
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, both, regions);
  std::size_t all = 0, searches = 0, points = 0;
  for (int i = 0; simulation.time_s() < 0.4; ++i) {
    simulation.step();
    searches += static_cast<std::size_t>(simulation.surface_contact()->report().searches);
    points += simulation.surface_contact()->surface().boundary_nodes().size();
    if (i % 7 != 0) continue;
    static_cast<void>(simulation.energies());
    const std::vector<FoundContact> found = found_by(simulation);
    ASSERT_EQ(found, all_pairs(simulation)) << "step " << i;
    all += found.size();
  }
  EXPECT_GT(all, 1000U);
  EXPECT_LT(4 * searches, points);
}

struct Outcome {
  std::uint64_t digest = 0;
  std::int64_t most_contacts = 0, most_across = 0, cracks = 0, dust_tets = 0;
};

Outcome run(const core::Comm& comm, const Scene& scene, int steps, int shuffle_every = 0, int restart_at = -1) {
  auto simulation = std::make_unique<Simulation>(comm, scene, crossing_plates(), std::span<const std::uint32_t>());
  Outcome outcome;
  for (int i = 0; i < steps; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(*simulation);
    if (i == restart_at) simulation = std::make_unique<Simulation>(comm, scene, simulation->save());
    simulation->step();
    const contact::SurfaceReport& report = simulation->surface_contact()->report();
    outcome.most_contacts = std::max(outcome.most_contacts, comm.sum(report.contacts));
    outcome.most_across = std::max(outcome.most_across, comm.sum(report.across_ranks));
  }
  outcome.digest = digest_of(*simulation);
  outcome.cracks = simulation->fracture_counters().cracks;
  outcome.dust_tets = simulation->num_tets_of_dust();
  return outcome;
}

TEST(SurfaceContact, SameBitsOnAnyRanksWithAnyOwnersAndAfterARestart) {
  const core::Comm world;
  for (const int step_classes : {1, 10}) {
    Scene scene = breaking_scene();
    scene.time.step_classes = step_classes;
    scene.contact.friction = 0.5;
    scene.fracture.dust = fracture::Dust::particles;
    const Outcome alone = run(core::Comm(MPI_COMM_SELF), scene, 80);
    EXPECT_GT(alone.cracks, 10);
    EXPECT_GT(alone.most_contacts, 20);
    EXPECT_GT(alone.dust_tets, 0);
    const Outcome together = run(world, scene, 80);
    EXPECT_EQ(together.digest, alone.digest);
    EXPECT_EQ(together.most_contacts, alone.most_contacts);
    EXPECT_TRUE(world.size() == 1 || together.most_across > 5);
    EXPECT_EQ(run(world, scene, 80, 7, 47).digest, alone.digest);
  }
}

}  // namespace
}  // namespace brisance::sim
