#include "brisance/fracture/criteria/separation_tensor.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace brisance::fracture {

namespace {

/// m(a) = a aᵀ/|a|; zero for a = 0.
SymMat3 dyad(const Vec3& a) {
  const double length = a.norm();
  if (!(length > 0)) return SymMat3::Zero();
  const Vec3 w = a / length;
  return SymMat3(w[0] * a[0], w[1] * a[1], w[2] * a[2], w[0] * a[1], w[1] * a[2], w[2] * a[0]);
}

/// A fixed representative of the eigenspace spanned by the columns of `basis`.
Vec3 representative(const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3>& basis) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 projection = basis * basis.row(axis).transpose();
    if (projection.norm() > 0.5) return projection.normalized();
  }
  return basis.col(0);
}

}  // namespace

void SeparationTensor::add_push(const Vec3& force) {
  spread_ -= dyad(force);
  total_ += force;
}

SymMat3 SeparationTensor::value() const { return 0.5 * (spread_ - dyad(tensile_) + dyad(total_ - tensile_)); }

double largest_eigenvalue_from_above(const SymMat3& zeta) {
  // λ = q + 2p cos(acos(r)/3), q = tr/3, p² = ‖dev‖²/6, r = det(dev)/(2p³); it errs by 1e-8 p at worst, near r = −1.
  const double q = (zeta[0] + zeta[1] + zeta[2]) / 3;
  const double x = zeta[0] - q, y = zeta[1] - q, z = zeta[2] - q, xy = zeta[3], yz = zeta[4], zx = zeta[5];
  const double p = std::sqrt((x * x + y * y + z * z + 2 * (xy * xy + yz * yz + zx * zx)) / 6);
  const double margin = 1e-6 * (std::abs(q) + 2 * p);
  if (!(p > 0)) return q + margin;
  const double det = x * (y * z - yz * yz) - xy * (xy * z - yz * zx) + zx * (xy * yz - y * zx);
  const double r = std::clamp(det / p / p / p / 2, -1.0, 1.0);
  return q + 2 * p * std::cos(std::acos(r) / 3) + margin;
}

PrincipalSeparation principal_separation(const Mat3& zeta) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(zeta);
  const Vec3& values = solver.eigenvalues();  // ascending
  const double equal = 1e-9 * std::max(std::abs(values[0]), std::abs(values[2]));
  PrincipalSeparation result;
  result.force = values[2];
  if (values[2] - values[0] <= equal)
    result.normal = Vec3::UnitX();
  else if (values[2] - values[1] <= equal)
    result.normal = representative(solver.eigenvectors().rightCols<2>());
  else
    result.normal = solver.eigenvectors().col(2);
  Vec3::Index largest = 0;
  result.normal.cwiseAbs().maxCoeff(&largest);
  if (result.normal[largest] < 0) result.normal = -result.normal;
  return result;
}

}  // namespace brisance::fracture
