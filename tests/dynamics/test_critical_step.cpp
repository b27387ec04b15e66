// The step bound (VALIDATION A8), and the motion on both sides of the true limit (A8–A10).
#include "brisance/dynamics/critical_step.hpp"
#include "brisance/dynamics/law_of.hpp"

#include "bodies.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

using test::SerialBlocks;

constexpr double kCubeCriticalStep = 0.5415850943;  // VALIDATION A4: unit Kuhn cube, ν = 0.3, E = ρ = 1

/// Largest displacement of a cube after `steps` of `dt`, slightly disturbed at first.
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

// Legs h: G = Σ ∇b ∇bᵀ has the eigenvalues 4, 1, 1 over h², and with the tet's own masses k = 4/ρ (2μ 4 + λ 6)/h². The
// bound by c_p² and the trace alone, h/(√6 c_p), and that of the table of VALIDATION A8 are shorter.
TEST(CriticalStep, BoundOfTheReferenceTetIsTheClosedForm) {
  const double h = 0.01;
  material::Material glass = test::soft_viscous();
  glass.density = 2588;
  glass.lame_lambda = glass.lame_mu = 1.04e8;
  glass.damping_phi = glass.damping_psi = 0;
  SerialBlocks tet(test::single_tet({0, 0, 0}, {h, 0, 0}, {0, h, 0}, {0, 0, h}), {glass});
  const CriticalStep undamped = tet.step_bound().shortest;
  EXPECT_EQ(undamped.slot, 0);
  const double k = 4 / glass.density * (8 * glass.lame_mu + 6 * glass.lame_lambda) / (h * h);
  EXPECT_NEAR(undamped.step_s, 2 / std::sqrt(k), 1e-12 * undamped.step_s);
  EXPECT_GT(undamped.step_s, 1.18e-5);
  tet.materials[0].damping_psi = 6760;
  const double c = 4 / glass.density * 8 * 6760 / (h * h);
  EXPECT_NEAR(tet.critical_step_s(), 2 / (std::sqrt(k + c * c / 4) + c / 2), 1e-18);
  EXPECT_GT(tet.critical_step_s(), 1.57e-6);
}

TEST(CriticalStep, NeverExceedsTheTrueLimit) {
  SerialBlocks cube(test::kuhn_box(1, 1, 1, 1, 1, 1), {test::unit_material(0.3)});
  const double bound = cube.critical_step_s();
  EXPECT_LT(bound, kCubeCriticalStep);
  EXPECT_GT(bound, 0.7 * kCubeCriticalStep);
}

/// Largest eigenvalue of M⁻¹(dt² K/4 + dt C/2) at rest, K and C by differences of the forces: 1 at the true limit.
double share_of_limit(const SerialBlocks& rest, double dt) {
  constexpr double kSmall = 1e-7;
  const auto size = static_cast<Eigen::Index>(3 * rest.num_nodes());
  Eigen::MatrixXd scaled(size, size);
  Eigen::VectorXd root_mass(size);
  for (Eigen::Index i = 0; i < size; ++i) root_mass[i] = std::sqrt(rest.mass[i / 3 + 1]);
  for (Eigen::Index j = 0; j < size; ++j) {
    const std::size_t n = j / 3;
    const auto forces = [&](double sign) {
      SerialBlocks moved = rest;
      const Vec3 direction = sign * kSmall * Vec3::Unit(j % 3);
      moved.place(n, rest.position(n) + direction * dt * dt / 4, direction * dt / 2);
      moved.update_forces();
      return moved;
    };
    const SerialBlocks plus = forces(1), minus = forces(-1);
    for (Eigen::Index i = 0; i < size; ++i)
      scaled(i, j) =
          (minus.force(i / 3)[i % 3] - plus.force(i / 3)[i % 3]) / (2 * kSmall) / (root_mass[i] * root_mass[j]);
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (scaled + scaled.transpose()), Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

// Masses are shared among neighbours: for any mesh, materials and damping the bound stays below the true limit, and a
// sliver among well-shaped tets does not lower it much.
TEST(CriticalStep, OfAnyMeshIsBelowItsTrueLimitAndNotFarBelow) {
  std::mt19937 generator(35);
  material::Material damped = test::unit_material(0.3);
  damped.damping_phi = 0.2 * damped.lame_lambda;
  damped.damping_psi = 0.7 * damped.lame_mu;
  material::Material stiff = test::unit_material(0.1);
  stiff.lame_mu *= 10;
  // Masses are shared by stiffness alone: damped elements next to stiffer, undamped ones get too little.
  struct Case {
    std::vector<material::Material> laws;
    double least_share;
  };
  const Case cases[] = {{{test::unit_material(0.3)}, 0.3},
                        {{damped}, 0.3},
                        {{stiff, test::unit_material(0.3)}, 0.3},
                        {{stiff, damped}, 0.05}};
  for (const bool sliver : {false, true})
    for (const auto& [laws, least_share] : cases) {
      mesh::TetMesh mesh = test::jittered_box(2, 2, 2, generator);
      for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.region.push_back(static_cast<int>(e % laws.size()));
      if (sliver) {  // the node in the middle close to a face of its star
        const auto middle = std::find_if(mesh.tets.begin(), mesh.tets.end(),
                                         [](const auto& t) { return std::find(t.begin(), t.end(), 13) != t.end(); });
        Vec3 face = Vec3::Zero();
        for (const auto n : *middle)
          if (n != 13) face += mesh.nodes[n] / 3;
        mesh.nodes[13] += 0.8 * (face - mesh.nodes[13]);
      }
      const SerialBlocks body(mesh, laws);
      const double share = share_of_limit(body, body.critical_step_s());
      EXPECT_LT(share, 1) << sliver << ' ' << laws.size();
      EXPECT_GT(share, least_share) << sliver << ' ' << laws.size();
    }
}

TEST(CriticalStep, NamesTheSmallestElementAndAgreesWithTheScalarFormulas) {
  std::mt19937 generator(32);
  mesh::TetMesh mesh = test::jittered_box(3, 3, 3, generator);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.region.push_back(static_cast<int>(e % 2));
  SerialBlocks body(mesh, {test::soft_viscous(), test::unit_material(0.3)});
  for (auto& block : body.blocks)
    for (int l = 0; l < 8; ++l) block.damping_scale[l] = 0.3 + 0.1 * l;
  test::deform(body, 1.1 * Mat3::Identity());
  const double strain = std::sqrt(3.0) * 0.21;
  const auto found = body.step_bound();
  for (int e = 0; e < body.num_elements; ++e) EXPECT_NEAR(found.strain[e], strain, 1e-6);

  std::vector<elements::Matrix> gradients(body.num_elements);
  std::vector<double> stiffness(body.nodes.size());
  const auto law = [&](int e) { return law_of(body.materials[e % 2]); };
  for (int e = 0; e < body.num_elements; ++e) {
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) gradients[e].at[j][k] = body.blocks[e / 8].gradient[j][k][e % 8];
    const double bound = elements::stiffness_bound(gradients[e], law(e), elements::strain_factor(strain),
                                                   body.blocks[e / 8].volume[e % 8]);
    for (const auto& corner : body.blocks[e / 8].corner) stiffness[corner[e % 8]] += bound;
  }
  CriticalStep expected;
  for (int e = 0; e < body.num_elements; ++e) {
    double added_stiffness[4];
    for (int j = 0; j < 4; ++j) {
      const int n = body.blocks[e / 8].corner[j][e % 8];
      added_stiffness[j] = stiffness[n] / body.mass[n];
      EXPECT_NEAR(found.added_stiffness[n], added_stiffness[j],
                  1e-6 * added_stiffness[j]);  // strains are kept as floats
    }
    const double step = elements::stable_step(gradients[e], law(e), body.blocks[e / 8].damping_scale[e % 8],
                                              elements::strain_factor(found.strain[e]),
                                              elements::strain_factor(found.strain[e]), added_stiffness);
    if (step < expected.step_s) expected = {step, e, 0};
  }
  EXPECT_EQ(found.shortest.slot, expected.slot);
  EXPECT_NEAR(found.shortest.step_s, expected.step_s, 1e-6 * expected.step_s);
  EXPECT_NEAR(found.shortest.max_strain, strain, 1e-6);
}

TEST(CriticalStep, IsInfiniteWithoutElements) {
  const CriticalStep none = critical_step({}, {}, {}, {}, {});
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
  const double dt = body.critical_step_s();
  const double start = body.kinetic_energy();
  for (int i = 0; i < 500; ++i) body.symplectic_euler_step(dt);
  EXPECT_LT(body.kinetic_energy(), start);
}

// VALIDATION A11: energy (with a quarter of the paper's η) and momentum over many periods.
TEST(SerialLoop, KeepsEnergyAndMomentum) {
  SerialBlocks body(test::kuhn_box(2, 2, 2, 1, 1, 1), {test::unit_material(0.25)});
  test::deform(body, Vec3(1.001, 0.9995, 1).asDiagonal());
  const double start = body.elastic_energy();
  const double dt = 0.5 * body.critical_step_s();
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    // Velocities belong to times between positions: with v(t−dt/2)·v(t+dt/2) for v² the energy of a linear body is
    // exact.
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

// For chosen elements alone: strains, added stiffnesses and steps of the whole passes, bit for bit.
TEST(CriticalStep, ChosenElementsHaveTheStepsAndStrainsOfAll) {
  std::mt19937 generator(5);
  SerialBlocks body(test::jittered_box(3, 3, 2, generator), {test::soft_viscous()});
  test::shake(body, generator, 0.05, 0);
  const auto whole = body.step_bound();
  EXPECT_GT(whole.shortest.max_strain, 0);
  // The star of a corner of the element that limits the step.
  const int node = body.blocks[whole.shortest.slot / 8].corner[0][whole.shortest.slot % 8];
  std::vector<std::int32_t> chosen;
  for (int e = 0; e < body.num_elements; ++e)
    for (const auto& corner : body.blocks[e / 8].corner)
      if (corner[e % 8] == node) chosen.push_back(e);
  std::vector<float> strain(body.material_of.size(), -1), stiffening(strain);
  std::vector<double> stiffness(body.nodes.size(), -1), steps(body.material_of.size(), -1);
  strains_and_stiffness_of(body.spans(), body.materials, body.nodes, chosen, {strain, stiffening}, stiffness);
  EXPECT_EQ(stiffness[node] / body.mass[node], whole.added_stiffness[node]);
  for (int e = 0; e < body.num_elements; ++e) {
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), e) != chosen.end();
    EXPECT_EQ(strain[e], is_chosen ? whole.strain[e] : -1) << e;
  }
  const CriticalStep found =
      critical_step_of(body.spans(), body.materials, chosen, {strain, stiffening}, whole.added_stiffness, steps);
  EXPECT_EQ(found.step_s, whole.shortest.step_s);
  EXPECT_EQ(found.slot, whole.shortest.slot);
}

}  // namespace
}  // namespace brisance::dynamics
