// The three integrators through the whole time loop (VALIDATION A9): growth of a single mode, stability limits with
// damping, and the order of the error; damping (A10).
#include "support/kuhn.hpp"
#include "support/simulated.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

using dynamics::Integrator;

/// One tet of which one corner may move, along z alone: with λ + 2μ = ρ = 1 an oscillator of ω = 2, as small as to be
/// linear.
class Oscillator {
public:
  static constexpr double kFrequency = 2;

  Oscillator(Integrator integrator, double phase_step, double damping_ratio)
      : simulation_(core::Comm(MPI_COMM_SELF), scene(integrator, phase_step / kFrequency, damping_ratio), tet(),
                    std::vector<std::uint32_t>{1, 1, 1, 2}) {}

  void steps(int count) {
    for (int i = 0; i < count; ++i) simulation_.step(1e6);
  }
  /// √(u² + (v/ω)²) over its value at the start.
  [[nodiscard]] double amplitude() const {
    return std::hypot(test::position(simulation_, 3)[2] - 1, test::velocity(simulation_, 3)[2] / kFrequency) / kStart;
  }
  [[nodiscard]] const Simulation& simulation() const { return simulation_; }

private:
  static constexpr double kStart = 1e-6;

  static Scene scene(Integrator integrator, double dt_s, double damping_ratio) {
    material::Material m;
    m.density = 1;
    m.lame_lambda = 0.5;
    m.lame_mu = 0.25;
    const double damping_time = 2 * damping_ratio / kFrequency;
    m.damping_phi = damping_time * m.lame_lambda;
    m.damping_psi = damping_time * m.lame_mu;
    Scene scene = test::bare_scene(m);
    scene.regions = {test::grip({true, true, true}), test::grip({true, true, false})};
    scene.time.integrator = integrator;
    scene.time.max_step_s = dt_s;
    scene.time.step_safety = 1000;  // the test chooses the step, beyond the safe one too
    return scene;
  }
  static mesh::TetMesh tet() {
    mesh::TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    mesh.face_source = {{0, 1, 2, 3}};
    mesh.displacement = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, kStart)};
    return mesh;
  }

  Simulation simulation_;
};

// VALIDATION A9: |g| = √(1+z²). Exact for a linear force; 1e-4 covers the force's curvature at strain 1e-6 … 1e-3.
TEST(Integrators, A9ForwardEulerGrowsByRootOnePlusZSquared) {
  Oscillator body(Integrator::forward_euler, 0.2, 0);
  body.steps(200);
  EXPECT_DOUBLE_EQ(body.simulation().last_step_s(), 0.1);
  const double expected = std::pow(1 + 0.04, 100);
  EXPECT_NEAR(body.amplitude(), expected, 1e-4 * expected);
}

// VALIDATION A9: |g| = √(1+z⁴/4).
TEST(Integrators, A9Taylor2GrowsByRootOnePlusZToTheFourthOverFour) {
  Oscillator body(Integrator::taylor2, 0.5, 0);
  body.steps(400);
  const double expected = std::pow(1 + std::pow(0.5, 4) / 4, 200);
  EXPECT_NEAR(body.amplitude(), expected, 1e-4 * expected);
}

// VALIDATION A9: |g| = 1 up to z = 2. Within the ellipse u² − z uv/ω + (v/ω)² = const the amplitude varies by
// √((1+z/2)/(1−z/2)) at most.
TEST(Integrators, A9SymplecticEulerIsBoundedUpToZOfTwo) {
  for (const double z : {0.2, 1.0, 1.9}) {
    Oscillator body(Integrator::symplectic_euler, z, 0);
    double largest = 0;
    for (int i = 0; i < 5000; ++i) {
      body.steps(1);
      largest = std::max(largest, body.amplitude());
    }
    EXPECT_LT(largest, 1.001 * std::sqrt((1 + z / 2) / (1 - z / 2))) << z;
  }
  Oscillator beyond(Integrator::symplectic_euler, 2.05, 0);
  beyond.steps(30);
  EXPECT_GT(beyond.amplitude(), 100);
}

// VALIDATION A9: largest stable z with damping ratio ζ; the motion decays 3 % below the limit and grows 3 % above.
// Enough steps to show either: at 3 % from the limit a step changes the amplitude by about 1e-4 where the limit is
// small.
TEST(Integrators, A9StabilityLimitsWithDamping) {
  struct Limit {
    Integrator integrator;
    double damping_ratio, z;
  };
  const Limit kLimits[] = {
      {Integrator::forward_euler, 0.1, 0.2},       {Integrator::forward_euler, 0.5, 1.0},
      {Integrator::forward_euler, 2.0, 0.536},     {Integrator::taylor2, 0.01, 0.444},
      {Integrator::taylor2, 0.1, 1.050},           {Integrator::taylor2, 2.0, 0.536},
      {Integrator::symplectic_euler, 0.01, 1.980}, {Integrator::symplectic_euler, 0.1, 1.810},
      {Integrator::symplectic_euler, 0.5, 1.236},  {Integrator::symplectic_euler, 2.0, 0.472},
  };
  for (const Limit& limit : kLimits) {
    const auto name = testing::Message() << static_cast<int>(limit.integrator) << " ζ " << limit.damping_ratio;
    Oscillator below(limit.integrator, 0.97 * limit.z, limit.damping_ratio);
    below.steps(4000);
    EXPECT_LT(below.amplitude(), 1) << name;
    Oscillator above(limit.integrator, 1.03 * limit.z, limit.damping_ratio);
    for (int i = 0; i < 4000 && above.amplitude() < 10; ++i) above.steps(1);
    EXPECT_GT(above.amplitude(), 2) << name;
  }
}

mesh::TetMesh bent_bar() {
  mesh::TetMesh bar = test::kuhn_box(8, 1, 1, 1, 0.125, 0.125);
  for (const Vec3& x : bar.nodes)
    bar.displacement.emplace_back(-0.01 / std::numbers::pi * std::cos(std::numbers::pi * x[0]), 0, 0);
  return bar;
}

/// All positions at t = 1 after `steps` equal steps.
Eigen::VectorXd positions_at_one(Integrator integrator, int steps) {
  Scene scene = test::bare_scene(test::solid(1, 0.3, 1));
  scene.time.integrator = integrator;
  scene.time.max_step_s = 1.0 / steps;
  const mesh::TetMesh bar = bent_bar();
  Simulation simulation(core::Comm(MPI_COMM_SELF), scene, bar, {});
  test::run_until(simulation, 1);
  EXPECT_EQ(simulation.num_steps(), steps);
  Eigen::VectorXd result(3 * bar.nodes.size());
  for (std::size_t i = 0; i < bar.nodes.size(); ++i)
    result.segment<3>(3 * i) = test::position(simulation, static_cast<std::int64_t>(i));
  return result;
}

/// |x(dt) − x(dt/2)| / |x(dt/2) − x(dt/4)|: 2 for an integrator of order 1, 4 for order 2.
double error_ratio(Integrator integrator) {
  const auto coarse = positions_at_one(integrator, 4096), middle = positions_at_one(integrator, 8192),
             fine = positions_at_one(integrator, 16384);
  return (coarse - middle).norm() / (middle - fine).norm();
}

// VALIDATION A9: halving the step halves the error of the Eulers and quarters that of the Taylor step.
TEST(Integrators, A9OrdersOfTheError) {
  EXPECT_NEAR(error_ratio(Integrator::symplectic_euler), 2, 0.1);
  EXPECT_NEAR(error_ratio(Integrator::forward_euler), 2, 0.1);
  EXPECT_NEAR(error_ratio(Integrator::taylor2), 4, 0.2);
}

// VALIDATION A10: free bar, E = 1, ν = 0.25, φ = 0.002, ψ = 0.003, first mode: amplitude ∝ e^{−0.03573 t}. Measured as
// half the decay of kinetic + elastic energy between two equal phases, ten periods apart. 1 %: 0.2 % from the mesh's
// frequency squared, the rest the energy still in other modes.
TEST(Damping, A10BarsAmplitudeDecaysAtTheReferenceRate) {
  material::Material m = test::solid(1, 0.25, 1);
  m.damping_phi = 0.002;
  m.damping_psi = 0.003;
  mesh::TetMesh bar = test::kuhn_box(20, 1, 1, 1, 0.05, 0.05);
  for (const Vec3& x : bar.nodes) {
    const double strain = 1e-4 * std::sin(std::numbers::pi * x[0]);
    bar.displacement.emplace_back(-1e-4 / std::numbers::pi * std::cos(std::numbers::pi * x[0]), -0.25 * strain * x[1],
                                  -0.25 * strain * x[2]);
  }
  Simulation simulation(core::Comm(MPI_COMM_SELF), test::bare_scene(m), bar, {});
  const double start = simulation.energies().total();
  auto energy_at = [&](double time_s) {
    test::run_until(simulation, time_s);
    const Energies e = simulation.energies();
    return e.kinetic + e.elastic;
  };
  const double early = energy_at(4), late = energy_at(24);
  const double rate = 0.5 * std::log(early / late) / 20;
  RecordProperty("decay_rate_per_s", std::to_string(rate));
  EXPECT_NEAR(rate, 0.03573, 0.01 * 0.03573);
  // What the motion lost is in the ledger: the total moves by the integrator's O(dt) alone.
  EXPECT_NEAR(simulation.energies().total(), start, 0.01 * start);
}

}  // namespace
}  // namespace brisance::sim
