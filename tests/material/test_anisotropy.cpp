// Constants that depend on the direction: closed forms of orthotropic solids, the bound that the step rests on, and
// what is none of a material.
#include "brisance/core/error.hpp"
#include "brisance/material/presets.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::material {
namespace {

using testing::HasSubstr;
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// C in the order xx yy zz xy yz zx.
Mat6 matrix(const UpperTriangle& upper) {
  Mat6 m;
  std::size_t next = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) m(i, j) = m(j, i) = upper[next++];
  return m;
}

Anisotropy isotropic(double youngs_modulus, double nu) {
  Anisotropy a;
  a.orthotropic = {Vec3::Constant(youngs_modulus), Vec3::Constant(nu), Vec3::Constant(youngs_modulus / (2 * (1 + nu)))};
  return a;
}

Material wood() { return *preset("wood"); }

/// E of a bar cut along `direction`, from the compliance: ε:n⊗n of the stress n⊗n.
double youngs_modulus_along(const Anisotropy& a, const Vec3& direction) {
  const Vec3 n = direction.normalized();
  SymMat3 stress = symmetric_part(n * n.transpose());
  SymMat3 strain = matrix(a.stiffness).inverse() * stress;
  strain.tail<3>() /= 2;  // γ = 2 e
  return 1 / n.dot(full_matrix(strain) * n);
}

TEST(Anisotropy, OfIsotropicConstantsIsHookesLaw) {
  for (const double nu : {0.0, 0.2, 0.45}) {
    const Anisotropy a = turned_to(isotropic(2, nu), axes_of(Vec3(1, 2, 3), Vec3(0, 1, 0)));
    const double lambda = 2 * nu / ((1 + nu) * (1 - 2 * nu)), mu = 1 / (1 + nu);
    Mat6 expected = Mat6::Zero();
    expected.topLeftCorner<3, 3>().setConstant(lambda);
    expected.diagonal() += (SymMat3() << 2, 2, 2, 1, 1, 1).finished() * mu;
    EXPECT_LT((matrix(a.stiffness) - expected).norm(), 1e-14 * expected.norm());
    EXPECT_NEAR(a.mean_lambda, lambda, 1e-14 * (lambda + mu));
    EXPECT_NEAR(a.mean_mu, mu, 1e-14 * mu);
    EXPECT_NEAR(a.bound_lambda, lambda, 1e-9 * (lambda + mu));
    EXPECT_NEAR(a.bound_two_mu, 2 * mu, 1e-9 * (lambda + mu));
  }
}

// 1/E(θ) = cos⁴θ/E1 + (1/G12 − 2 ν12/E1) sin²θ cos²θ + sin⁴θ/E2 (Lekhnitskii), wherever the axes point.
TEST(Anisotropy, BarsOfAnyDirectionHaveTheClosedFormsModulus) {
  Material m = wood();
  m.grain = Vec3(1, -2, 0.5);
  m.second_axis = Vec3(0.3, 0.2, 1);
  follow_constants(m);
  const Mat3 axes = axes_of(m.grain, m.second_axis);
  const Orthotropic& c = m.anisotropy.orthotropic;
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(youngs_modulus_along(m.anisotropy, axes.col(i)), c.youngs_moduli[i], 1e-11 * c.youngs_moduli[i]);
  for (const double angle : {0.1, 0.5, 1.0, 1.5}) {
    const double s = std::pow(std::sin(angle), 2), k = std::pow(std::cos(angle), 2);
    for (const int other : {1, 2}) {
      const double e1 = c.youngs_moduli[0], g = c.shear_moduli[other - 1], nu = c.poissons_ratios[other - 1];
      const double expected = 1 / (k * k / e1 + (1 / g - 2 * nu / e1) * s * k + s * s / c.youngs_moduli[other]);
      const Vec3 direction = std::cos(angle) * axes.col(0) + std::sin(angle) * axes.col(other);
      EXPECT_NEAR(youngs_modulus_along(m.anisotropy, direction), expected, 1e-11 * expected) << angle << other;
    }
  }
}

TEST(Anisotropy, TheSameInAllTwentyOneConstants) {
  const Material m = wood();
  const Mat3 along_axes = axes_of(Vec3::UnitX(), Vec3::UnitY());
  const Mat6 c = matrix(turned_to(m.anisotropy, along_axes).stiffness);
  Anisotropy given;
  const int kFromVoigt[6] = {0, 1, 2, 4, 5, 3};  // 11 22 33 23 13 12 among xx yy zz xy yz zx
  std::size_t next = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) given.voigt[next++] = c(kFromVoigt[i], kFromVoigt[j]);
  const Mat3 axes = axes_of(Vec3(1, 1, 0), Vec3(0, 0.5, 1));
  const Mat6 expected = matrix(turned_to(m.anisotropy, axes).stiffness),
             found = matrix(turned_to(given, axes).stiffness);
  EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm());

  // A constant that no orthotropic material has: turned by half a turn about the grain C14 stays, C16 changes sign.
  given.voigt[3] = 1e8;  // 14
  given.voigt[5] = 2e8;  // 16
  const Mat6 before = matrix(turned_to(given, along_axes).stiffness);
  const Mat6 after = matrix(turned_to(given, axes_of(Vec3::UnitX(), -Vec3::UnitY())).stiffness);
  EXPECT_NEAR(before(0, 4), 1e8, 1e-4);
  EXPECT_NEAR(after(0, 4), 1e8, 1e-4);
  EXPECT_NEAR(before(0, 3), 2e8, 1e-4);
  EXPECT_NEAR(after(0, 3), -2e8, 1e-4);
}

// ε:C:ε ≤ λ (tr ε)² + 2μ ε:ε for every ε, and somewhere nearly as large.
TEST(Anisotropy, BoundIsNowhereLessStiff) {
  std::mt19937 generator(8);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    Mat6 root;
    for (double& x : root.reshaped()) x = normal(generator);
    const Mat6 c = root * root.transpose() + 0.1 * Mat6::Identity();
    Anisotropy given;
    std::size_t next = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) given.voigt[next++] = c(i, j);
    const Anisotropy a = turned_to(given, axes_of(Vec3(1, 0.2, 0), Vec3(0, 1, 0.4)));
    ASSERT_GE(a.bound_lambda, 0);
    Mat6 bound = a.bound_two_mu * Mat6::Identity();
    bound.topLeftCorner<3, 3>().array() += a.bound_lambda;
    Mat6 kelvin = matrix(a.stiffness);
    kelvin.bottomRows<3>() *= std::sqrt(2.0);
    kelvin.rightCols<3>() *= std::sqrt(2.0);
    const auto left = Eigen::SelfAdjointEigenSolver<Mat6>(bound - kelvin).eigenvalues();
    EXPECT_GT(left[0], -1e-12 * kelvin.norm()) << trial;
    EXPECT_LT(left[0], 1e-9 * kelvin.norm()) << trial;
  }
}

TEST(Anisotropy, StiffenedMaterialsKeepTheirRatios) {
  const Material m = wood(), twice = stiffened(m, 2);
  EXPECT_LT((matrix(twice.anisotropy.stiffness) - 2 * matrix(m.anisotropy.stiffness)).norm(), 1);
  EXPECT_NEAR(pressure_wave_speed(twice), std::sqrt(2.0) * pressure_wave_speed(m), 1e-9);
  EXPECT_NEAR(damping_time(twice), damping_time(m), 1e-20);
}

TEST(Anisotropy, WavesOfWoodAreNoFasterThanTheBoundSays) {
  const Material m = wood();
  const Mat6 c = matrix(m.anisotropy.stiffness);
  EXPECT_GE(pressure_wave_speed(m), std::sqrt(c(0, 0) / m.density));
  EXPECT_LT(pressure_wave_speed(m), 1.1 * std::sqrt(c(0, 0) / m.density));
}

std::string complaint(const Material& m) {
  try {
    check(m);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

TEST(Anisotropy, WhatIsNoMaterialIsNamed) {
  const auto with = [](const auto& change) {
    Material m = wood();
    change(m);
    follow_constants(m);
    return complaint(m);
  };
  EXPECT_EQ(with([](Material&) {}), "");
  EXPECT_THAT(with([](Material& m) { m.anisotropy.orthotropic.poissons_ratios[2] = 1.3; }),
              HasSubstr("not positive definite"));
  EXPECT_THAT(with([](Material& m) { m.anisotropy.orthotropic.shear_moduli.setZero(); }),
              HasSubstr("needs youngs_moduli_pa, poissons_ratios and shear_moduli_pa"));
  EXPECT_THAT(with([](Material& m) {
                m.anisotropy.voigt.fill(0);
                m.anisotropy.voigt[0] = 1;
              }),
              HasSubstr("stiffness_pa is not positive definite"));
  EXPECT_THAT(with([](Material& m) { m.second_axis = -2 * m.grain; }), HasSubstr("must not be parallel"));
  EXPECT_THAT(with([](Material& m) { m.plastic_limit = 0.1; }), HasSubstr("does not flow"));
  EXPECT_THAT(with([](Material& m) { m.strength_ratio = Vec3(1, 0, 1); }), HasSubstr("strength_ratio must be"));
  Material isotropic = *preset("glass");
  isotropic.strength_ratio = Vec3(2, 1, 1);
  isotropic.grain.setZero();
  EXPECT_THAT(complaint(isotropic), HasSubstr("grain and second_axis give no axes"));
}

}  // namespace
}  // namespace brisance::material
