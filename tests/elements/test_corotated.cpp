// Rotations of elements, and the stress without them.
#include "brisance/elements/corotated.hpp"

#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace brisance::elements {
namespace {

Mat3 random_matrix(std::mt19937& generator, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Mat3 m;
  for (double& x : m.reshaped()) x = uniform(generator);
  return m;
}

Mat3 turn(double degrees, const Vec3& axis) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()).toRotationMatrix();
}

TEST(Rotation, IsThatOfAStretchedAndTurnedShape) {
  std::mt19937 generator(3);
  for (int i = 0; i < 1000; ++i) {
    const Mat3 a = random_matrix(generator, 0.3);
    const Mat3 stretch = Mat3::Identity() + 0.5 * (a + a.transpose());
    const Mat3 r = turn(0.36 * i, random_matrix(generator, 1).col(0));
    EXPECT_LT((rotation_of(r * stretch) - r).norm(), 2e-13) << i;
  }
}

// For any F: a rotation, and RᵀF symmetric.
TEST(Rotation, IsARotationForCrushedFlatAndMirroredShapes) {
  std::mt19937 generator(4);
  for (int i = 0; i < 2000; ++i) {
    Mat3 f = random_matrix(generator, 1);
    if (i % 4 == 1) f.col(2) = f.col(0) + 1e-9 * f.col(1);
    if (i % 4 == 2) f *= 1e-8;
    if (i % 4 == 3) f.col(2).setZero();
    const Mat3 r = rotation_of(f), s = r.transpose() * f;
    EXPECT_LT((r.transpose() * r - Mat3::Identity()).norm(), 1e-13) << i;
    EXPECT_NEAR(r.determinant(), 1, 1e-13) << i;
    EXPECT_LT((s - s.transpose()).norm(), 1e-12 * f.norm()) << i;
  }
  EXPECT_EQ(rotation_of(Mat3::Constant(std::numeric_limits<double>::quiet_NaN())), Mat3(Mat3::Identity()));
}

// VALIDATION A12 (f), 0.14: a turn by 10° about z, ν = 0.25, E = 1.
TEST(LinearStrain, A12StressOfATurnedBody) {
  const double lambda = 0.4, mu = 0.4;
  const Mat3 f = turn(10, Vec3::UnitZ());
  const Mat3 stress = hooke_stress(small_strain(Mat3::Identity(), f), lambda, mu);
  EXPECT_NEAR(stress(0, 0), -0.0243076, 5e-8);
  EXPECT_NEAR(stress(1, 1), -0.0243076, 5e-8);
  EXPECT_NEAR(stress(2, 2), -0.0121538, 5e-8);
  EXPECT_LT(hooke_stress(small_strain(rotation_of(f), f), lambda, mu).norm(), 1e-15);
}

// VALIDATION A12 (e), 0.14: cos θ − 1 for the linear strain, nothing for the corotational one.
TEST(LinearStrain, A12FalseStrainOfATurn) {
  for (const double degrees : {10.0, 30.0, 90.0}) {
    const Mat3 f = turn(degrees, Vec3(0, 0, 1));
    EXPECT_NEAR(small_strain(Mat3::Identity(), f)(0, 0), std::cos(degrees * std::numbers::pi / 180) - 1, 1e-15);
    EXPECT_LT(small_strain(rotation_of(f), f).norm(), 1e-15);
  }
  EXPECT_NEAR(small_strain(Mat3::Identity(), turn(10, Vec3::UnitZ()))(0, 0), -0.0152, 5e-5);
  EXPECT_NEAR(small_strain(Mat3::Identity(), turn(30, Vec3::UnitZ()))(0, 0), -0.134, 5e-4);
}

/// Some positive definite C without any symmetry.
Stiffness some_stiffness(std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  Stiffness c{};
  for (double& entry : c.at) entry = uniform(generator);
  for (int k = 0; k < 6; ++k) c.at[kStiffness[k][k]] += 2;
  return c;
}

Stiffness hookes(double lambda, double mu) {
  Stiffness c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.at[kStiffness[i][j]] = lambda;
  for (int k = 0; k < 6; ++k) c.at[kStiffness[k][k]] += k < 3 ? 2 * mu : mu;
  return c;
}

TEST(AnisotropicElement, WithHookesConstantsIsHookes) {
  std::mt19937 generator(6);
  const Mat3 a = random_matrix(generator, 1), strain = 0.5 * (a + a.transpose());
  EXPECT_LT((anisotropic_stress(strain, hookes(1.3, 0.7)) - hooke_stress(strain, 1.3, 0.7)).norm(), 1e-15);
  const Simplex<3> tet = tetrahedron({Vec3(0, 0, 0.1), Vec3(1, 0.2, 0), Vec3(0.1, 1.1, 0), Vec3(0.3, 0.2, 0.9)});
  const auto expected = elastic_stiffness(tet, 1.3, 0.7);
  EXPECT_LT((anisotropic_stiffness(tet, hookes(1.3, 0.7)) - expected).norm(), 1e-14 * expected.norm());
}

TEST(AnisotropicElement, StiffnessIsTheSecondDerivativeOfTheEnergy) {
  std::mt19937 generator(7);
  const Stiffness c = some_stiffness(generator);
  const Simplex<3> tet = tetrahedron({Vec3(0, 0, 0.1), Vec3(1, 0.2, 0), Vec3(0.1, 1.1, 0), Vec3(0.3, 0.2, 0.9)});
  const auto k = anisotropic_stiffness(tet, c);
  EXPECT_LT((k - k.transpose()).norm(), 1e-15 * k.norm());
  const Mat3 gradient = random_matrix(generator, 1);
  Eigen::Matrix<double, 12, 1> u;  // of an affine displacement
  const std::array<Vec3, 4> corners{Vec3(0, 0, 0.1), Vec3(1, 0.2, 0), Vec3(0.1, 1.1, 0), Vec3(0.3, 0.2, 0.9)};
  for (int i = 0; i < 4; ++i) u.segment<3>(3 * i) = gradient * corners[static_cast<std::size_t>(i)];
  const Mat3 strain = 0.5 * (gradient + gradient.transpose());
  const double twice_energy = tet.volume * strain.cwiseProduct(anisotropic_stress(strain, c)).sum();
  EXPECT_NEAR(u.dot(k * u), twice_energy, 1e-14 * twice_energy);
}

// P = R (σ − 2Y): the derivative of w(S − I), S from the polar decomposition, without a moment: P Fᵀ is symmetric. σ
// alone has neither property.
TEST(AnisotropicElement, StressAgainstTurnsIsTheGradientOfTheEnergy) {
  std::mt19937 generator(8);
  constexpr double kStep = 1e-6;
  double without = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Stiffness c = some_stiffness(generator);
    const Mat3 f = turn(20.0 * trial, Vec3(1, 2, 3)) * (Mat3::Identity() + random_matrix(generator, 0.2));
    const auto energy = [&](const Mat3& at) {
      const Mat3 strain = small_strain(rotation_of(at), at);
      return 0.5 * strain.cwiseProduct(anisotropic_stress(strain, c)).sum();
    };
    const Mat3 r = rotation_of(f), strain = small_strain(r, f), stress = anisotropic_stress(strain, c);
    const Mat3 piola = r * stress_against_turns(Mat3::Identity() + strain, stress);
    const Mat3 moment = piola * f.transpose();
    EXPECT_LT((moment - moment.transpose()).norm(), 1e-14 * stress.norm());
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        Mat3 there = f, back = f;
        there(i, k) += kStep;
        back(i, k) -= kStep;
        const double slope = (energy(there) - energy(back)) / (2 * kStep);
        EXPECT_NEAR(piola(i, k), slope, 1e-9);
        without = std::max(without, std::abs((r * stress)(i, k) - slope));
      }
  }
  EXPECT_GT(without, 1e-3);
  const Mat3 stretch = Vec3(1.1, 0.9, 1.2).asDiagonal();
  const Mat3 coaxial = hooke_stress(stretch - Mat3::Identity(), 1.3, 0.7);
  EXPECT_EQ(stress_against_turns(stretch, coaxial), coaxial);
}

}  // namespace
}  // namespace brisance::elements
