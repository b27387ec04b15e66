#include "brisance/material/anisotropy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <Eigen/Eigenvalues>

namespace brisance::material {

namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

constexpr std::size_t kVoigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
constexpr std::size_t kPair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};  ///< xx yy zz xy yz zx

Mat6 full_matrix(const UpperTriangle& upper) {
  Mat6 m;
  std::size_t next = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) m(i, j) = m(j, i) = upper[next++];
  return m;
}

bool is_orthotropic(const Anisotropy& a) { return a.voigt == UpperTriangle{}; }

/// Compliance along the axes (strains over stresses): 1/E_i, −ν_ij/E_i, 1/G_ij.
Mat6 compliance(const Orthotropic& c) {
  Mat6 s = Mat6::Zero();
  for (int i = 0; i < 3; ++i) s(i, i) = 1 / c.youngs_moduli[i];
  s(0, 1) = s(1, 0) = -c.poissons_ratios[0] / c.youngs_moduli[0];
  s(0, 2) = s(2, 0) = -c.poissons_ratios[1] / c.youngs_moduli[0];
  s(1, 2) = s(2, 1) = -c.poissons_ratios[2] / c.youngs_moduli[1];
  for (int i = 0; i < 3; ++i) s(5 - i, 5 - i) = 1 / c.shear_moduli[i];
  return s;
}

/// Smallest eigenvalue over the largest of C, as a map of symmetric tensors with the norm of ε:ε, or of its inverse:
/// same signs. Voigt's order.
double smallest_eigenvalue_share(const Mat6& stiffness_or_compliance) {
  if (!stiffness_or_compliance.allFinite()) return -1;
  const auto values =
      Eigen::SelfAdjointEigenSolver<Mat6>(stiffness_or_compliance, Eigen::EigenvaluesOnly).eigenvalues();
  return values[0] / values.cwiseAbs().maxCoeff();
}

/// An eigenvalue below this share of the largest may be zero within rounding.
constexpr double kDefinite = 1e-10;

/// C along the axes, in Voigt's order.
Mat6 voigt_stiffness(const Anisotropy& a) {
  return is_orthotropic(a) ? Mat6(compliance(a.orthotropic).inverse()) : full_matrix(a.voigt);
}

/// C'_ijkl = Q_ia Q_jb Q_kc Q_ld C_abcd, in the order xx yy zz xy yz zx.
Mat6 turned(const Mat6& voigt, const Mat3& q) {
  Mat6 sum = Mat6::Zero();
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 6; ++column)
      for (std::size_t ab = 0; ab < 9; ++ab)
        for (std::size_t cd = 0; cd < 9; ++cd) {
          const auto a = static_cast<int>(ab / 3), b = static_cast<int>(ab % 3), c = static_cast<int>(cd / 3),
                     d = static_cast<int>(cd % 3);
          const auto i = static_cast<int>(kPair[row][0]), j = static_cast<int>(kPair[row][1]),
                     k = static_cast<int>(kPair[column][0]), l = static_cast<int>(kPair[column][1]);
          sum(row, column) += q(i, a) * q(j, b) * q(k, c) * q(l, d) *
                              voigt(static_cast<int>(kVoigt[a][b]), static_cast<int>(kVoigt[c][d]));
        }
  return 0.5 * (sum + sum.transpose());
}

/// The largest eigenvalue of C − a I⊗I as a map of symmetric tensors: shears stand for two components each.
double largest_eigenvalue_without(const Mat6& stiffness, double a) {
  Mat6 kelvin = stiffness;
  kelvin.topLeftCorner<3, 3>().array() -= a;
  kelvin.bottomRows<3>() *= std::sqrt(2.0);
  kelvin.rightCols<3>() *= std::sqrt(2.0);
  return Eigen::SelfAdjointEigenSolver<Mat6>(kelvin, Eigen::EigenvaluesOnly).eigenvalues()[5];
}

/// The least stiff of the isotropic bounds, by golden section: 2μ + 2λ is convex in λ, and the bound of an element's
/// step is between 2μ + λ and 2μ + 3λ times that of its gradients. For an isotropic C the bound is C itself.
void set_bound(const Mat6& stiffness, Anisotropy& a) {
  constexpr double kGolden = 0.6180339887498949, kMargin = 1 + 1e-13;
  constexpr int kMost = 100;
  const auto cost = [&](double lambda) { return largest_eigenvalue_without(stiffness, lambda) + 2 * lambda; };
  double low = 0, high = stiffness.topLeftCorner<3, 3>().cwiseAbs().maxCoeff();
  for (int i = 0; i < kMost; ++i) {
    const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    if (cost(left) < cost(right))
      high = right;
    else
      low = left;
  }
  a.bound_lambda = 0.5 * (low + high);
  a.bound_two_mu = largest_eigenvalue_without(stiffness, a.bound_lambda) * kMargin;
}

/// Bulk modulus and shear modulus of the mean over all rotations (Voigt 1889).
void set_mean(const Mat6& c, Anisotropy& a) {
  const double normal = c(0, 0) + c(1, 1) + c(2, 2), across = c(0, 1) + c(1, 2) + c(2, 0);
  const double bulk = (normal + 2 * across) / 9;
  a.mean_mu = (normal - across + 3 * (c(3, 3) + c(4, 4) + c(5, 5))) / 15;
  a.mean_lambda = std::max(0.0, bulk - 2 * a.mean_mu / 3);
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

}  // namespace

Mat3 axes_of(const Vec3& grain, const Vec3& second) {
  constexpr double kParallel = 1e-6;  ///< sine of an angle
  const double length = grain.norm();
  if (!(length > 0) || !(second.norm() > 0)) return Mat3::Zero();
  Mat3 axes;
  axes.col(0) = grain / length;
  const Vec3 across = second - axes.col(0).dot(second) * axes.col(0);
  if (!(across.norm() > kParallel * second.norm())) return Mat3::Zero();
  axes.col(1) = across.normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

Anisotropy turned_to(Anisotropy given, const Mat3& axes) {
  given.stiffness = {};
  given.mean_lambda = given.mean_mu = given.bound_lambda = given.bound_two_mu = 0;
  if (axes.isZero() || !complaint_about(given).empty()) return given;
  const Mat6 c = turned(voigt_stiffness(given), axes);
  std::size_t next = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) given.stiffness[next++] = c(i, j);
  set_mean(c, given);
  set_bound(c, given);
  return given;
}

std::string complaint_about(const Anisotropy& given) {
  if (!is_orthotropic(given)) {
    if (smallest_eigenvalue_share(full_matrix(given.voigt)) > kDefinite) return {};
    return "stiffness_pa is not positive definite, so that some strain would set energy free: it lists 11 12 13 14 15 "
           "16, 22 23 24 25 26, 33 34 35 36, 44 45 46, 55 56, 66 of the stiffness in Voigt's order 11 22 33 23 13 12.";
  }
  const Orthotropic& c = given.orthotropic;
  if (!(c.youngs_moduli.minCoeff() > 0) || !(c.shear_moduli.minCoeff() > 0))
    return "elastic_law = \"anisotropic\" needs youngs_moduli_pa, poissons_ratios and shear_moduli_pa, or "
           "stiffness_pa, "
           "or a preset that has them (wood).";
  if (smallest_eigenvalue_share(compliance(c)) > kDefinite) return {};
  const Vec3& e = c.youngs_moduli;
  return "these Young's moduli and Poisson's ratios are not positive definite, so that some strain would set energy "
         "free: poissons_ratios must be well below " +
         number(std::sqrt(e[0] / e[1])) + ", " + number(std::sqrt(e[0] / e[2])) + ", " +
         number(std::sqrt(e[1] / e[2])) + " (12, 13, 23), and smaller still together.";
}

}  // namespace brisance::material
