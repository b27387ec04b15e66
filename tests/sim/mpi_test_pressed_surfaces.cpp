/// Surfaces that contact presses: with its forces in the separation tensor they bear what the inside of a body bears
/// (docs/MATERIALS.md, "Pressed surfaces").
#include "brisance/fracture/criterion.hpp"
#include "brisance/fracture/fields.hpp"

#include "support/joined.hpp"
#include "support/over_ranks.hpp"
#include "support/simulated.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using test::joined;
using test::moved;

constexpr double kYoung = 1e7, kStrength = 2e4;  // Pa

Scene breakable_scene() {
  Scene scene = test::bare_scene(test::solid(kYoung, 0.3, 1000, 1e-3));
  scene.materials[0].toughness = kStrength;
  scene.materials[0].toughness_mode = material::ToughnessMode::stress;
  return scene;
}

/// A plane that moves at this velocity along its normal, from where it is.
contact::ColliderParameters press(const Vec3& position, const Vec3& normal, double speed, double until_s,
                                  double friction) {
  contact::ColliderParameters plane;
  plane.name = "press";
  plane.motion = contact::ColliderMotion::path;
  plane.position = position;
  plane.normal = normal;
  plane.friction = friction;
  plane.damping_ratio = 0.5;
  const Vec3 shift = speed * until_s * normal;
  plane.path = {{.time_s = 0, .position = position}, {.time_s = until_s, .position = position + shift}};
  if (normal.z() < 0)  // a path turns the plane's normal of the scene
    for (contact::KeyFrame& frame : plane.path) frame.orientation = Eigen::Quaterniond::Identity();
  return plane;
}

/// Mean pressure on the lower face, over σ_c.
double pressure(const Simulation& simulation, double area) {
  double force = 0;
  for (const contact::NodeContact& c : simulation.colliders().contacts())
    if (c.body == 0) force += c.force().z();
  return test::sum_over_ranks(simulation.comm(), Vec3(force, 0, 0)).x() / area / kStrength;
}

// A cube between two plates, free at its sides and without friction, bears pressure alone: 15 σ_c at the end.
TEST(PressedSurfaces, BlockBetweenPlatesDoesNotCrackOfPressure) {
  for (const double friction : {0.0, 0.3}) {
    Scene scene = breakable_scene();
    constexpr double kUntil = 0.06, kSpeed = 0.03;
    scene.colliders = {press(Vec3(0, 0, 0), Vec3::UnitZ(), kSpeed, kUntil, friction),
                       press(Vec3(0, 0, 0.1), -Vec3::UnitZ(), kSpeed, kUntil, friction)};
    Simulation simulation(core::Comm(), scene, test::kuhn_box(4, 4, 4, 0.1, 0.1, 0.1), {});
    test::run_until(simulation, kUntil);
    printf("friction %g pressure %g cracks %ld\n", friction, pressure(simulation, 0.01), (long)simulation.fracture_counters().cracks);
    EXPECT_GT(pressure(simulation, 0.01), friction > 0 ? 3 : 10);
    EXPECT_EQ(simulation.fracture_counters().cracks, 0) << friction;
  }
}

// Pressed from all six sides, as the inside of a body is.
TEST(PressedSurfaces, CubePressedFromAllSidesDoesNotCrack) {
  Scene scene = breakable_scene();
  constexpr double kUntil = 0.06, kSpeed = 0.02;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 n = Vec3::Unit(axis);
    scene.colliders.push_back(press(Vec3::Zero(), n, kSpeed, kUntil, 0));
    scene.colliders.push_back(press(0.1 * n, -n, kSpeed, kUntil, 0));
  }
  Simulation simulation(core::Comm(), scene, test::kuhn_box(4, 4, 4, 0.1, 0.1, 0.1), {});
  test::run_until(simulation, kUntil);
  std::printf("cracks %ld\n", (long)simulation.fracture_counters().cracks);
  EXPECT_EQ(simulation.fracture_counters().cracks, 0);
}

}  // namespace
}  // namespace brisance::sim
