// The step bound (VALIDATION A8), and what happens on both sides of the true limit (A8–A10).
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/elements/law.hpp"

#include "bodies.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

using test::SerialBlocks;

constexpr double kCubeCriticalStep = 0.5415850943;  // VALIDATION A4: unit Kuhn cube, ν = 0.3, E = ρ = 1

/// Largest displacement of a cube after `steps` of `dt`, pushed a little at first.
double amplitude_after(int steps, double dt) {
  SerialBlocks body(test::kuhn_box(1, 1, 1, 1, 1, 1), {test::unit_material(0.3)});
  const SerialBlocks rest = body;
  std::mt19937 generator(31);
  test::shake(body, generator, 1e-9, 0);
  for (int i = 0; i < steps; ++i) body.symplectic_euler_step(dt);
  double largest = 0;
  Vec3 drift = Vec3::Zero();
  for (std::size_t i = 0; i < body.num_nodes(); ++i) drift += (body.position(i) - rest.position(i)) / 8;
  for (std::size_t i = 0; i < body.num_nodes(); ++i)
    largest = std::max(largest, (body.position(i) - rest.position(i) - drift).norm());
  return largest;
}

TEST(CriticalStep, CubeIsBoundedJustBelowItsLimitAndGrowsJustAbove) {
  EXPECT_LT(amplitude_after(400, 0.99 * kCubeCriticalStep), 1e-7);
  EXPECT_GT(amplitude_after(60, 1.02 * kCubeCriticalStep), 1e-7);
}

TEST(CriticalStep, BoundOfTheReferenceTetIsTheClosedForm) {
  // Legs h: gradients 1/h three times, √3/h once, so 1/(c_p √(6/h²)).
  const double h = 0.01;
  material::Material glass = test::soft_viscous();
  glass.density = 2588;
  glass.lame_lambda = glass.lame_mu = 1.04e8;
  glass.damping_phi = glass.damping_psi = 0;
  SerialBlocks tet(test::single_tet({0, 0, 0}, {h, 0, 0}, {0, h, 0}, {0, 0, h}), {glass});
  const CriticalStep undamped = critical_step(tet.spans(), tet.materials);
  EXPECT_EQ(undamped.slot, 0);
  EXPECT_NEAR(undamped.step_s, h / (std::sqrt(6.0) * material::pressure_wave_speed(glass)), 1e-18);
  EXPECT_NEAR(undamped.step_s, 1.18e-5, 0.01e-5);
  tet.materials[0].damping_psi = 6760;
  EXPECT_NEAR(critical_step(tet.spans(), tet.materials).step_s, 1.57e-6, 0.01e-6);
}

TEST(CriticalStep, NeverExceedsTheTrueLimit) {
  SerialBlocks cube(test::kuhn_box(1, 1, 1, 1, 1, 1), {test::unit_material(0.3)});
  const double bound = critical_step(cube.spans(), cube.materials).step_s;
  EXPECT_LT(bound, kCubeCriticalStep);
  EXPECT_GT(bound, 0.5 * kCubeCriticalStep);
}

TEST(CriticalStep, NamesTheSmallestElementAndAgreesWithTheScalarFormulas) {
  std::mt19937 generator(32);
  mesh::TetMesh mesh = test::jittered_box(3, 3, 3, generator);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.region.push_back(static_cast<int>(e % 2));
  SerialBlocks body(mesh, {test::soft_viscous(), test::unit_material(0.3)});
  for (auto& block : body.blocks)
    for (int l = 0; l < 8; ++l) block.damping_scale[l] = 0.3 + 0.1 * l;
  CriticalStep expected;
  for (int e = 0; e < body.num_elements; ++e) {
    elements::Matrix gradient;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) gradient.at[j][k] = body.blocks[e / 8].gradient[j][k][e % 8];
    const material::Material& law = body.materials[e % 2];
    const double frequency = elements::frequency_bound(gradient, 2 * material::pressure_wave_speed(law));
    const double step =
        elements::stable_step(frequency, body.blocks[e / 8].damping_scale[e % 8] * material::damping_time(law));
    if (step < expected.step_s) expected = {step, e};
  }
  const CriticalStep found = critical_step(body.spans(), body.materials);
  EXPECT_EQ(found.slot, expected.slot);
  EXPECT_EQ(found.step_s, expected.step_s);  // the same text

  const CriticalStep at_rest = critical_step(body.spans(), body.materials, body.nodes);
  EXPECT_EQ(at_rest.slot, found.slot);
  EXPECT_NEAR(at_rest.step_s, found.step_s, 1e-14);
  test::deform(body, 1.1 * Mat3::Identity());
  const double strain = std::sqrt(3.0) * 0.21;
  EXPECT_NEAR(critical_step(body.spans(), body.materials, body.nodes).step_s, found.step_s / (1 + 1.5 * strain), 1e-14);

  std::vector<float> strains(8 * body.blocks.size(), -1);
  (void)critical_step(body.spans(), body.materials, body.nodes, strains);
  for (int e = 0; e < body.num_elements; ++e) EXPECT_NEAR(strains[e], strain, 1e-6);
}

TEST(CriticalStep, IsInfiniteWithoutElements) {
  const CriticalStep none = critical_step({}, {});
  EXPECT_TRUE(std::isinf(none.step_s));
  EXPECT_EQ(none.slot, -1);
}

// Damped single modes at their limit: z² + 4ζz = 4 (VALIDATION A9, last row).
TEST(CriticalStep, DampedLimitIsTheReference) {
  const double kLimits[][2] = {{0.01, 1.980}, {0.1, 1.810}, {0.5, 1.236}, {1, 0.828}, {2, 0.472}};
  for (const auto& [zeta, limit] : kLimits) EXPECT_NEAR(elements::stable_step(1, 2 * zeta), limit, 5e-4);
}

// VALIDATION A8 with damping: the damped bound keeps a strongly damped body stable.
TEST(CriticalStep, StronglyDampedBodyStaysBoundedAtTheBound) {
  material::Material law = test::unit_material(0.3);
  law.damping_phi = 3 * law.lame_lambda;
  law.damping_psi = 3 * law.lame_mu;
  SerialBlocks body(test::kuhn_box(2, 2, 2, 1, 1, 1), {law});
  std::mt19937 generator(33);
  test::shake(body, generator, 1e-6, 1e-6);
  const double dt = critical_step(body.spans(), body.materials).step_s;
  const double start = body.kinetic_energy();
  for (int i = 0; i < 500; ++i) body.symplectic_euler_step(dt);
  EXPECT_LT(body.kinetic_energy(), start);
}

// VALIDATION A11: energy (with a quarter of the paper's η) and momentum over many periods.
TEST(SerialLoop, KeepsEnergyAndMomentum) {
  SerialBlocks body(test::kuhn_box(2, 2, 2, 1, 1, 1), {test::unit_material(0.25)});
  test::deform(body, Vec3(1.001, 0.9995, 1).asDiagonal());
  const double start = body.elastic_energy();
  const double dt = 0.5 * critical_step(body.spans(), body.materials).step_s;
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    // Velocities live between positions: with v(t−dt/2)·v(t+dt/2) for v² the energy of a linear body is exact.
    const SerialBlocks before = body;
    const double elastic = body.elastic_energy();
    body.symplectic_euler_step(dt);
    double kinetic = 0;
    for (std::size_t n = 0; n < body.num_nodes(); ++n)
      kinetic += 0.5 * body.mass[n + 1] * before.velocity(n).dot(body.velocity(n));
    worst = std::max(worst, std::abs(elastic + kinetic - start) / start);
  }
  EXPECT_LT(worst, 1e-3);
  Vec3 momentum = Vec3::Zero();
  for (std::size_t i = 0; i < body.num_nodes(); ++i) momentum += body.mass[i + 1] * body.velocity(i);
  EXPECT_LT(momentum.norm(), 1e-13);
}

// VALIDATION A10: with φ/λ = ψ/μ = η every mode decays at ηω²/2.
TEST(SerialLoop, DampedModeDecaysAtTheReferenceRate) {
  const double eta = 0.02;
  material::Material law = test::unit_material(0.0);
  law.damping_psi = eta * law.lame_mu;
  // One unit tet, ν = 0: in the mode of eigenvalue 16 corner a moves against b, c, d along the diagonal.
  SerialBlocks body(test::single_tet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), {law});
  const double small = 1e-6;
  for (int j = 0; j < 4; ++j)
    body.place(j, body.position(j) + (j == 0 ? -0.75 : 0.25) * small * Vec3(1, 1, 1), Vec3::Zero());
  auto stretch = [&] { return (body.position(1) - body.position(0))[0] - 1; };
  const double dt = 2e-4;
  double last_peak = 0, before = stretch(), now = before;
  int peak_step = 0;
  for (int i = 1; i <= 40000; ++i) {
    body.symplectic_euler_step(dt);
    const double next = stretch();
    if (now > before && now > next && now > 0.01 * small) last_peak = now, peak_step = i - 1;
    before = now;
    now = next;
  }
  const double rate = -std::log(last_peak / small) / (peak_step * dt);
  EXPECT_GT(peak_step, 10000);
  EXPECT_NEAR(rate, eta * 16 / 2, 0.01 * eta * 16 / 2);
}

// Of chosen elements alone, with the strains of the whole pass.
TEST(CriticalStep, ChosenElementsHaveTheStepsAndStrainsOfAll) {
  std::mt19937 generator(5);
  SerialBlocks body(test::jittered_box(3, 3, 2, generator), {test::soft_viscous()});
  test::shake(body, generator, 0.05, 0);
  std::vector<float> all(body.material_of.size()), some(body.material_of.size(), -1);
  const CriticalStep whole = critical_step(body.spans(), body.materials, body.nodes, all);
  std::vector<std::int32_t> chosen;
  for (int e = 0; e < body.num_elements; ++e)
    if (e % 3 == whole.slot % 3) chosen.push_back(e);
  const CriticalStep found = critical_step_of(body.spans(), body.materials, body.nodes, chosen, some);
  EXPECT_EQ(found.step_s, whole.step_s);
  EXPECT_EQ(found.slot, whole.slot);
  EXPECT_GT(found.max_strain, 0);
  for (int e = 0; e < body.num_elements; ++e) EXPECT_EQ(some[e], e % 3 == whole.slot % 3 ? all[e] : -1) << e;
}

}  // namespace
}  // namespace brisance::dynamics
