#include "brisance/elements/corotated.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace brisance::elements {

namespace {

constexpr double kCrushed = 0.2;  ///< lower bound of s_i + s_j, used for flat and inverted elements

/// det(F) F^(−T).
Mat3 cofactors(const Mat3& f) {
  Mat3 c;
  c.col(0) = f.col(1).cross(f.col(2));
  c.col(1) = f.col(2).cross(f.col(0));
  c.col(2) = f.col(0).cross(f.col(1));
  return c;
}

/// Newton's iteration Q ← ½ (γ Q + Q^(−T)/γ), scaled after Higham (1986); quadratic for F far from singular.
Mat3 rotation_by_newton(const Mat3& f) {
  constexpr int kMost = 20;
  constexpr double kConverged = 1e-30;
  Mat3 q = f;
  for (int i = 0; i < kMost; ++i) {
    const Mat3 cofactor = cofactors(q);
    const Mat3 inverse = cofactor / q.col(0).dot(cofactor.col(0));
    const double scale = std::sqrt(inverse.norm() / q.norm());
    const Mat3 next = 0.5 * (scale * q + inverse / scale);
    const double change = (next - q).squaredNorm();
    q = next;
    if (change < kConverged) break;
  }
  return q;
}

Mat3 rotation_by_singular_values(const Mat3& f) {
  const Eigen::JacobiSVD<Mat3, Eigen::NoQRPreconditioner> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 u = svd.matrixU();
  if (u.determinant() * svd.matrixV().determinant() < 0) u.col(2) *= -1;
  return u * svd.matrixV().transpose();
}

}  // namespace

Mat3 rotation_of(const Mat3& f) {
  constexpr double kFarFromSingular = 1e-3;  ///< bound on det F over ‖F‖³, which is 0.19 for a rotation
  if (!f.allFinite()) return Mat3::Identity();
  const double size = f.norm();
  return f.determinant() > kFarFromSingular * size * size * size ? rotation_by_newton(f)
                                                                 : rotation_by_singular_values(f);
}

Mat3 anisotropic_stress(const Mat3& strain, const Stiffness& c) {
  Symmetric e;
  Eigen::Map<SymMat3>(e.at) = symmetric_part(strain);
  const Symmetric stress = anisotropic_stress(e, c);
  return full_matrix(SymMat3(Eigen::Map<const SymMat3>(stress.at)));
}

StiffnessMatrix<3> anisotropic_stiffness(const Simplex<3>& shape, const Stiffness& c) {
  const auto entry = [&](int i, int j, int k, int l) { return c.at[kStiffness[kSymmetric[i][j]][kSymmetric[k][l]]]; };
  StiffnessMatrix<3> stiffness;
  for (int j = 0; j < 4; ++j)
    for (int n = 0; n < 3; ++n) {  // the stress where corner j is moved along axis n
      Mat3 stress = Mat3::Zero();
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          for (int l = 0; l < 3; ++l)
            stress(a, b) += entry(a, b, n, l) * shape.gradient[static_cast<std::size_t>(j)][l];
      for (int i = 0; i < 4; ++i)
        stiffness.block<3, 1>(3 * i, 3 * j + n) = shape.volume * (stress * shape.gradient[static_cast<std::size_t>(i)]);
    }
  return stiffness;
}

Mat3 stress_against_turns(const Mat3& stretch, const Mat3& stress) {
  if (!stretch.allFinite()) return stress;
  const Mat3 product = stress * stretch, against = 0.5 * (product - product.transpose());
  const Vec3 axial(against(2, 1), against(0, 2), against(1, 0));
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(stretch);
  Vec3 y = Vec3::Zero();  // (tr S I − S) y = axial; the left side has the axes of S
  for (int k = 0; k < 3; ++k) {
    const Vec3 n = axes.eigenvectors().col(k);
    y += n.dot(axial) / std::max(stretch.trace() - axes.eigenvalues()[k], kCrushed) * n;
  }
  Mat3 skew;
  skew << 0, -y[2], y[1], y[2], 0, -y[0], -y[1], y[0], 0;
  return stress - 2 * skew;
}

Mat3 turn_stiffness(const Mat3& stretch, const Mat3& stress, bool only_tension) {
  if (!stretch.allFinite()) return Mat3::Zero();
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(stretch);
  Mat3 sum = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 n = axes.eigenvectors().col(k);
    const double both = stress.trace() - n.dot(stress * n), stretched = stretch.trace() - axes.eigenvalues()[k];
    const double against = both / std::max(stretched, kCrushed);
    sum += (only_tension ? std::max(against, 0.0) : against) * n * n.transpose();
  }
  return sum;
}

}  // namespace brisance::elements
