// Statics by load steps on any number of ranks: against the discrete bodies and closed forms, with cracks.
#include "brisance/core/error.hpp"
#include "brisance/dist/pieces.hpp"
#include "brisance/sim/held_objects.hpp"

#include "support/over_ranks.hpp"
#include "support/vibrations.hpp"

#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::for_each_owned, test::largest, test::OneRank, test::position_of, test::positions_by_id;

Scene static_scene(Scene scene, int load_steps) {
  scene.time.integrator = dynamics::Integrator::statics;
  scene.time.load_steps = load_steps;
  scene.duration_s = 1;
  return scene;
}

void run(Simulation& simulation) { test::run_until(simulation, simulation.scene().duration_s); }

// VALIDATION A6, static: a clamped bar under its weight is where its own dense matrix, factorised, has it, and sags
// less than a beam by about the square of the ratio of frequencies. Linear and in one step, or in four.
TEST(LoadSteps, A6ACantileverSagsAsItsMatrixSays) {
  const mesh::TetMesh bar = test::kuhn_box(10, 1, 1, 1, 0.1, 0.1);
  std::vector<std::uint32_t> masks;
  std::vector<bool> is_held;
  for (const Vec3& x : bar.nodes) {
    is_held.push_back(x[0] == 0);
    masks.push_back(x[0] == 0 ? 1 : 0);
  }
  for (const double z : {1.0, -1.0}) {
    Scene scene = static_scene(test::bare_scene(test::solid(1, 0.3, 1)), z > 0 ? 1 : 4);
    const Vec3 down = Vec3(0, 1, z).normalized();
    scene.gravity = 1e-6 * down;
    scene.time.strain = dynamics::Strain::linear;
    scene.regions = {test::grip({true, true, true})};
    const test::DenseBody body(scene, bar, is_held);
    const Eigen::VectorXd expected = body.under_weight(scene.gravity);
    Simulation simulation(core::Comm(), scene, bar, masks);
    run(simulation);
    EXPECT_EQ(simulation.num_steps(), z > 0 ? 1 : 4);
    const dist::Mesh& mesh = simulation.mesh();
    const auto off = [&](LocalNode n) {
      return (Vec3(mesh.motion[n].position) - mesh.rest[n] - expected.segment<3>(3 * mesh.node_id[n].value)).norm();
    };
    EXPECT_LT(largest(simulation, off), 1e-6 * expected.cwiseAbs().maxCoeff());
    const Energies e = simulation.energies();
    EXPECT_LT(std::abs(e.numerical_loss), 1e-6 * e.elastic);
    EXPECT_EQ(e.kinetic, 0);
    const double tip = (position_of(simulation, 40) - Vec3(1, 0, 0)).dot(down), beam = 1e-6 * 0.01 / (8 * 1e-4 / 12);
    const double frequency = z > 0 ? 0.039293 : 0.030109;
    EXPECT_NEAR(tip / beam, std::pow(0.0161540 / frequency, 2), 0.04) << z;
  }
}

// VALIDATION A13: a column of the bowl material on rollers under its weight.
TEST(LoadSteps, A13GravityColumn) {
  constexpr int kCells = 10;
  const double height = 0.1, gravity = 9.81;
  material::Material m;
  m.density = 1013;
  m.lame_lambda = 2.65e6;
  m.lame_mu = 3.97e6;
  const mesh::TetMesh column = test::kuhn_box(1, 1, kCells, 0.01, 0.01, height);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : column.nodes) masks.push_back(x[2] == 0 ? 3 : 1);
  Scene scene = static_scene(test::bare_scene(m), 2);
  scene.gravity = Vec3(0, 0, -gravity);
  scene.regions = {test::grip({true, true, false}), test::grip({true, true, true})};
  Simulation simulation(core::Comm(), scene, column, masks);
  run(simulation);
  const double modulus = m.lame_lambda + 2 * m.lame_mu;
  const auto off = [&](LocalNode n) {
    const double z = simulation.mesh().rest[n][2];
    const double expected = -m.density * gravity * (height * z - 0.5 * z * z) / modulus;
    return std::abs(simulation.mesh().motion[n].position[2] - z - expected);
  };
  EXPECT_LT(largest(simulation, off), 0.01 * m.density * gravity * height * height / (2 * modulus));
}

/// A bar on rollers on three sides, drawn along x by `strain` at the end: stress E e along x and nothing else.
struct RolledBar {
  static constexpr double kYoungs = 1e9, kPoisson = 0.3;
  mesh::TetMesh bar = test::kuhn_box(4, 2, 2, 0.2, 0.1, 0.1);
  std::vector<std::uint32_t> masks;
  Scene scene;
  explicit RolledBar(double strain, double strength) {
    material::Material m = test::solid(kYoungs, kPoisson, 1000);
    m.toughness = strength;
    m.toughness_mode = material::ToughnessMode::stress;
    scene = static_scene(test::bare_scene(m), 3);
    scene.fracture.criterion = fracture::FailureCriterion::principal_stress;
    scene.regions = {test::grip({true, false, false}), test::grip({false, true, false}),
                     test::grip({false, false, true}), test::grip({true, false, false}, Vec3(0.2 * strain, 0, 0))};
    for (const Vec3& x : bar.nodes)
      masks.push_back((x[0] == 0 ? 1U : 0U) | (x[1] == 0 ? 2U : 0U) | (x[2] == 0 ? 4U : 0U) | (x[0] == 0.2 ? 8U : 0U));
  }
};

// VALIDATION A2 and C4: uniaxial stress, exactly; what breaks at 1 MPa breaks under 1.02 of it, not under 0.98, and not
// under three times as much pressure.
TEST(LoadSteps, A2C4UniaxialStressAndWhomItBreaks) {
  const double strength = 1e6, at_strength = strength / RolledBar::kYoungs;
  for (const double share : {0.98, 1.02, -3.0}) {
    const RolledBar rolled(share * at_strength, strength);
    Simulation simulation(core::Comm(), rolled.scene, rolled.bar, rolled.masks);
    run(simulation);
    if (share > 1) {
      EXPECT_GT(simulation.fracture_counters().cracks, 0);
      continue;
    }
    EXPECT_EQ(simulation.fracture_counters().cracks, 0) << share;
    const dist::Mesh& mesh = simulation.mesh();
    const double e = share * at_strength;
    const auto off = [&](LocalNode n) {
      const Vec3& x = mesh.rest[n];
      return (Vec3(mesh.motion[n].position) - x - e * Vec3(x[0], -0.3 * x[1], -0.3 * x[2])).norm();
    };
    EXPECT_LT(largest(simulation, off), 1e-7 * std::abs(e) * 0.2) << share;
    EXPECT_NEAR(simulation.energies().supplied, 0.5 * RolledBar::kYoungs * e * e * 0.002, 1e-12);
  }
}

// A beam that bends far: under half the load steps it ends in the same place, and the strain of a turn is not taken for
// one.
TEST(LoadSteps, ALargeTurnIsNoStrain) {
  const mesh::TetMesh bar = test::kuhn_box(12, 1, 1, 1, 0.08, 0.08);
  std::vector<std::uint32_t> masks;
  for (const Vec3& x : bar.nodes) masks.push_back(x[0] == 0 ? 1 : 0);
  const auto tip = [&](int load_steps) {
    Scene scene = static_scene(test::bare_scene(test::solid(1e6, 0, 1000)), load_steps);
    scene.gravity = Vec3(0, 0, -6);
    scene.regions = {test::grip({true, true, true})};
    Simulation simulation(core::Comm(), scene, bar, masks);
    run(simulation);
    return position_of(simulation, 48);
  };
  const Vec3 coarse = tip(5), fine = tip(10);
  EXPECT_LT((coarse - fine).norm(), 1e-5);
  EXPECT_LT(fine.z(), -0.15);
  EXPECT_NEAR(fine.norm(), 1, 0.15);
}

// All cracks of a load before the next: the bar breaks in two at its waist, with the same cracks on this number of
// ranks as on one, and after it no force is left in the halves. What breaking releases is lost.
TEST(LoadSteps, ABarBreaksAtItsWaist) {
  Scene scene = static_scene(test::pulled_scene(1), 12);
  for (RegionParameters& region : scene.regions) {
    region.ramp_s = 0;
    region.velocity *= 0.3;
  }
  const mesh::TetMesh bar = test::waisted_bar();
  const auto break_it = [&](const core::Comm& comm) {
    auto simulation = std::make_unique<Simulation>(comm, scene, bar, test::both_ends(bar));
    run(*simulation);
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

// What breaks off a cantilever is let go: its weight pulls no more, and the run goes on to its end.
TEST(LoadSteps, WhatBreaksOffIsLetGo) {
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
  run(simulation);
  EXPECT_GE(dist::find_pieces(simulation.mesh()).list.size(), 2U);
  EXPECT_EQ(simulation.time_s(), 1);
  EXPECT_GT(position_of(simulation, 15 * 16 + 5).z(), -0.5);
}

// Taken up again between two loads it ends where a run does that was not stopped, cracks too.
TEST(LoadSteps, ARunTakenUpAgainAgrees) {
  Scene scene = static_scene(test::pulled_scene(1), 12);
  for (RegionParameters& region : scene.regions) {
    region.ramp_s = 0;
    region.velocity *= 0.3;
  }
  const mesh::TetMesh bar = test::waisted_bar();
  Simulation straight(core::Comm(), scene, bar, test::both_ends(bar));
  for (int i = 0; i < 6; ++i) straight.step();
  Simulation again(core::Comm(), scene, straight.save());
  run(straight);
  run(again);
  EXPECT_EQ(again.fracture_counters().cracks, straight.fracture_counters().cracks);
  const auto count = static_cast<std::int64_t>(bar.nodes.size());
  const auto a = positions_by_id(straight, count), b = positions_by_id(again, count);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  EXPECT_LT(worst, 1e-7);
}

// Hinged along a line or held along one axis, it could still turn or shift: refused by its name.
TEST(LoadSteps, WhatIsNotHeldIsRefused) {
  const mesh::TetMesh block = test::kuhn_box(2, 2, 2, 1, 1, 1);
  Scene scene = static_scene(test::bare_scene(test::solid(1, 0, 1)), 1);
  scene.objects.emplace_back().name = "lid";
  scene.regions = {test::grip({true, true, true}), test::grip({false, true, true})};
  const auto masks = [&](const auto& mask_at) {
    std::vector<std::uint32_t> all;
    for (const Vec3& x : block.nodes) all.push_back(mask_at(x));
    return all;
  };
  const auto message = [&](const std::vector<std::uint32_t>& regions) -> std::string {
    try {
      require_held(scene, block, regions, std::vector<std::size_t>{0});
    } catch (const core::Error& e) {
      return e.what();
    }
    return "";
  };
  const auto along_a_line = masks([](const Vec3& x) { return x[0] == 0 && x[1] == 0 ? 1U : 0U; });
  const auto along_two_axes = masks([](const Vec3& x) { return x[0] == 0 ? 2U : 0U; });
  const auto by_a_face = masks([](const Vec3& x) { return x[0] == 0 ? 1U : 0U; });
  EXPECT_NE(message({}).find("\"lid\" is not held"), std::string::npos);
  EXPECT_NE(message(along_a_line).find("\"lid\" is not held"), std::string::npos);
  EXPECT_NE(message(along_two_axes).find("\"lid\" is not held"), std::string::npos);
  EXPECT_EQ(message(by_a_face), "");
}

}  // namespace
}  // namespace brisance::sim
