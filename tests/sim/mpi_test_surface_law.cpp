/// The law of surface contact in whole bodies: sticking friction, sliding, impacts, and the frame of reference.
#include "brisance/contact/surface/surface_contact.hpp"

#include "support/breaking_plate.hpp"
#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/simulated.hpp"
#include "support/surface_scene.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::joined;
using test::moved;
using test::surface_scene;

/// Mean velocity and position of some of the nodes.
struct Mean {
  Vec3 velocity = Vec3::Zero(), place = Vec3::Zero();
  double mass = 0;
};
template <class Belongs>
Mean mean_of(const Simulation& simulation, const Belongs& belongs) {
  Mean mean;
  test::for_each_owned(simulation, [&](LocalNode n, std::int64_t) {
    if (!belongs(simulation.mesh().rest[n])) return;
    const double mass = simulation.mesh().mass[n];
    mean.mass += mass;
    mean.velocity += mass * Vec3(simulation.mesh().motion[n].velocity);
    mean.place += mass * Vec3(simulation.mesh().motion[n].position);
  });
  mean.mass = test::sum_over_ranks(simulation.comm(), Vec3(mean.mass, 0, 0)).x();
  mean.velocity = test::sum_over_ranks(simulation.comm(), mean.velocity) / mean.mass;
  mean.place = test::sum_over_ranks(simulation.comm(), mean.place) / mean.mass;
  return mean;
}

constexpr double kGravity = 9.81, kTilt = 20 * std::numbers::pi / 180;

/// A block of 0.1 m on a slab that is fixed from below; gravity is tilted by 20° along x.
Simulation block_on_slab(double friction, double push = 0) {
  Scene scene = surface_scene(test::solid(1e6, 0.3, 1000, 3e-4));
  scene.contact.restitution = 0.6;
  scene.contact.friction = friction;
  scene.gravity = kGravity * Vec3(std::sin(kTilt), 0, -std::cos(kTilt));
  scene.regions = {test::grip({true, true, true})};
  const mesh::TetMesh slab = moved(test::kuhn_box(12, 4, 1, 0.6, 0.2, 0.05), Mat3::Identity(), Vec3(0, 0, -0.05));
  const mesh::TetMesh block = moved(test::kuhn_box(3, 3, 3, 0.1, 0.1, 0.1), Mat3::Identity(), Vec3(0.063, 0.052, 1e-6));
  const mesh::TetMesh both = joined(slab, Vec3::Zero(), block, push * Vec3::UnitX());
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : both.nodes) regions.push_back(x.z() < -0.04 ? 1 : 0);
  return Simulation(core::Comm(), scene, both, regions);
}

bool is_block(const Vec3& rest) { return rest.z() > 5e-7; }

// VALIDATION J1: 20°, whose tangent is 0.364. It has come down and rocked by the time of the first measurement.
TEST(SurfaceLaw, BlockOnASlopeStaysWhereFrictionHoldsIt) {
  if (test::has_many_ranks()) GTEST_SKIP();
  for (const double friction : {0.6, 0.4}) {
    Simulation simulation = block_on_slab(friction);
    test::run_until(simulation, 1);
    const Vec3 settled = mean_of(simulation, is_block).place;
    test::run_until(simulation, 1.5);
    const Mean later = mean_of(simulation, is_block);
    EXPECT_LT((later.place - settled).norm(), 1e-6) << friction;
    EXPECT_LT(later.velocity.norm(), 1e-4) << friction;  // it still rocks
  }
}

TEST(SurfaceLaw, BlockOnASlopeSlidesWithWhatFrictionLeaves) {
  if (test::has_many_ranks()) GTEST_SKIP();
  for (const double friction : {0.0, 0.2}) {
    Simulation simulation = block_on_slab(friction, 0.1);
    test::run_until(simulation, 0.1);
    const double before = mean_of(simulation, is_block).velocity.x();
    test::run_until(simulation, 0.4);
    const double found = (mean_of(simulation, is_block).velocity.x() - before) / 0.3,
                 expected = kGravity * (std::sin(kTilt) - friction * std::cos(kTilt));
    EXPECT_NEAR(found, expected, 0.01 * expected) << friction;
  }
}

// Two cubes that stick to each other and rotate together: friction springs rotate with them and keep their length. A
// cube alone rotates as they do.
TEST(SurfaceLaw, WhatSticksTurnsAsOneBody) {
  if (test::has_many_ranks()) GTEST_SKIP();
  Scene scene = surface_scene(test::solid(1e6, 0.3, 1000, 3e-4));
  scene.contact.restitution = 0.6;
  scene.contact.friction = 1;
  scene.gravity = 50 * Vec3(0.3, 0, -1);
  scene.regions = {test::grip({true, true, true})};
  scene.regions[0].angular_velocity = 3 * Vec3::UnitZ();
  scene.regions[0].pivot = Vec3(0.15, 0.15, 0);
  const mesh::TetMesh slab = test::kuhn_box(6, 6, 1, 0.3, 0.3, 0.05),
                      cube = moved(test::kuhn_box(3, 3, 3, 0.09, 0.09, 0.09), Mat3::Identity(), Vec3(0.1, 0.105, 0.05));
  const mesh::TetMesh both = joined(slab, Vec3::Zero(), cube, Vec3::Zero());
  std::vector<std::uint32_t> regions;
  for (std::size_t i = 0; i < both.nodes.size(); ++i) regions.push_back(i < slab.nodes.size() ? 1 : 0);
  Simulation simulation(core::Comm(), scene, both, regions);
  const auto seen_from_slab = [&] {
    Vec3 mean = Vec3::Zero();
    double mass = 0;
    test::for_each_owned(simulation, [&](LocalNode n, std::int64_t id) {
      if (id < static_cast<std::int64_t>(slab.nodes.size())) return;
      mass += simulation.mesh().mass[n];
      mean += simulation.mesh().mass[n] * Vec3(simulation.mesh().motion[n].position);
    });
    mean =
        test::sum_over_ranks(simulation.comm(), mean) / test::sum_over_ranks(simulation.comm(), Vec3(mass, 0, 0)).x();
    const Mat3 back = Eigen::AngleAxisd(-3 * simulation.time_s(), Vec3::UnitZ()).toRotationMatrix();
    return Vec3(back * (mean - scene.regions[0].pivot));
  };
  // Relative to the slab, the weight rotates, and has its initial direction after each turn.
  constexpr double kTurn = 2 * std::numbers::pi / 3;
  test::run_until(simulation, 0.5 + kTurn);
  const Vec3 settled = seen_from_slab();
  test::run_until(simulation, 0.5 + 2 * kTurn);
  EXPECT_LT((seen_from_slab() - settled).norm(), 1e-5);
}

/// Velocity of bars after impact over that before [–].
double restitution_of_bars(double first, double second, int cells, const Scene& scene) {
  const double h = second / cells;
  const auto bar = [&](double length, const Vec3& at) {
    const int along = static_cast<int>(length / h + 0.5);
    return moved(test::kuhn_box(along, 4, 4, length, 4 * h, 4 * h), Mat3::Identity(), at);
  };
  const mesh::TetMesh bars = joined(bar(first, Vec3(-first - 1e-3, 0, 0)), Vec3(0.5, 0, 0),
                                    bar(second, Vec3(0, 0.23 * h, -0.31 * h)), Vec3::Zero());
  Simulation simulation(core::Comm(), scene, bars, {});
  test::run_until(simulation, 0.09);
  const double left = mean_of(simulation, [](const Vec3&x) { return x.x() < -5e-4; }).velocity.x(),
               right = mean_of(simulation, [](const Vec3&x) { return x.x() > -5e-4; }).velocity.x();
  return (right - left) / 0.5;
}

// VALIDATION E3, St Venant: e = L₁/L₂. A spring of k per area between them, and wave scattering by the mesh, add (c
// τ/2L₁)(1 + L₁/L₂), τ = ρc/2k, which vanishes on fine meshes.
TEST(SurfaceLaw, UnequalBarsPartWithTheRatioOfTheirLengths) {
  if (test::has_many_ranks()) GTEST_SKIP();
  const Scene scene = surface_scene(test::solid(1e6, 0, 1000));
  const double coarse = restitution_of_bars(0.32, 0.8, 40, scene), fine = restitution_of_bars(0.32, 0.8, 120, scene);
  EXPECT_NEAR(fine, 0.4, 0.03);
  EXPECT_LT(fine, coarse);
}

// VALIDATION J3: with a velocity added to all, the same cracks in the same places.
TEST(SurfaceLaw, FrameOfReferenceMakesNoDifference) {
  if (test::has_many_ranks()) GTEST_SKIP();
  Scene scene = test::breaking_plate();
  scene.colliders.clear();
  scene.contact.enabled = contact::ContactSwitch::on;
  scene.contact.criterion = contact::ContactCriterion::surface;
  scene.gravity = Vec3::Zero();
  const mesh::TetMesh plate = test::kuhn_box(8, 1, 6, 0.6, 0.06, 0.45);
  const Mat3 turn = Eigen::AngleAxisd(1.2, Vec3::UnitZ()).toRotationMatrix();
  const auto run = [&](const Vec3& common) {
    auto simulation = std::make_unique<Simulation>(
        core::Comm(), scene,
        joined(plate, common + Vec3(0.1, 6, 0), moved(plate, turn, Vec3(0.3, 0.08, 0.1)), common + Vec3(0, -6, 0.5)),
        std::span<const std::uint32_t>());
    test::run_until(*simulation, 0.004);  // before rounding can decide about a crack
    return simulation;
  };
  const Vec3 common(40, -30, 37);  // 62 m/s
  const auto still = run(Vec3::Zero()), moving = run(common);
  EXPECT_GT(still->fracture_counters().cracks, 10);
  EXPECT_EQ(moving->fracture_counters().cracks, still->fracture_counters().cracks);
  EXPECT_EQ(moving->num_steps(), still->num_steps());
  const std::int64_t nodes = still->mesh().facts.next_node_id;
  ASSERT_EQ(moving->mesh().facts.next_node_id, nodes);
  double farthest = 0;
  for (std::int64_t id = 0; id < nodes; ++id)
    farthest = std::max(
        farthest, (test::position_of(*moving, id) - common * moving->time_s() - test::position_of(*still, id)).norm());
  EXPECT_LT(farthest, 1e-11);
}

/// Cells of width 1, then ever wider ones.
std::vector<double> graded_lines(int fine, int all, double growth) {
  std::vector<double> x{0};
  double width = 1;
  for (int i = 0; i < all; ++i) {
    if (i >= fine) width *= growth;
    x.push_back(x.back() + width);
  }
  return x;
}

/// A quarter of a body above z = 0, in units of a fine cell, rounded below with radius R.
mesh::TetMesh rounded_quarter(const std::vector<double>& across, const std::vector<double>& up, double radius) {
  const auto n = static_cast<int>(across.size()) - 1, m = static_cast<int>(up.size()) - 1;
  mesh::TetMesh body = test::kuhn_box(n, n, m, n, n, m);
  const auto at = [](const std::vector<double>& lines, double i) { return lines[static_cast<std::size_t>(i + 0.5)]; };
  for (Vec3& x : body.nodes) {
    x = Vec3(at(across, x.x()), at(across, x.y()), at(up, x.z()));
    x.z() += 0.5 * (x.x() * x.x() + x.y() * x.y()) / radius * (1 - x.z() / up.back());
  }
  return body;
}

// Hertz: an elastic ball, by symmetry a quarter, on a fixed plane, 20 cells across the contact: a³ = 3 F R/4E*, and
// ⟨r²⟩ = 2a²/5 of the pressure. Contact springs widen it by 2 %.
TEST(SurfaceLaw, BallOnAPlanePressesAsHertzSays) {
  if (core::Comm().size() > 1) GTEST_SKIP();
  const double unit = 1e-2, radius = 100, until = 0.08;
  const std::vector<double> across = graded_lines(13, 20, 1.4), up = graded_lines(5, 14, 1.35);
  mesh::TetMesh ball = rounded_quarter(across, up, radius), plane = rounded_quarter(across, {0, 1}, 1e12);
  for (Vec3& x : plane.nodes) x += Vec3(-0.5, -0.5, -1);
  mesh::TetMesh both = joined(plane, Vec3::Zero(), ball, Vec3::Zero());
  for (Vec3& x : both.nodes) x *= unit;
  constexpr double kYoung = 1e6, kPoisson = 0.3;
  Scene scene = surface_scene(test::solid(kYoung, kPoisson, 1000, 1e-4));
  scene.contact.restitution = 0.6;
  scene.regions = {test::grip({true, true, true}), test::grip({true, false, false}), test::grip({false, true, false}),
                   test::grip({false, false, true}, -1.05 * unit / until * Vec3::UnitZ())};
  std::vector<std::uint32_t> regions;
  for (std::size_t i = 0; i < both.nodes.size(); ++i) {
    const Vec3& x = both.nodes[i];
    const bool is_plane = i < plane.nodes.size();
    regions.push_back(is_plane ? 1U
                               : (x.x() == 0 ? 2U : 0U) | (x.y() == 0 ? 4U : 0U) |
                                     (x.z() > (up.back() - 1e-6) * unit ? 8U : 0U));
  }
  Simulation simulation(core::Comm(), scene, both, regions);
  test::run_until(simulation, until);
  double force = 0, moment = 0;
  for (const contact::ContactForce& c : simulation.surface_contact()->forces()) {
    const LocalNode n(c.slot);
    if (simulation.mesh().node_id[n].value < static_cast<std::int64_t>(plane.nodes.size())) continue;
    force += 4 * c.force.z();
    const Vec3 x(simulation.mesh().motion[n].position);
    moment += 4 * c.force.z() * (x.x() * x.x() + x.y() * x.y());
  }
  const double found = std::sqrt(2.5 * moment / force),
               expected = std::cbrt(0.75 * force * radius * unit * (1 - kPoisson * kPoisson) / kYoung);
  EXPECT_GT(found, 9 * unit);
  EXPECT_NEAR(found, expected, 0.05 * expected);
}

}  // namespace
}  // namespace brisance::sim
