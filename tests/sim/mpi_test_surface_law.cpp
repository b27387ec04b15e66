/// The law of contact of surfaces in whole bodies: friction that holds, sliding, blows, and the frame of reference.
#include "brisance/contact/surface/surface_contact.hpp"

#include "support/breaking_plate.hpp"
#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/simulated.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::joined;
using test::moved;

Scene surface_scene(const material::Material& m) {
  Scene scene = test::bare_scene(m);
  scene.contact.enabled = contact::ContactSwitch::on;
  scene.contact.criterion = contact::ContactCriterion::surface;
  scene.contact.restitution = 1;
  scene.contact.friction = 0;
  return scene;
}

/// Mean velocity and place of the nodes that lay above a height at rest.
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

/// A block of 0.1 m on a slab that is held from below; gravity is tilted by 20° along x.
Simulation block_on_slab(double friction, double push = 0) {
  Scene scene = surface_scene(test::solid(1e6, 0.3, 1000, 3e-4));
  scene.contact.restitution = 0.6;
  scene.contact.friction = friction;
  scene.gravity = kGravity * Vec3(std::sin(kTilt), 0, -std::cos(kTilt));
  scene.regions = {test::grip({true, true, true})};
  const mesh::TetMesh slab = moved(test::kuhn_box(12, 4, 1, 0.6, 0.2, 0.05), Mat3::Identity(), Vec3(0, 0, -0.05));
  const mesh::TetMesh block =
      moved(test::kuhn_box(3, 3, 3, 0.1, 0.1, 0.1), Mat3::Identity(), Vec3(0.063, 0.052, 1e-6));
  const mesh::TetMesh both = joined(slab, Vec3::Zero(), block, push * Vec3::UnitX());
  std::vector<std::uint32_t> regions;
  for (const Vec3& x : both.nodes) regions.push_back(x.z() < -0.04 ? 1 : 0);
  return Simulation(core::Comm(), scene, both, regions);
}

bool is_block(const Vec3& rest) { return rest.z() > 5e-7; }

// VALIDATION J1: 20°, whose tangent is 0.364.
TEST(SurfaceLaw, BlockOnASlopeStaysWhereFrictionHoldsIt) {
  if (test::has_many_ranks()) GTEST_SKIP();
  for (const double friction : {0.5, 0.4}) {
    Simulation simulation = block_on_slab(friction);
    test::run_until(simulation, 0.4);
    const Vec3 settled = mean_of(simulation, is_block).place;
    test::run_until(simulation, 0.8);
    const Mean later = mean_of(simulation, is_block);
    printf("mu %g creep %g velocity %g\n", friction, (later.place - settled).norm() / 0.4, later.velocity.norm());
    EXPECT_LT((later.place - settled).norm(), 1e-7) << friction;
    EXPECT_LT(later.velocity.norm(), 1e-6) << friction;
  }
}

TEST(SurfaceLaw, BlockOnASlopeSlidesWithWhatFrictionLeaves) {
  if (test::has_many_ranks()) GTEST_SKIP();
  for (const double friction : {0.0, 0.2, 0.35}) {
    Simulation simulation = block_on_slab(friction, 0.1);
    test::run_until(simulation, 0.1);
    const double before = mean_of(simulation, is_block).velocity.x();
    test::run_until(simulation, 0.4);
    const double found = (mean_of(simulation, is_block).velocity.x() - before) / 0.3,
                 expected = kGravity * (std::sin(kTilt) - friction * std::cos(kTilt));
    printf("mu %g a %g expected %g\n", friction, found, expected);
    EXPECT_NEAR(found, expected, 0.01 * kGravity * std::sin(kTilt)) << friction;
  }
}

mesh::TetMesh bar(double length, const Vec3& at) {
  return moved(test::kuhn_box(static_cast<int>(length / 0.02 + 0.5), 4, 4, length, 0.08, 0.08), Mat3::Identity(), at);
}

// VALIDATION E3, St Venant: e = L₁/L₂.
TEST(SurfaceLaw, UnequalBarsPartWithTheRatioOfTheirLengths) {
  for (const double first : {0.32, 0.16}) {
    const mesh::TetMesh bars =
        joined(bar(first, Vec3(-first - 1e-3, 0, 0)), Vec3(0.5, 0, 0), bar(0.8, Vec3(0, 0.005, -0.006)), Vec3::Zero());
    Simulation simulation(core::Comm(), surface_scene(test::solid(1e6, 0, 1000)), bars, {});
    test::run_until(simulation, 0.09);
    const double left = mean_of(simulation, [](const Vec3& x) { return x.x() < -5e-4; }).velocity.x(),
                 right = mean_of(simulation, [](const Vec3& x) { return x.x() > -5e-4; }).velocity.x();
    printf("ratio %g e %g\n", first / 0.8, (right - left) / 0.5);
    EXPECT_NEAR((right - left) / 0.5, first / 0.8, 0.03);
  }
}

// VALIDATION J2
TEST(SurfaceLaw, Restitution) {
  for (const double e : {1.0, 0.6, 0.2})
    for (const int cells : {1, 2, 4, 8}) {
      Scene scene = surface_scene(test::solid(1e6, 0.3, 1000));
      scene.contact.restitution = e;
      const mesh::TetMesh cube = test::kuhn_box(cells, cells, cells, 0.1, 0.1, 0.1);
      const mesh::TetMesh both = joined(cube, Vec3(0.1, 0, 0), moved(cube, Mat3::Identity(), Vec3(0.1001, 0, 0)), Vec3(-0.1,0,0));
      Simulation simulation(core::Comm(), scene, both, {});
      test::run_until(simulation, 0.05);
      const double left = mean_of(simulation, [](const Vec3& x) { return x.x() < 0.10005; }).velocity.x(),
                   right = mean_of(simulation, [](const Vec3& x) { return x.x() > 0.10005; }).velocity.x();
      printf("asked %g cells %d e %g\n", e, cells, (right - left) / 0.2);
    }
}

}  // namespace
}  // namespace brisance::sim
