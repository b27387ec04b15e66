#include "brisance/fracture/separation_tensor.hpp"

#include <Eigen/Eigenvalues>

#include <cassert>

namespace brisance::fracture {

namespace {

/// Adds weight · a aᵀ/|a|; nothing for a = 0.
void add_dyad(Mat3& sum, const Vec3& a, double weight) {
  const double length = a.norm();
  if (length > 0) sum += (weight / length) * (a * a.transpose());
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

Mat3 separation_tensor(std::span<const Vec3> tensile, std::span<const Vec3> compressive) {
  assert(tensile.size() == compressive.size());
  Mat3 zeta = Mat3::Zero();
  Vec3 net_tensile = Vec3::Zero(), net_compressive = Vec3::Zero();
  for (std::size_t i = 0; i < tensile.size(); ++i) {
    add_dyad(zeta, tensile[i], 0.5);
    add_dyad(zeta, compressive[i], -0.5);
    net_tensile += tensile[i];
    net_compressive += compressive[i];
  }
  add_dyad(zeta, net_tensile, -0.5);
  add_dyad(zeta, net_compressive, 0.5);
  return zeta;
}

PrincipalSeparation principal_separation(const Mat3& zeta) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(zeta);
  const Vec3& values = solver.eigenvalues();  // ascending
  const double equal = 1e-9 * std::max(std::abs(values[0]), std::abs(values[2]));
  PrincipalSeparation result;
  result.force = values[2];
  if (values[2] - values[0] <= equal) result.normal = Vec3::UnitX();
  else if (values[2] - values[1] <= equal) result.normal = representative(solver.eigenvectors().rightCols<2>());
  else result.normal = solver.eigenvectors().col(2);
  Vec3::Index largest = 0;
  result.normal.cwiseAbs().maxCoeff(&largest);
  if (result.normal[largest] < 0) result.normal = -result.normal;
  return result;
}

}  // namespace brisance::fracture
