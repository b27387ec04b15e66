// Plastic flow in the force pass against the readable law and the closed forms of VALIDATION B.
#include "brisance/dynamics/energies.hpp"
#include "brisance/dynamics/internal_forces.hpp"
#include "brisance/dynamics/law_of.hpp"
#include "brisance/dynamics/vector_units.hpp"

#include "bodies.hpp"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace brisance::dynamics {
namespace {

using test::SerialBlocks;

/// γ1 = 0.01, γ2 = 0.04, μ = 1, λ = 1.5: the material of VALIDATION B.
material::Material ductile(double yield = 0.01, double limit = 0.04) {
  material::Material m;
  m.density = 1;
  m.lame_lambda = 1.5;
  m.lame_mu = 1;
  m.yield_strain = yield;
  m.plastic_limit = limit;
  return m;
}

/// One unit tet brought to given strains; the kernel does the rest.
struct Point {
  SerialBlocks body;
  explicit Point(const material::Material& law)
      : body(test::single_tet({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), {law}, true) {}

  /// F is the symmetric root of I + ε, so that the strain is ε exactly (to round-off).
  void strain(const SymMat3& strain) {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(Mat3::Identity() + full_matrix(strain));
    const Mat3 f = solver.operatorSqrt();
    for (int j = 1; j < 4; ++j)  // within a second
      body.place(j, f.col(j - 1), f.col(j - 1) - body.position(static_cast<std::size_t>(j)));
    body.update_forces({.since_flow_s = 1});
  }
  [[nodiscard]] SymMat3 plastic() const {
    SymMat3 p;
    for (int k = 0; k < 6; ++k) p[k] = body.plastic[0].strain[k][0];
    return p;
  }
  [[nodiscard]] double dissipated() const { return body.plastic[0].dissipated[0]; }
  /// Physical stress: half of σ.
  [[nodiscard]] SymMat3 stress() { return 0.5 * SymMat3(body.states()[0].stress); }
};

SymMat3 shear(double xy, double zx = 0) {
  SymMat3 s = SymMat3::Zero();
  s[3] = xy;
  s[5] = zx;
  return s;
}

// VALIDATION B1 and B4
TEST(PlasticFlow, SimpleShearYieldsPlateausAndStiffensAgain) {
  Point point(ductile());
  const double root2 = std::sqrt(2.0), step = 1e-5;
  double first_yield = 0, plateau_end = 0;
  for (int i = 1; i <= 6000; ++i) {
    const double g = i * step;
    point.strain(shear(g));
    const double flowed = point.plastic()[3];
    if (first_yield == 0 && flowed > 0) first_yield = g;
    if (plateau_end == 0 && flowed >= 0.04 / root2 - 1e-12) plateau_end = g;
    if (i == 2000) {
      EXPECT_NEAR(point.stress()[3], 0.00707107, 1e-8);
    }
  }
  EXPECT_NEAR(first_yield, 0.00707107, 1.01 * step);
  EXPECT_NEAR(plateau_end, 0.0353553, 1.01 * step);
  EXPECT_NEAR(point.stress()[3], 0.0317157, 1e-7);
  EXPECT_NEAR(point.dissipated(), 2.0e-4, 1e-4 * 2.0e-4);  // D = ½ μ γ1 γ2
}

TEST(PlasticFlow, UnloadingLeavesTheResidualStrain) {
  Point point(ductile());
  for (int i = 1; i <= 200; ++i) point.strain(shear(i * 1e-4));
  EXPECT_NEAR(point.plastic()[3], 0.02 - 0.01 / std::sqrt(2.0), 1e-15);
  const SymMat3 kept = point.plastic();
  point.strain(kept);
  EXPECT_LT(point.stress().norm(), 1e-14);
  EXPECT_EQ(point.plastic(), kept);
}

elements::Symmetric as_symmetric(const double* t) { return {{t[0], t[1], t[2], t[3], t[4], t[5]}}; }

/// Axial strain e with the lateral strain that leaves no lateral stress, plastic flow included (bisection on the law).
SymMat3 uniaxial_strain(const material::Material& m, double e, const SymMat3& plastic) {
  double low = -2 * std::abs(e) - 0.1, high = -low;
  SymMat3 strain = SymMat3::Zero();
  for (int i = 0; i < 80; ++i) {
    const double lateral = 0.5 * (low + high);
    strain << lateral, lateral, e, 0, 0, 0;
    const elements::Symmetric now = as_symmetric(strain.data());
    const elements::Symmetric flowed = elements::plastic_step(now, as_symmetric(plastic.data()), law_of(m)).strain;
    const double lateral_stress = elements::elastic_stress(elements::difference(now, flowed), law_of(m)).at[0];
    (lateral_stress > 0 ? high : low) = lateral;
  }
  return strain;
}

// VALIDATION B2 and B4
TEST(PlasticFlow, UniaxialStressYieldsPlateausAndStiffensAgain) {
  const material::Material law = ductile();
  Point point(law);
  const double step = 2e-5;
  double first_yield = 0, plateau_end = 0;
  for (int i = 1; i <= 4000; ++i) {
    const double e = i * step;
    point.strain(uniaxial_strain(law, e, point.plastic()));
    if (first_yield == 0 && point.plastic()[2] > 0) first_yield = e;
    if (plateau_end == 0 && point.plastic()[2] >= 0.04 * std::sqrt(2.0 / 3) - 1e-12) plateau_end = e;
    if (i == 1000) {
      EXPECT_NEAR(point.stress()[2], 0.0122474, 1e-7);
    }
  }
  EXPECT_NEAR(first_yield, 0.00942111, 1.01 * step);
  EXPECT_NEAR(plateau_end, 0.0420810, 1.01 * step);
  const double e_modulus = material::youngs_modulus(law);
  EXPECT_NEAR(point.stress()[2], 0.0122474 + e_modulus / 2 * (0.08 - 0.0420810), 1e-6);
  EXPECT_NEAR(point.dissipated(), 2.0e-4, 1e-3 * 2.0e-4);
}

// VALIDATION B5
TEST(PlasticFlow, KeepsTheTraceAndTheLimitThroughThousandsOfRandomSteps) {
  std::mt19937 generator(21);
  Point point(ductile(0.01, 0.1));
  for (int i = 0; i < 5000; ++i) {
    point.strain(
        0.2 * symmetric_part(Mat3(test::random_vector(generator, 1) * test::random_vector(generator, 1).transpose())));
    const SymMat3 p = point.plastic();
    EXPECT_NEAR(p[0] + p[1] + p[2], 0, 1e-15);
    EXPECT_LE(full_matrix(p).norm(), 0.1 * (1 + 1e-12));
  }
}

TEST(PlasticFlow, StressFreeVolumeIsTheClosedForm) {
  for (const double limit : {0.006, 0.162, 0.486}) {
    Point point(ductile(1e-4, limit));
    point.strain(shear(0.9));
    const double volume = std::sqrt((Mat3::Identity() + full_matrix(point.plastic())).determinant());
    EXPECT_NEAR(volume, std::sqrt(1 - limit * limit / 2), 1e-12);
  }
}

// VALIDATION B6
TEST(PlasticFlow, NonProportionalPathIsATractrix) {
  const double yield = 0.01, root2 = std::sqrt(2.0);
  auto error = [&](int steps) {
    Point point(ductile(yield, 1.2));
    for (int i = 0; i <= steps; ++i) point.strain(shear(yield / root2, yield / root2 * i / steps));
    const SymMat3 p = point.plastic() * root2 / yield;
    EXPECT_NEAR(p[3], 1 - 1 / std::cosh(1.0), 0.2 / steps);
    EXPECT_NEAR(p[5], 1 - std::tanh(1.0), 0.2 / steps);
    return std::abs(p[3] - (1 - 1 / std::cosh(1.0)));
  };
  EXPECT_NEAR(error(100), 0.00106, 2e-5);
  EXPECT_NEAR(error(100) / error(200), 2, 0.1);  // first order in the step
}

// VALIDATION B7
TEST(PlasticFlow, NoYieldAndNoLimitIsBrittleAndNoYieldAloneIsFluidUpToTheLimit) {
  Point brittle(ductile(0, 0)), fluid(ductile(0, 0.04));
  for (int i = 0; i <= 100; ++i) {
    brittle.strain(shear(1e-4 * i));
    fluid.strain(shear(1e-4 * i));
    EXPECT_EQ(brittle.plastic(), SymMat3::Zero());
    EXPECT_NEAR(brittle.stress()[3], 1e-4 * i, 1e-15);
    EXPECT_NEAR(fluid.stress()[3], 0, 1e-15);
  }
  EXPECT_EQ(brittle.dissipated(), 0);
}

// VALIDATION B8
TEST(PlasticFlow, RigidRotationOfAFlowedBodyChangesNothing) {
  std::mt19937 generator(22);
  SerialBlocks body(test::jittered_box(2, 2, 2, generator), {ductile()}, true);
  test::shake(body, generator, 0.05, 0);
  body.update_forces();
  body.update_forces();  // flows away the round-off of the first return
  const auto flowed = body.plastic;
  const Mat3 turn = Eigen::AngleAxisd(2.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (std::size_t i = 0; i < body.num_nodes(); ++i) body.place(i, turn * body.position(i), Vec3::Zero());
  body.update_forces();
  for (std::size_t b = 0; b < flowed.size(); ++b)
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < 8; ++l) EXPECT_NEAR(body.plastic[b].strain[k][l], flowed[b].strain[k][l], 2e-15);
}

/// Stress and flow from a strain, by the formulas in readable form.
struct ReadablePoint {
  elements::Symmetric plastic{};
  double work = 0;

  void flow(const elements::Symmetric& strain, const elements::Law& law) {
    const elements::PlasticStep step = elements::plastic_step(strain, plastic, law);
    plastic = step.strain;
    if (step.flows) work += step.work;
  }
};

TEST(PlasticFlow, HasTheBitsOfTheReadableLawInAMixedBodyOnAllVectorUnits) {
  const std::vector<material::Material> laws{ductile(0.01, 0.04), ductile(0, 0), ductile(0.03, 1.0), ductile(0, 0.2)};
  for (const std::string& units : available_vector_units()) {
    SCOPED_TRACE(units);
    use_vector_units(units);
    std::mt19937 generator(23);
    mesh::TetMesh mesh = test::jittered_box(3, 3, 2, generator);
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.region.push_back(static_cast<int>(e * 7 % 4));
    SerialBlocks body(mesh, laws, true);
    std::vector<ReadablePoint> points(mesh.tets.size());
    for (int step = 0; step < 5; ++step) {
      test::shake(body, generator, 0.03, 0);
      body.update_forces();
      const auto states = body.states();
      for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        const elements::Law law = law_of(laws[mesh.region[e]]);
        const elements::Symmetric strain = as_symmetric(states[e].strain);
        ReadablePoint& point = points[e];
        point.flow(strain, law);
        for (int k = 0; k < 6; ++k) EXPECT_EQ(body.plastic[e / 8].strain[k][e % 8], point.plastic.at[k]);
        EXPECT_EQ(body.plastic[e / 8].dissipated[e % 8], point.work);
        const auto stress = elements::without_plastic_part(elements::elastic_stress(strain, law), point.plastic, law);
        for (int k = 0; k < 6; ++k) EXPECT_EQ(states[e].stress[k], stress.at[k]);
        EXPECT_EQ(states[e].elastic_energy,
                  elements::elastic_energy(stress, elements::difference(strain, point.plastic),
                                           body.blocks[e / 8].volume[e % 8]));
      }
    }
  }
  use_vector_units(available_vector_units().front());
}

// VALIDATION I2: a force is a function of the state; only an explicit call of the flow changes it.
TEST(PlasticFlow, ForcesAskedForTwiceAreTheSameAndChangeNothingAtThePlasticLimit) {
  std::mt19937 generator(24);
  SerialBlocks body(test::jittered_box(3, 3, 3, generator), {ductile(0.01, 0.04)}, true);
  test::shake(body, generator, 0.2, 0.1);
  body.update_forces();
  const auto saturated = body.plastic;
  for (int i = 0; i < 3; ++i) {
    core::AlignedVector<dist::NodeForce> again(body.forces.size());
    internal_forces(body.spans(), body.materials, body.nodes, again, {});
    EXPECT_EQ(std::memcmp(again.data(), body.forces.data(), again.size() * sizeof(again[0])), 0);
    EXPECT_EQ(std::memcmp(saturated.data(), body.plastic.data(), saturated.size() * sizeof(saturated[0])), 0);
  }
}

// VALIDATION B4 for steps that are not small beside the yield strain: flow that begins within one, ends within one at
// the limit, and reverses. The work is second order: half the step, a quarter of the error.
TEST(PlasticFlow, WorkIsOfSecondOrderInTheStep) {
  const auto work_error = [](int steps) {
    Point point(ductile(0.01, 0.04));
    for (int i = 1; i <= steps; ++i) point.strain(shear(0.1 * i / steps));
    return std::abs(point.dissipated() - 0.5 * 1 * 0.01 * 0.04);
  };
  // The place in a step at which flow begins and ends matters, too: steps that divide neither, and their halves.
  double coarse = 0, fine = 0;
  for (const int steps : {13, 17, 19, 23}) {
    coarse = std::max(coarse, work_error(steps));
    fine = std::max(fine, work_error(2 * steps));
  }
  EXPECT_LT(coarse, 0.05 * 2.0e-4);
  EXPECT_LT(fine, 0.5 * coarse);
}

// VALIDATION B4: the loss of a ductile body is the plastic work (no damping, small steps).
TEST(PlasticFlow, EnergyLedgerClosesWithThePlasticWork) {
  SerialBlocks body(test::kuhn_box(3, 3, 3, 1, 1, 1), {ductile(0.01, 0.3)}, true);
  for (std::size_t i = 0; i < body.num_nodes(); ++i) {
    const Vec3 x = body.position(i);
    body.place(i, x, Vec3(0.2 * std::sin(3 * x.y()), 0.1 * x.z(), -0.1 * x.x() * x.x()));
  }
  std::vector<std::int32_t> slots(body.num_elements);
  for (int e = 0; e < body.num_elements; ++e) slots[e] = e;
  const double start = body.kinetic_energy();
  for (int i = 0; i < 4000; ++i) body.symplectic_euler_step(5e-4);
  const ElementEnergies energies = element_energies(body.spans(), body.materials, body.nodes, slots);
  EXPECT_NEAR(energies.elastic.value(), body.elastic_energy(), 1e-15);
  EXPECT_GT(energies.plastic_work.value(), 0.1 * start);
  EXPECT_NEAR(body.kinetic_energy() + energies.elastic.value() + energies.plastic_work.value(), start, 2e-3 * start);
}

}  // namespace
}  // namespace brisance::dynamics
