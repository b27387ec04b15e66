/// Statics by load steps with cracks, on any number of ranks.
#include "brisance/dist/pieces.hpp"

#include "support/over_ranks.hpp"
#include "support/static_scenes.hpp"
#include "support/vibrations.hpp"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::OneRank, test::position_of, test::positions_by_id, test::pressure, test::run_to_end, test::static_scene;

// All cracks of a load before the next: the bar breaks in two at its waist, with the same cracks on this number of
// ranks as on one, and after it no force is left in the halves. Energy released by breaking is lost.
TEST(StaticStepper, ABarBreaksAtItsWaist) {
  if (test::is_left_to_two_ranks()) GTEST_SKIP() << "two ranks show it";
  Scene scene = static_scene(test::pulled_scene(1), 12);
  for (RegionParameters& region : scene.regions) {
    region.ramp_s = 0;
    region.velocity *= 0.3;
  }
  const mesh::TetMesh bar = test::waisted_bar();
  const auto break_it = [&](const core::Comm& comm) {
    auto simulation = std::make_unique<Simulation>(comm, scene, bar, test::both_ends(bar));
    run_to_end(*simulation);
    return simulation;
  };
  const auto here = break_it(core::Comm());
  const OneRank alone;
  const auto serial = break_it(alone.comm());
  EXPECT_GE(dist::find_pieces(here->mesh()).list.size(), 2U);
  EXPECT_EQ(here->fracture_counters().cracks, serial->fracture_counters().cracks);
  EXPECT_EQ(here->mesh().facts.next_node_id, serial->mesh().facts.next_node_id);
  const Energies e = here->energies();
  EXPECT_GT(e.numerical_loss, 0);
  EXPECT_LT(e.elastic, 1e-3 * e.supplied);
  EXPECT_NEAR(e.total(), 0, 1e-6 * e.supplied);
}

// A piece that breaks off a cantilever is released: its weight acts no more, and the run continues to its end.
TEST(StaticStepper, WhatBreaksOffIsLetGo) {
  material::Material m = test::solid(1e7, 0.2, 1000);
  m.toughness = 2e4;
  m.toughness_mode = material::ToughnessMode::stress;
  Scene scene = static_scene(test::bare_scene(m), 8);
  scene.gravity = Vec3(0, 0, -9.81);
  scene.regions = {test::grip({true, true, true})};
  const mesh::TetMesh bar = test::waisted_bar();
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : bar.nodes) masks.push_back(x[0] == 0 ? 1 : 0);
  Simulation simulation(core::Comm(), scene, bar, masks);
  run_to_end(simulation);
  EXPECT_GE(dist::find_pieces(simulation.mesh()).list.size(), 2U);
  EXPECT_EQ(simulation.time_s(), 1);
  EXPECT_GT(position_of(simulation, 15 * 16 + 5).z(), -0.5);
}

/// A bar with a waist, clamped at its own x = 0, `shift` from the origin, under a dead or a following load.
struct LoadedBar {
  mesh::TetMesh bar = test::waisted_bar();
  std::vector<std::uint32_t> masks;
  Scene scene;
  LoadedBar(double poisson, const LoadParameters& load, const Vec3& shift) {
    material::Material m = test::solid(1e7, poisson, 1000);
    m.toughness = 1e5;
    m.toughness_mode = material::ToughnessMode::stress;
    scene = static_scene(test::bare_scene(m), 8);
    scene.regions = {test::grip({true, true, true})};
    scene.loads = {load};
    scene.loads[0].low += shift;
    scene.loads[0].high += shift;
    for (Vec3& x : bar.nodes) {
      masks.push_back(x[0] == 0 ? 1 : 0);
      x += shift;
    }
  }
};

LoadParameters load_on(const Vec3& low, const Vec3& high, double pressure_pa, bool follows) {
  LoadParameters load = pressure(pressure_pa, follows);
  load.shape = LoadShape::box;
  load.low = low;
  load.high = high;
  return load;
}
LoadParameters pull_on_end(double pressure_pa, bool follows) {
  return load_on(Vec3(0.999, -1, -1), Vec3(1.001, 1, 1), -pressure_pa, follows);
}
// A body that separates under its load has no equilibrium as a whole; a separated piece is released, and the run
// continues to its end with the rest: for loads of fixed direction and following ones, and any position of the body. No
// load acts on the rest of a bar whose loaded end has come off.
TEST(StaticStepper, ABodyThatPartsUnderItsLoadIsNoFailure) {
  const Vec3 here = Vec3::Zero(), far(700, -300, 1100);
  for (const LoadedBar& loaded :
       {LoadedBar(0.2, pull_on_end(1.5e5, false), here), LoadedBar(0.2, pull_on_end(1.5e5, true), here),
        LoadedBar(0.2, pull_on_end(1.5e5, false), far)}) {
    Simulation simulation(core::Comm(), loaded.scene, loaded.bar, loaded.masks);
    double most_elastic = 0;
    while (simulation.time_s() < 1) {
      simulation.step();
      most_elastic = std::max(most_elastic, simulation.energies().elastic);
    }
    EXPECT_GT(simulation.fracture_counters().cracks, 0);
    EXPECT_GE(dist::find_pieces(simulation.mesh()).list.size(), 2U);
    EXPECT_EQ(simulation.num_halvings(), 0);
    EXPECT_LE(simulation.energies().elastic, 1e-6 * most_elastic);
  }
}

LoadParameters press_on_top(double pressure_pa, bool follows) {
  return load_on(Vec3(-1, -1, 0.19), Vec3(2, 1, 0.21), pressure_pa, follows);
}

// A bent bar hangs by a ligament before it separates: its large rotation is followed until the ligament carries it or
// breaks, for loads of fixed direction and following ones; with the same cracks on this number of ranks as on one.
TEST(StaticStepper, ABodyThatIsBentUntilItPartsIsNoFailure) {
  for (const bool follows : {false, true}) {
    const LoadedBar loaded(0.2, press_on_top(5e3, follows), Vec3::Zero());
    Simulation simulation(core::Comm(), loaded.scene, loaded.bar, loaded.masks);
    double most_elastic = 0;
    while (!simulation.has_ended()) {
      simulation.step();
      most_elastic = std::max(most_elastic, simulation.energies().elastic);
    }
    EXPECT_EQ(simulation.time_s(), 1) << follows;
    EXPECT_GT(simulation.fracture_counters().cracks, 0);
    EXPECT_GE(dist::find_pieces(simulation.mesh()).list.size(), 2U);
    EXPECT_LE(simulation.energies().elastic, most_elastic);
    const OneRank alone;
    Simulation serial(alone.comm(), loaded.scene, loaded.bar, loaded.masks);
    run_to_end(serial);
    EXPECT_EQ(simulation.fracture_counters().cracks, serial.fracture_counters().cracks);
    EXPECT_EQ(simulation.mesh().facts.next_node_id, serial.mesh().facts.next_node_id);
  }
}

// Restarted between two loads it ends like an uninterrupted run, with the same cracks.
TEST(StaticStepper, ARunTakenUpAgainAgrees) {
  Scene scene = static_scene(test::pulled_scene(1), 12);
  for (RegionParameters& region : scene.regions) {
    region.ramp_s = 0;
    region.velocity *= 0.3;
  }
  const mesh::TetMesh bar = test::waisted_bar();
  Simulation straight(core::Comm(), scene, bar, test::both_ends(bar));
  for (int i = 0; i < 6; ++i) straight.step();
  Simulation again(core::Comm(), scene, straight.save());
  run_to_end(straight);
  run_to_end(again);
  EXPECT_EQ(again.fracture_counters().cracks, straight.fracture_counters().cracks);
  const auto count = static_cast<std::int64_t>(bar.nodes.size());
  const auto a = positions_by_id(straight, count), b = positions_by_id(again, count);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  EXPECT_LT(worst, 1e-7);
}

}  // namespace
}  // namespace brisance::sim
