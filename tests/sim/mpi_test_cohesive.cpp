/// Cracks with cohesive tractions on their faces until G_c times their area is spent: that work, closed accounts and
/// momenta, and the same bits for any ranks, owners and restarts.
#include "brisance/dist/check.hpp"
#include "brisance/fracture/cohesive/cohesive.hpp"
#include "brisance/sim/simulation.hpp"

#include "support/breaking_plate.hpp"
#include "support/over_ranks.hpp"
#include "support/shuffled_owners.hpp"
#include "support/topology.hpp"

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr double kStrength = 1e-3;  ///< in units of E = 1

double lip_area(const Simulation& simulation) {
  return 0.5 * test::topology(test::whole_mesh(simulation.mesh())).crack_area([](const auto&) { return true; }).first;
}

/// A bar along x with a waist, damped; pulled at a constant rate of strain.
struct Bar {
  mesh::TetMesh mesh = test::kuhn_box(12, 2, 2, 1, 0.2, 0.2);
  std::vector<std::uint32_t> masks;
  Scene scene;

  Bar(double fracture_energy, double strain_rate) {
    material::Material m = test::solid(1, 0.3, 1, 0.02);
    m.toughness = kStrength;
    scene = test::bare_scene(m);
    scene.fracture.cohesive = true;
    scene.fracture.tips = {{fracture_energy, 0}};
    const Eigen::Vector2d axis(0.1, 0.1);
    for (Vec3& x : mesh.nodes) {
      x.tail<2>() = axis + (x.tail<2>() - axis) * (1 - 0.2 * std::exp(-std::pow((x[0] - 0.5) / 0.1, 2)));
      mesh.velocity.push_back(strain_rate * x.cwiseProduct(Vec3(1, -0.3, -0.3)));
      masks.push_back(x[0] == 0 ? 1 : (x[0] == 1 ? 2 : 0));
    }
    scene.regions = {test::grip({true, false, false}), test::grip({true, false, false}, Vec3(strain_rate, 0, 0))};
  }
};

// G_c = 2e-6: the bar's length is half of E G_c/σ_c², so that it softens in equilibrium and does not snap. The work to
// open the crack is G_c times the area of the waist; it was supplied by the Dirichlet conditions, and the rest of the
// supply is elsewhere in the account.
TEST(CohesiveCracks, ABarPulledApartTakesGcTimesItsArea) {
  constexpr double kGc = 2e-6;
  const Bar bar(kGc, 1e-4);
  Simulation simulation(core::Comm(), bar.scene, bar.mesh, bar.masks);
  const double start = simulation.energies().total();
  double worst = 0;
  std::vector<double> force;
  while (simulation.time_s() < 70) {
    test::run_until(simulation, simulation.time_s() + 1);
    const Energies now = simulation.energies();
    worst = std::max(worst, std::abs(now.total() - start));
  }
  const Energies end = simulation.energies();
  const double area = lip_area(simulation);
  const CohesiveArea parts = simulation.cohesive_area();
  RecordProperty("dissipated_over_gc_area", std::to_string(end.cohesive_loss / (kGc * area)));
  RecordProperty("supplied_over_gc_area", std::to_string(end.supplied / (kGc * area)));
  RecordProperty("imbalance_over_gc_area", std::to_string(worst / (kGc * area)));
  if (core::Comm().is_root())
    std::printf(
        "area %.4g (waist 0.0256), torn %.4g tied %.4g waiting %.4g; dissipated %.4g, supplied %.4g, kinetic "
        "%.3g elastic %.3g viscous %.3g of G_c A %.4g; imbalance %.3g\n",
        area, parts.torn, parts.tied, parts.waiting, end.cohesive_loss, end.supplied, end.kinetic, end.elastic,
        end.viscous_loss, kGc * area, worst);
  EXPECT_NEAR(area, 0.0256, 0.02 * 0.0256);
  EXPECT_NEAR(parts.torn, area, 1e-12);
  EXPECT_EQ(parts.tied, 0);
  EXPECT_NEAR(end.cohesive_loss, kGc * area, 1e-9 * kGc * area);
  EXPECT_LT(worst, 0.02 * kGc * area);
}

TEST(CohesiveCracks, MomentaAreKept) {
  const Bar bar(2e-6, 0);
  Scene scene = bar.scene;
  scene.regions.clear();
  scene.materials[0].damping_phi = scene.materials[0].damping_psi = 0.01;
  mesh::TetMesh flying = bar.mesh;
  for (std::size_t i = 0; i < flying.nodes.size(); ++i) {
    const Vec3 x = flying.nodes[i] - Vec3(0.5, 0.1, 0.1);
    flying.velocity[i] = Vec3(0.02, 0.01, 0) + 8e-3 * x.x() * Vec3::UnitX() + Vec3(0.002, -0.001, 0.003).cross(x);
  }
  Simulation simulation(core::Comm(), scene, flying, {});
  const Vec3 momentum = simulation.energies().momentum, turning = test::spin(simulation);
  const double start = simulation.energies().total();
  test::run_until(simulation, 15);
  const Energies end = simulation.energies();
  const auto counters = simulation.fracture_counters();
  EXPECT_GT(counters.cracks, 0);
  EXPECT_GT(end.cohesive_loss, 0);
  Vec3 lost;
  for (int k = 0; k < 3; ++k) lost[k] = counters.angular_momentum_lost[static_cast<std::size_t>(k)].value();
  EXPECT_LT((end.momentum - momentum).norm(), 1e-13 * momentum.norm());
  EXPECT_LT((test::spin(simulation) + lost - turning).norm(), 1e-11 * turning.norm());
  if (core::Comm().is_root())
    std::printf("cohesive loss %.3g, total %.6g -> %.6g\n", end.cohesive_loss, start, end.total());
  EXPECT_NEAR(end.total(), start, 0.01 * start);
}

Scene cohesive_plate() {
  Scene scene = test::breaking_plate();
  scene.fracture.cohesive = true;
  scene.fracture.tips = {{2, 0}};
  return scene;
}

/// As above, with sub-cycling and fronts with the energy criterion.
Scene cohesive_plate_of_several_clocks() {
  Scene scene = test::plate_with_fronts();
  scene.fracture.cohesive = true;
  scene.time.step_classes = 10;
  scene.fracture.altitude_floor = 0.3;
  return scene;
}

struct Outcome {
  std::uint64_t digest;
  double loss;
};
Outcome run_of(const core::Comm& comm, const Scene& scene, int shuffle_every, int restart_at = -1) {
  auto simulation = std::make_unique<Simulation>(comm, scene, test::falling_plate(), std::span<const std::uint32_t>());
  for (int i = 0; i < 300; ++i) {
    if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(*simulation);
    if (i == restart_at) simulation = std::make_unique<Simulation>(comm, scene, simulation->save());
    simulation->step(scene.duration_s);
  }
  return {test::digest_of(*simulation), simulation->energies().cohesive_loss};
}

TEST(CohesiveCracks, SameBitsOnAnyRanksWithAnyOwnersAndAfterARestart) {
  const core::Comm world;
  for (const Scene& scene : {cohesive_plate(), cohesive_plate_of_several_clocks()}) {
    const Outcome alone = run_of(core::Comm(MPI_COMM_SELF), scene, 0);
    EXPECT_GT(alone.loss, 0);
    for (const Outcome& other : {run_of(world, scene, 0), run_of(world, scene, 7), run_of(world, scene, 0, 211)}) {
      EXPECT_EQ(other.digest, alone.digest);
      EXPECT_EQ(other.loss, alone.loss);
    }
  }
}

TEST(CohesiveCracks, TheAccountOfAPlateThatShattersCloses) {
  for (Scene scene : {cohesive_plate(), cohesive_plate_of_several_clocks()}) {
    scene.fracture.check_invariants = true;
    Simulation simulation(core::Comm(), scene, test::falling_plate(), {});
    const double start = simulation.energies().total();
    double last = 0;
    for (int i = 0; i < 400; ++i) {
      simulation.step(scene.duration_s);
      if (i % 40 != 0) continue;
      const double loss = simulation.energies().cohesive_loss;
      EXPECT_GE(loss, last);  // spent energy never comes back
      last = loss;
    }
    const Energies end = simulation.energies();
    const CohesiveArea parts = simulation.cohesive_area();
    const double area = lip_area(simulation), most = scene.fracture.tips[0].energy * area;
    if (core::Comm().is_root())
      std::printf(
          "cracks %lld, area %.4g (torn %.4g tied %.4g waiting %.4g), dissipated %.4g of %.4g J, stored %.3g, "
          "imbalance %.3g of kinetic %.4g J\n",
          static_cast<long long>(simulation.mesh().facts.num_cracks), area, parts.torn, parts.tied, parts.waiting,
          end.cohesive_loss, most, end.cohesive, end.total() - start, end.kinetic);
    EXPECT_GT(parts.torn, 0.2 * area);
    EXPECT_LE(parts.torn + parts.tied + parts.waiting, area * (1 + 1e-12));
    EXPECT_GT(parts.torn + parts.tied + parts.waiting, 0.95 * area);
    EXPECT_LE(end.cohesive_loss, most);
    EXPECT_GT(end.cohesive_loss, scene.fracture.tips[0].energy * parts.torn * (1 - 1e-12));
    EXPECT_NEAR(end.total(), start, 0.04 * end.kinetic);
  }
}

}  // namespace
}  // namespace brisance::sim
