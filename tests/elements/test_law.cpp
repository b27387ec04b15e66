// The formulas as they are read: forces are derivatives of the energy, and the papers' factors are what VALIDATION 0.1
// says.
#include "brisance/elements/law.hpp"

#include <random>

#include <gtest/gtest.h>

namespace brisance::elements {
namespace {

constexpr Law kLaw{.lambda = 1.3, .two_mu = 1.4, .phi = 0.2, .two_psi = 0.3, .yield = 0.01, .limit = 0.1};
constexpr Real kVolume = 1.0 / 6;
const Matrix kGradient{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // the unit tet's

Real energy_of(const Real (&edge)[3][3]) {
  const Symmetric strain = green_strain(deformation_gradient(edge, kGradient));
  return elastic_energy(elastic_stress(strain, kLaw), strain, kVolume);
}

TEST(Law, ForcesAreMinusTheGradientOfTheEnergyAndAddUpToZero) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  Real edge[3][3];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) edge[j][i] = (i == j ? 1 : 0) + uniform(generator);
  const Matrix f = deformation_gradient(edge, kGradient);
  const FourForces force = forces_of_stress(f, elastic_stress(green_strain(f), kLaw), kGradient, kVolume);
  constexpr double kStep = 1e-6;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      Real there[3][3], back[3][3];
      std::copy(&edge[0][0], &edge[0][0] + 9, &there[0][0]);
      std::copy(&edge[0][0], &edge[0][0] + 9, &back[0][0]);
      there[j][i] += kStep;
      back[j][i] -= kStep;
      EXPECT_NEAR(force.at[j + 1].at[i], -(energy_of(there) - energy_of(back)) / (2 * kStep), 1e-9);
    }
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(force.at[0].at[i] + force.at[1].at[i] + force.at[2].at[i] + force.at[3].at[i], 0, 1e-16);
}

TEST(Law, ATurnedBodyFeelsNothing) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Real edge[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  const Matrix f = deformation_gradient(edge, kGradient);
  EXPECT_NEAR(determinant(f), 1, 1e-15);
  for (const Real component : green_strain(f).at) EXPECT_NEAR(component, 0, 1e-15);
}

TEST(Law, PlasticFlowKeepsTheTraceAndStopsAtTheLimit) {
  const Symmetric strain{{0.3, -0.1, 0.05, 0.2, 0, -0.1}};
  const PlasticStep step = plastic_step(strain, Symmetric{}, kLaw);
  EXPECT_TRUE(step.flows);
  EXPECT_NEAR(trace(step.strain), 0, 1e-16);
  EXPECT_NEAR(root(contraction(step.strain, step.strain)), kLaw.limit, 1e-12);
  EXPECT_GT(step.work, 0);
  const PlasticStep again = plastic_step(Symmetric{{0.001, 0, 0, 0, 0, 0}}, Symmetric{}, kLaw);
  EXPECT_FALSE(again.flows);
  EXPECT_EQ(again.work, 0);
}

}  // namespace
}  // namespace brisance::elements
