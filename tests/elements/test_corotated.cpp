// Rotations of elements, and the stress that remains once they are taken off.
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

// Of any F whatever: a rotation, and RᵀF symmetric.
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

}  // namespace
}  // namespace brisance::elements
