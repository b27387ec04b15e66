// Pressures, blasts and impulses on any number of ranks: momentum, work, static stress, the same bits through cracks,
// migration and restart.
#include "brisance/dist/home_elements.hpp"
#include "brisance/la/sums.hpp"
#include "brisance/sim/fields.hpp"
#include "brisance/sim/loads/loads.hpp"
#include "brisance/sim/output/checkpoint.hpp"
#include "brisance/sim/output/diff_checkpoints.hpp"

#include "../io/shared_folder.hpp"
#include "support/breaking_plate.hpp"
#include "support/kuhn.hpp"
#include "support/shuffled_owners.hpp"
#include "support/simulated.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr double kEdge = 0.2, kPressure = 1e4;

Scene soft_scene(bool implicit) {
  Scene scene = test::bare_scene(test::solid(1e7, 0.3, 1000, 1e-5));
  if (implicit) {
    scene.time.integrator = dynamics::Integrator::implicit_euler;
    scene.time.step_s = 1e-4;
    scene.time.solver_tolerance = 1e-12;
  } else {
    scene.time.max_step_s = 1e-5;  // the ledger closes to the square of it
  }
  return scene;
}

mesh::TetMesh cube() { return test::kuhn_box(4, 4, 4, kEdge, kEdge, kEdge); }

LoadParameters pressure_everywhere() {
  LoadParameters load;
  load.pressure_pa = kPressure;
  return load;
}

/// Only the faces at z = kEdge.
LoadParameters on_top(LoadParameters load) {
  load.shape = LoadShape::half_space;
  load.centre = Vec3(0, 0, kEdge - 1e-6);
  load.normal = Vec3(0, 0, -1);
  return load;
}

LoadParameters impulse_at(double moment_s) {
  LoadParameters load;
  load.kind = LoadKind::impulse;
  load.start_s = moment_s;
  load.point = Vec3(0.05, -0.1, 0.1);
  load.reference_distance_m = 0.15;
  load.falloff = 2;
  load.speed_m_s = 3;
  return load;
}

LoadParameters blast_from(const Vec3& point) {
  LoadParameters load;
  load.kind = LoadKind::blast;
  load.point = point;
  load.peak_pressure_pa = 2e5;
  load.positive_phase_s = 1e-3;
  load.reference_distance_m = 0.3;
  return load;
}

/// Largest difference of any tet's Cauchy stress from −p, over p; all ranks.
double off_hydrostatic(const Simulation& simulation) {
  const dist::Mesh& mesh = simulation.mesh();
  const auto slots = dist::home_elements(mesh);
  std::vector<dynamics::ElementState> states(slots.size());
  dynamics::element_states(simulation.element_spans(), mesh.materials, mesh.motion.span(), slots, states);
  double worst = 0;
  SymMat3 expected = SymMat3::Zero();
  expected.head<3>().setConstant(-kPressure);
  for (const auto& state : states) worst = std::max(worst, (cauchy_stress(state) - expected).norm() / kPressure);
  return simulation.comm().max(worst);
}

TEST(Loads, UniformPressureHasNoNetForceAndEndsAsStaticStress) {
  Scene scene = soft_scene(true);
  scene.time.step_s = 0.01;  // of the cube's longest vibration some ten
  scene.loads = {pressure_everywhere()};
  Simulation simulation(core::Comm(), scene, cube(), {});
  const double start = simulation.energies().total();
  for (int i = 0; i < 40; ++i) simulation.step();
  const double side_impulse = kPressure * kEdge * kEdge * simulation.time_s();
  const Energies e = simulation.energies();
  EXPECT_LT(e.load_impulse.norm(), 1e-12 * side_impulse);
  EXPECT_LT(e.momentum.norm(), 1e-9 * side_impulse);
  // Strain is 4e-4 of (1 − 2ν) p/E, and the two stress measures differ by as much.
  EXPECT_LT(off_hydrostatic(simulation), 3e-3);
  EXPECT_GT(e.load_work, 0);
  EXPECT_NEAR(e.total(), start, 1e-3 * e.load_work);
}

TEST(Loads, MomentumIsTheIntegralOfPressureOverAreaAndTime) {
  for (const bool implicit : {false, true}) {
    Scene scene = soft_scene(implicit);
    LoadParameters load = on_top({});
    load.profile = {{1e-4, 0}, {4e-4, kPressure}, {9e-4, kPressure}, {1.2e-3, 0}};
    scene.loads = {load};
    Simulation simulation(core::Comm(), scene, cube(), {});
    test::run_until(simulation, 1.5e-3);
    const Energies e = simulation.energies();
    const double expected = -kEdge * kEdge * kPressure * (0.5 * 3e-4 + 5e-4 + 0.5 * 3e-4);
    EXPECT_NEAR(e.momentum.z(), e.load_impulse.z(), 1e-9 * std::abs(expected));
    EXPECT_NEAR(e.load_impulse.z(), expected, 2e-3 * std::abs(expected));  // the face widens a little under it
    EXPECT_LT(std::hypot(e.momentum.x(), e.momentum.y()), 1e-3 * std::abs(expected));
    EXPECT_NEAR(e.total(), 0, 2e-3 * e.load_work) << (implicit ? "implicit" : "explicit");
  }
}

// A rotated face's pressure acts along its present normal: the body gets momentum along it.
TEST(Loads, PressureFollowsTheTurnedFace) {
  Scene scene = soft_scene(false);
  scene.loads = {on_top(pressure_everywhere())};
  mesh::TetMesh turned = cube();
  for (const Vec3& x : turned.nodes)  // a quarter of a turn about x, from rest
    turned.displacement.push_back(Vec3(x.x(), -x.z(), x.y()) - x);
  Simulation simulation(core::Comm(), scene, turned, {});
  test::run_until(simulation, 2e-4);
  const Energies e = simulation.energies();
  EXPECT_NEAR(e.load_impulse.y(), kPressure * kEdge * kEdge * 2e-4, 2e-3 * kPressure * kEdge * kEdge * 2e-4);
  EXPECT_LT(std::abs(e.load_impulse.z()), 1e-3 * e.load_impulse.y());
}

TEST(Loads, AnImpulseIsGivenOnceAndItsWorkIsBooked) {
  for (const bool implicit : {false, true})
    for (const double moment_s : {0.0, 5.5e-4}) {
      Scene scene = soft_scene(implicit);
      scene.gravity = Vec3(0, 0, -9.81);
      scene.loads = {impulse_at(moment_s)};
      Simulation simulation(core::Comm(), scene, cube(), {});
      const double start = simulation.energies().total();
      double before = moment_s, jump = 0;
      int jumps = 0;
      while (simulation.time_s() < 1e-3) {
        const double work = simulation.energies().load_work;
        simulation.step(1e-3);
        if (simulation.energies().load_work == work) continue;
        ++jumps;
        jump = simulation.energies().load_work;
        before = simulation.time_s() - simulation.last_step_s();
      }
      EXPECT_EQ(jumps, 1);
      EXPECT_LE(before, moment_s);
      const Energies e = simulation.energies();
      EXPECT_NEAR((e.momentum - e.load_impulse - Vec3(0, 0, -9.81 * 8 * 1e-3)).norm(), 0, 2e-6);
      EXPECT_NEAR(e.total(), start, 0.01 * jump) << "implicit " << implicit << ", at " << moment_s;
    }
}

TEST(Loads, ImpulsesLeaveWhatIsHeld) {
  Scene scene = soft_scene(false);
  scene.loads = {impulse_at(0)};
  scene.regions = {test::grip({true, true, true})};
  const mesh::TetMesh body = cube();
  std::vector<std::uint32_t> held;
  for (const Vec3& x : body.nodes) held.push_back(x.z() == 0 ? 1 : 0);
  Simulation simulation(core::Comm(), scene, body, held);
  const double start = simulation.energies().total();
  for (int i = 0; i < 50; ++i) simulation.step();
  const dist::Mesh& mesh = simulation.mesh();
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n) && mesh.rest[n].z() == 0) {
      EXPECT_EQ(Vec3(mesh.motion[n].position), mesh.rest[n]);
    }
  const Energies e = simulation.energies();
  EXPECT_NEAR(e.total(), start, 0.01 * e.load_work);
}

TEST(Loads, ABlastArrivesWhenItsWaveDoesAndPushesWhatLooksAtIt) {
  for (const bool implicit : {false, true}) {
    Scene scene = soft_scene(implicit);
    LoadParameters blast = blast_from(Vec3(0.1, 0.1, 1.2));
    scene.loads = {blast};
    Simulation simulation(core::Comm(), scene, cube(), {});
    const double first_s = 1.0 / 340;
    double arrival_s = 0;
    while (simulation.time_s() < first_s + 1e-3) {
      simulation.step(first_s + 1e-3);
      if (arrival_s == 0 && simulation.energies().load_impulse.norm() > 0) arrival_s = simulation.time_s();
    }
    EXPECT_GE(arrival_s, first_s);
    EXPECT_LE(arrival_s, first_s + 2e-4);
    const Energies e = simulation.energies();
    // All of its positive phase, on the top face alone, at 0.3 m over about 1.003 m of the peak.
    const double unit = 2e5 * 1e-3 * std::exp(-1.0);  // ∫ p dt for b = 1
    EXPECT_NEAR(e.load_impulse.z(), -kEdge * kEdge * unit * 0.3 / 1.003, 0.02 * kEdge * kEdge * unit * 0.3);
    EXPECT_NEAR(e.load_impulse.x(), 0, 1e-3 * std::abs(e.load_impulse.z()));
    EXPECT_NEAR(e.total(), 0, 0.01 * e.load_work);
  }
}

/// The falling plate under all kinds of load, with sub-cycling.
Scene loaded_plate() {
  Scene scene = test::breaking_plate();
  scene.time.step_classes = 10;
  LoadParameters push = pressure_everywhere();
  push.pressure_pa = 0;
  push.profile = {{0, 0}, {2e-3, 3e4}, {1e-2, 0}};
  push.shape = LoadShape::box;
  push.low = Vec3(-1, -1, 0.2), push.high = Vec3(1, 0.01, 1);
  LoadParameters blast = blast_from(Vec3(0.3, -0.5, 0.2));
  blast.peak_pressure_pa = 5e4;
  scene.loads = {push, blast, impulse_at(3e-3)};
  scene.loads.back().point = Vec3(0.3, -0.3, 0.2);
  return scene;
}

/// Rest area of all loaded faces, by load; the same on all ranks.
double loaded_area(const Simulation& simulation, int load) {
  const dist::Mesh& mesh = simulation.mesh();
  double sum = 0;
  for (const std::int32_t i : dist::home_elements(mesh)) {
    const auto corners = mesh.corners(LocalElement(i));
    for (std::size_t f = 0; f < 4; ++f) {
      if ((mesh.field(kLoadedFaces)[LocalElement(i)][f] >> load & 1) == 0) continue;
      const auto& [a, b, c] = mesh::kFaceCorners[f];
      const Vec3 &x = mesh.rest[corners[a]], &y = mesh.rest[corners[b]], &z = mesh.rest[corners[c]];
      sum += 0.5 * (y - x).cross(z - x).norm();
    }
  }
  return la::sum_over_ranks(mesh.comm(), sum);
}

TEST(Loads, TheSameBitsOnAnyRanksWithAnyOwnersAndCutsKeepTheLoadedArea) {
  const core::Comm world;
  const Scene scene = loaded_plate();
  const auto digest_on = [&](const core::Comm& comm, int shuffle_every) {
    Simulation simulation(comm, scene, test::finer_plate(), {});
    const double area = loaded_area(simulation, 0), all = loaded_area(simulation, 1);
    EXPECT_GT(area, 0.1);
    EXPECT_NEAR(all, 2 * (0.6 * 0.45 + 0.6 * 0.06 + 0.45 * 0.06), 1e-9);
    int finest = 0;
    for (int i = 0; i < 300; ++i) {
      if (shuffle_every > 0 && i % shuffle_every == 0) test::shuffle_owners(simulation);
      simulation.step();
      finest = std::max(finest, simulation.step_bound().finest_class);
    }
    EXPECT_GT(simulation.fracture_counters().cracks, 50);
    EXPECT_GT(finest, 0);
    EXPECT_GT(simulation.time_s(), 3e-3);
    EXPECT_NEAR(loaded_area(simulation, 0), area, 1e-9);
    EXPECT_NEAR(loaded_area(simulation, 1), all, 1e-9);
    return test::digest_of(simulation);
  };
  const std::uint64_t alone = digest_on(core::Comm(MPI_COMM_SELF), 0);
  EXPECT_EQ(digest_on(world, 0), alone);
  EXPECT_EQ(digest_on(world, 3), alone);
}

// The ledger of a plate that breaks under loads closes as that of one without them does.
TEST(Loads, TheLedgerClosesThroughCracks) {
  Scene scene = loaded_plate();
  Simulation simulation(core::Comm(), scene, test::finer_plate(), {});
  const double start = simulation.energies().total();
  test::run_until(simulation, 8e-3);
  const Energies e = simulation.energies();
  EXPECT_GT(simulation.fracture_counters().cracks, 50);
  EXPECT_NEAR(e.total(), start, 0.04 * e.kinetic);
  EXPECT_GT(e.load_work, 1);
}

using LoadedCheckpoint = test::SharedFolder;

TEST_F(LoadedCheckpoint, GoesOnWithTheSameBits) {
  const core::Comm world;
  const Scene scene = loaded_plate();
  const auto write = [&](const Simulation& simulation, const char* name) {
    write_checkpoint(world, folder_ / name, {simulation.save(), {}, "past"}, fields(scene));
  };
  Simulation straight(world, scene, test::falling_plate(), {});
  for (const std::int64_t stop : {20, 120}) {
    while (straight.num_steps() < stop) straight.step();
    write(straight, "stopped");
    Simulation again(world, scene, read_checkpoint(world, folder_ / "stopped", fields(scene)).run);
    EXPECT_EQ(test::digest_of(again), test::digest_of(straight));
    for (int i = 0; i < 60; ++i) again.step(), straight.step();
    write(straight, "straight");
    write(again, "again");
    EXPECT_THAT(diff_checkpoints(folder_ / "straight", folder_ / "again"), testing::IsEmpty());
  }
  EXPECT_GT(straight.fracture_counters().cracks, 10);
}

}  // namespace
}  // namespace brisance::sim
