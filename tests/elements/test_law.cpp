// The formulas in readable form: forces are derivatives of the energy, with the factors of VALIDATION 0.1.
#include "brisance/core/types.hpp"
#include "brisance/elements/law.hpp"

#include <random>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace brisance::elements {
namespace {

constexpr Law kLaw{.lambda = 1.3, .two_mu = 1.4, .phi = 0.2, .two_psi = 0.3, .yield = 0.01, .limit = 0.1, .resists = 0};
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
  const Symmetric little{{0.001, 0, 0, 0, 0, 0}};
  const PlasticStep again = plastic_step(little, Symmetric{}, kLaw);
  EXPECT_FALSE(again.flows);
  EXPECT_EQ(again.work, 0);
}

/// E = 1, ν = 0.3, as in VALIDATION I5.
constexpr Law kI5{
    .lambda = 0.3 / 0.52, .two_mu = 1 / 1.3, .phi = 0, .two_psi = 0, .yield = 0, .limit = 0, .resists = 1};

Mat3 piola(const Matrix& f, const Law& law) {
  const NeoHookeanStress s = neo_hookean_stress(f, green_strain(f), law, 1);
  Mat3 p;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) p(i, k) = -s.piola.at[i][k];
  return p;
}

Real energy(const Matrix& f, const Law& law) { return neo_hookean_energy(f, green_strain(f), law, 1); }

/// ∂P/∂F, by central differences: rows and columns are components of F, row by row.
Eigen::Matrix<double, 9, 9> tangent(const Matrix& f, const Law& law) {
  constexpr double kStep = 1e-6;
  Eigen::Matrix<double, 9, 9> h;
  for (int c = 0; c < 9; ++c) {
    Matrix there = f, back = f;
    there.at[c / 3][c % 3] += kStep;
    back.at[c / 3][c % 3] -= kStep;
    const Mat3 change = (piola(there, law) - piola(back, law)) / (2 * kStep);
    for (int r = 0; r < 9; ++r) h(r, c) = change(r / 3, r % 3);
  }
  return h;
}

TEST(NeoHookean, I5StressAndEnergyOfAStretch) {
  const double table[][4] = {
      {1.5, .6868131868, .5112942613, .1706580217},  {.8, -.2665539589, -.0793462947, .0267463281},
      {.5, -.6558185404, -.0616370809, .1654203499}, {.2, -1.0337381916, .1236167341, .4190863707},
      {0, -1.2820512821, .3418803419, .6506877109},  {-.5, -1.9082840237, 1.2204142012, 1.4474716320}};
  for (const auto& [stretch, p11, p22, w] : table) {
    const Matrix f{{{stretch, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    EXPECT_NEAR(piola(f, kI5)(0, 0), p11, 1e-10) << stretch;
    EXPECT_NEAR(piola(f, kI5)(1, 1), p22, 1e-10) << stretch;
    EXPECT_NEAR(energy(f, kI5), w, 1e-10) << stretch;
  }
  const Mat3 sheared = piola({{{1, .5, 0}, {0, 1, 0}, {0, 0, 1}}}, kI5);
  EXPECT_NEAR(sheared(0, 0), .00754148, 1e-8);
  EXPECT_NEAR(sheared(0, 1), .19607843, 1e-8);
  EXPECT_NEAR(sheared(1, 0), .19230769, 1e-8);
}

TEST(NeoHookean, I5IsHookesLawAtRest) {
  const Matrix rest{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  EXPECT_LT(piola(rest, kI5).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(neo_hookean_stiffening(rest, green_strain(rest), kI5), 0);
  const auto h = tangent(rest, kI5);
  for (int r = 0; r < 9; ++r)
    for (int c = 0; c < 9; ++c) {
      const bool diagonal = r == c, transposed = r / 3 == c % 3 && r % 3 == c / 3;
      const double hooke = kI5.lambda * (r / 3 == r % 3 && c / 3 == c % 3) + kI5.two_mu / 2 * (diagonal + transposed);
      EXPECT_NEAR(h(r, c), hooke, 1e-9) << r << ' ' << c;
    }
}

TEST(NeoHookean, StressIsTheGradientOfTheEnergyAndHasThePapersForm) {
  std::mt19937 generator(8);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 100; ++i) {
    Matrix f;
    Mat3 full;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) full(a, b) = f.at[a][b] = normal(generator);
    const Mat3 p = piola(f, kI5);
    for (int c = 0; c < 9; ++c) {
      Matrix there = f, back = f;
      there.at[c / 3][c % 3] += 1e-5;
      back.at[c / 3][c % 3] -= 1e-5;
      EXPECT_NEAR(p(c / 3, c % 3), (energy(there, kI5) - energy(back, kI5)) / 2e-5, 1e-7 * (1 + p.norm()));
    }
    const NeoHookeanStress s = neo_hookean_stress(f, green_strain(f), kI5, 1);
    Mat3 sigma;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) sigma(a, b) = s.stress.at[kSymmetric[a][b]];
    if (determinant(f) > 0.01)
      EXPECT_LT((0.5 * full * sigma - p).norm(), 1e-12 * (1 + sigma.norm() * full.norm()));
    else
      EXPECT_EQ(sigma.norm(), 0);  // crushed or inverted
  }
}

// For any deformation, shape and masses (G), no tangent is stiffer than neo_hookean_stiffening.
TEST(NeoHookean, StiffeningBoundsTheTangent) {
  std::mt19937 generator(9);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  double closest = 0;
  for (int i = 0; i < 4000; ++i) {
    const double poisson = 0.49 * uniform(generator);
    const Law law{.lambda = poisson / ((1 + poisson) * (1 - 2 * poisson)),
                  .two_mu = 1 / (1 + poisson),
                  .phi = 0,
                  .two_psi = 0,
                  .yield = 0,
                  .limit = 0,
                  .resists = 1};
    const double size = i % 3 == 0 ? 0.05 : i % 3 == 1 ? 0.5 : 2;
    Matrix f;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) f.at[a][b] = (a == b ? 1 : 0) + size * normal(generator);
    Matrix gradient;
    for (auto& row : gradient.at)
      for (double& x : row) x = normal(generator);
    const double weight[4] = {uniform(generator), uniform(generator), uniform(generator), uniform(generator)};
    Eigen::Matrix<double, 9, 12> differential;  // of F, by mass-weighted displacements of the corners
    differential.setZero();
    for (int corner = 0; corner < 4; ++corner)
      for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 3; ++k)
          differential(3 * axis + k, 3 * corner + axis) =
              std::sqrt(weight[corner]) *
              (corner > 0 ? gradient.at[corner - 1][k] : -(gradient.at[0][k] + gradient.at[1][k] + gradient.at[2][k]));
    const Eigen::Matrix<double, 12, 12> stiffness = differential.transpose() * tangent(f, law) * differential;
    const double largest =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>>(stiffness, Eigen::EigenvaluesOnly)
            .eigenvalues()[11];
    const double s = strain_factor(neo_hookean_stiffening(f, green_strain(f), law));
    const double bound = s * s * law_eigenvalue_bound(weighted_gradients(gradient, weight), law.lambda, law.two_mu);
    EXPECT_LT(largest, bound * (1 + 1e-6)) << i;
    closest = std::max(closest, largest / bound);
  }
  EXPECT_GT(closest, 0.9);  // the bound is close
}

}  // namespace
}  // namespace brisance::elements
