// Sub-cycling in a run (VALIDATION I6): frequencies, energy and momentum of a bar with one thin layer of elements.
#include "support/joined.hpp"
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

constexpr double kPi = std::numbers::pi;

/// The bar of VALIDATION A5, of 60 × 3 × 3 cells, one of whose layers is thinner by `share`, in its first longitudinal
/// mode.
mesh::TetMesh bar_with_thin_layer(double share) {
  constexpr double kLayer = 1.0 / 60, kFrom = 20 * kLayer;
  mesh::TetMesh bar = test::kuhn_box(60, 3, 3, 1, 0.1, 0.1);
  for (Vec3& x : bar.nodes)
    if (x[0] > kFrom + 0.5 * kLayer) x[0] -= (1 - share) * kLayer;
  const double length = 1 - (1 - share) * kLayer;
  for (const Vec3& x : bar.nodes) bar.displacement.emplace_back(-1e-4 / kPi * std::cos(kPi * x[0] / length), 0, 0);
  return bar;
}

Scene scene_of(double damping_time_s, int step_classes) {
  Scene scene = test::bare_scene(test::solid(1, 0.3, 1, damping_time_s));
  scene.time.step_classes = step_classes;
  return scene;
}

struct Vibration {
  double frequency_hz = 0;
  double energy_at_start = 0, least_energy = 1e300, most_energy = 0;  ///< kinetic and elastic [J]
  double momentum = 0;                                                ///< the largest met [kg m/s]
  int finest_class = 0;
  std::int64_t steps = 0, updates = 0;
};

Vibration vibrate(double share, Scene scene, int half_periods) {
  const mesh::TetMesh bar = bar_with_thin_layer(share);
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, {});
  Vibration result;
  result.energy_at_start = simulation.energies().total();
  const double rest = test::position(simulation, 0)[0] + 1e-4 / kPi;
  double before = -1, first_s = 0, last_s = 0;
  int crossings = 0;
  while (crossings <= half_periods && simulation.num_steps() < 1000000) {
    simulation.step(1e6);
    const double now = test::position(simulation, 0)[0] - rest;
    if (now * before < 0) {
      last_s = simulation.time_s() - simulation.last_step_s() * now / (now - before);
      if (crossings++ == 0) first_s = last_s;
      const Energies e = simulation.energies();
      result.least_energy = std::min(result.least_energy, e.kinetic + e.elastic);
      result.most_energy = std::max(result.most_energy, e.kinetic + e.elastic);
      result.momentum = std::max(result.momentum, e.momentum.norm());
    }
    before = now;
  }
  result.frequency_hz = 0.5 * half_periods / (last_s - first_s);
  result.finest_class = simulation.step_bound().finest_class;
  result.steps = simulation.num_steps();
  result.updates = simulation.element_updates();
  return result;
}

TEST(Clocks, I6ThinLayerTakesFineStepsAndTheBarSoundsTheSame) {
  for (const double share : {0.5, 0.25, 1.0 / 16}) {
    const Vibration one = vibrate(share, scene_of(0, 1), 20), several = vibrate(share, scene_of(0, 10), 20);
    EXPECT_EQ(one.finest_class, 0);
    EXPECT_NEAR(several.frequency_hz, one.frequency_hz, 1e-3 * one.frequency_hz) << share;
    EXPECT_LT(several.momentum, 1e-15);  // of 1e-7 in either half of the bar
    if (share > 0.1) continue;
    EXPECT_GE(several.finest_class, 2);
    EXPECT_LT(several.steps, 0.5 * static_cast<double>(one.steps));
    EXPECT_LT(several.updates, 0.7 * static_cast<double>(one.updates));
  }
}

double spread(const Vibration& v) { return (v.most_energy - v.least_energy) / v.energy_at_start; }

TEST(Clocks, I6EnergyStaysForAHundredPeriods) {
  const Vibration one = vibrate(1.0 / 16, scene_of(0, 1), 200), several = vibrate(1.0 / 16, scene_of(0, 10), 200);
  EXPECT_GE(several.finest_class, 2);
  RecordProperty("energy_spread_one_clock", std::to_string(spread(one)));
  RecordProperty("energy_spread_several", std::to_string(spread(several)));
  EXPECT_LT(spread(one), 0.002);
  EXPECT_LT(spread(several), 0.02);  // the coarse step is several times as long, and it goes with its square
}

// At 0.99 of the bound of every class, with the least damping for which a run uses sub-cycling by default. (Without any
// the same bar's energy grows within the time of this test: 17 times in 200 periods.)
TEST(Clocks, I6StableAtTheBoundOfEveryClass) {
  Scene scene = scene_of(0.0, 0);
  scene.time.step_safety = 0.99;
  const auto with = [&](double damping_time_s) {
    scene.materials = {test::solid(1, 0.3, 1, damping_time_s)};
    return scene;
  };
  double least_s = 1e-2;  // to a tenth: the least damping time for sub-cycling
  const auto several_at = [&](double damping_time_s) {
    return Simulation(core::Comm(MPI_COMM_SELF), with(damping_time_s), bar_with_thin_layer(1.0 / 16), {})
               .step_bound()
               .finest_class >= 2;
  };
  while (several_at(least_s / 1.1)) least_s /= 1.1;
  const Vibration v = vibrate(1.0 / 16, with(least_s), 100);
  RecordProperty("damping_time_s", std::to_string(least_s));
  EXPECT_GE(v.finest_class, 2);
  EXPECT_LT(v.most_energy, 1.01 * v.energy_at_start);
}

// Without damping a coarse step can be in resonance with fine elements, so sub-cycling must be requested.
TEST(Clocks, UndampedBodiesHaveOneUnlessAskedForMore) {
  const mesh::TetMesh bar = bar_with_thin_layer(1.0 / 16);
  const auto finest_class = [&](double damping_time_s, int step_classes) {
    return Simulation(core::Comm(MPI_COMM_SELF), scene_of(damping_time_s, step_classes), bar, {})
        .step_bound()
        .finest_class;
  };
  EXPECT_EQ(finest_class(0, 0), 0);
  EXPECT_GE(finest_class(0, 10), 2);
  EXPECT_GE(finest_class(0.003, 0), 2);
  EXPECT_EQ(finest_class(0.003, 1), 0);
  EXPECT_LE(finest_class(0.003, 2), 1);
}

// Elements that change class while they move: half of a bar vibrates so far that its elements' steps pass through
// several classes in every period. The account closes, to second order in the step.
TEST(Clocks, I6ElementsThatChangeClassPutNothingIn) {
  const auto imbalance = [](double safety) {
    Scene scene = scene_of(0.003, 10);
    scene.time.strain_refresh_steps = 4;
    scene.time.step_safety = safety;
    mesh::TetMesh bar = bar_with_thin_layer(1.0 / 16);
    for (Vec3& u : bar.displacement) u *= 1000;
    Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, {});
    const double start = simulation.energies().total();
    double worst = 0;
    for (int i = 1; i <= 80; ++i) {
      test::run_until(simulation, 0.05 * i);
      worst = std::max(worst, std::abs(simulation.energies().total() - start) / start);
    }
    EXPECT_GE(simulation.step_bound().finest_class, 2);
    return worst;
  };
  const double coarse = imbalance(0.8), fine = imbalance(0.2);
  RecordProperty("imbalance", std::to_string(coarse));
  RecordProperty("imbalance_at_a_quarter_of_the_step", std::to_string(fine));
  EXPECT_LT(coarse, 0.01);
  EXPECT_LT(fine, coarse / 3);
}

/// A bar of 20 × 3 × 3 cells whose first layer is a sixteenth as thin.
mesh::TetMesh bar_with_thin_end() {
  constexpr double kLayer = 1.0 / 20, kShare = 1.0 / 16;
  mesh::TetMesh bar = test::kuhn_box(20, 3, 3, 1, 0.15, 0.15);
  for (Vec3& x : bar.nodes)
    if (x[0] > 0.5 * kLayer) x[0] -= (1 - kShare) * kLayer;
  return bar;
}

/// Such a bar, with contact or load on its thin end.
struct Blow {
  double imbalance = 0;        ///< the largest of the account over the kinetic energy at the start [–]
  double momentum_change = 0;  ///< the largest [kg m/s]
  double contact_loss = 0, viscous_loss = 0, most_stored = 0, most_elastic = 0;  ///< [J]
  int finest_class = 0;
};

constexpr double kKinetic = 0.5 * (0.15 * 0.15 * (0.95 + 0.05 / 16)) * 1e-4;  ///< of the bar at kSpeed [J]
constexpr double kSpeed = 0.01;                                               ///< of the bar, where it is struck [m/s]

Blow watch(const Scene& scene, const mesh::TetMesh& mesh) {
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, mesh, {});
  const Energies start = simulation.energies();
  Blow blow;
  for (int i = 1; i <= 100; ++i) {
    test::run_until(simulation, 0.03 * i);
    const Energies now = simulation.energies();
    blow.imbalance = std::max(blow.imbalance, std::abs(now.total() - start.total()));
    const Vec3 gained = now.momentum + now.collider_momentum - start.momentum - start.collider_momentum;
    blow.momentum_change = std::max(blow.momentum_change, gained.norm());
    blow.most_stored = std::max(blow.most_stored, now.contact);
    blow.most_elastic = std::max(blow.most_elastic, now.elastic);
    blow.contact_loss = now.contact_loss;
    blow.viscous_loss = now.viscous_loss;
  }
  blow.finest_class = simulation.step_bound().finest_class;
  return blow;
}

Blow run_bar(const Scene& scene) {
  mesh::TetMesh bar = bar_with_thin_end();
  if (scene.loads.empty()) bar.velocity.assign(bar.nodes.size(), Vec3(-kSpeed, 0, 0));
  return watch(scene, bar);
}

contact::ColliderParameters soft_body(contact::ColliderShape shape) {
  contact::ColliderParameters body;
  body.name = "body";
  body.shape = shape;
  body.normal = Vec3(1, 0, 0);
  body.stiffness_n_per_m = 2e-3;
  body.damping_ratio = 0.2;
  body.friction = 0.3;
  return body;
}

Blow strike(const contact::ColliderParameters& body, int step_classes) {
  Scene scene = scene_of(0.004, step_classes);
  scene.colliders = {body};
  return run_bar(scene);
}

void expect_alike(const Blow& several, const Blow& one) {
  EXPECT_EQ(one.finest_class, 0);
  EXPECT_GE(several.finest_class, 3);
  // 0.006 seen, with a step eleven times as long; 4.0 (wall) and 1.7 (box) where contact acts once in a coarse step.
  EXPECT_LT(several.imbalance, 0.01 * kKinetic);
  EXPECT_NEAR(several.contact_loss, one.contact_loss, 0.1 * one.contact_loss);
  EXPECT_NEAR(several.most_stored, one.most_stored, 0.02 * one.most_stored);
}

// Contact springs act in each sub-step of small elements: once in a coarse step they would excite vibrations, whose
// viscous loss would have no source.
TEST(Clocks, ContactOfSmallElementsPutsNothingIn) {
  const contact::ColliderParameters wall = soft_body(contact::ColliderShape::plane);
  const Blow one = strike(wall, 1), several = strike(wall, 10);
  RecordProperty("imbalance", std::to_string(several.imbalance));
  expect_alike(several, one);
}

// A free body gets the reactions of all sub-steps at the end of its own step.
TEST(Clocks, AFreeBodyTakesWhatSmallElementsTake) {
  contact::ColliderParameters box = soft_body(contact::ColliderShape::box);
  box.motion = contact::ColliderMotion::free;
  box.size = Vec3(0.2, 0.4, 0.4);
  box.mass_kg = 0.02;
  box.position = Vec3(-0.101, 0.08, 0.07);  // beside the middle, so that it rotates
  const Blow one = strike(box, 1), several = strike(box, 10);
  RecordProperty("imbalance", std::to_string(several.imbalance));
  expect_alike(several, one);
  EXPECT_LT(several.momentum_change, 1e-14 * 0.02);
}

// Deformable bodies are in contact in sub-steps too, and keep their momentum.
TEST(Clocks, ADeformableBodyPutsNothingIn) {
  const auto strike_block = [](int step_classes) {
    Scene scene = scene_of(0.004, step_classes);
    scene.contact.enabled = contact::ContactSwitch::on;
    scene.contact.friction = 0.3;
    scene.contact.restitution = 0.5;
    const mesh::TetMesh block =
        test::moved(test::kuhn_box(4, 4, 4, 0.2, 0.2, 0.2), Eigen::AngleAxisd(0.02, Vec3::UnitZ()).toRotationMatrix(),
                    Vec3(-0.201, -0.033, -0.021));
    return watch(scene, test::joined(bar_with_thin_end(), Vec3(-kSpeed, 0, 0), block, Vec3::Zero()));
  };
  const Blow one = strike_block(1), several = strike_block(10);
  RecordProperty("imbalance", std::to_string(several.imbalance / kKinetic));
  RecordProperty("imbalance_of_one_clock", std::to_string(one.imbalance / kKinetic));
  RecordProperty("viscous_loss_over_that_of_one_clock", std::to_string(several.viscous_loss / one.viscous_loss));
  EXPECT_GE(several.finest_class, 3);
  EXPECT_GT(several.most_stored, 0.01 * kKinetic);
  EXPECT_LT(several.imbalance, 0.01 * kKinetic);  // 0.0013 seen; 0.87 where pairs push once in a coarse step
  EXPECT_LT(several.momentum_change, 1e-15);
  // 0.71 seen, since small elements are softer in contact; 18 where pairs push once in a coarse step.
  EXPECT_LT(several.viscous_loss, 1.2 * one.viscous_loss);
}

// Loads act in sub-steps, too: a pressure that begins at once, on the thin layer.
TEST(Clocks, LoadsOnSmallElementsPutNothingIn) {
  const auto press = [](int step_classes) {
    Scene scene = scene_of(0.004, step_classes);
    LoadParameters load;
    load.shape = LoadShape::half_space;
    load.centre = Vec3(1e-6, 0, 0);
    load.normal = Vec3(1, 0, 0);
    load.pressure_pa = 1e-3;
    scene.loads = {load};
    return run_bar(scene);
  };
  const Blow one = press(1), several = press(10);
  RecordProperty("imbalance", std::to_string(several.imbalance));
  EXPECT_GE(several.finest_class, 3);
  EXPECT_LT(several.imbalance, 0.05 * one.most_elastic);  // 0.015 seen
  EXPECT_NEAR(several.most_elastic, one.most_elastic, 0.02 * one.most_elastic);
  // 12 % seen; 136 times as much where a load acts once in a coarse step.
  EXPECT_NEAR(several.viscous_loss, one.viscous_loss, 0.2 * one.viscous_loss);
}

}  // namespace
}  // namespace brisance::sim
