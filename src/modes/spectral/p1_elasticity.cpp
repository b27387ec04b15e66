#include "modes/spectral/p1_elasticity.hpp"

#include <Eigen/LU>

namespace brisance::modes {

std::array<Vec3, 4> shape_gradients(const std::array<Vec3, 4>& corners) {
  Eigen::Matrix3d edges;
  for (int k = 0; k < 3; ++k) edges.row(k) = corners[k + 1] - corners[0];
  const Eigen::Matrix3d inverse = edges.inverse();
  std::array<Vec3, 4> gradient;
  gradient[0].setZero();
  for (int k = 0; k < 3; ++k) {
    gradient[k + 1] = inverse.col(k);
    gradient[0] -= gradient[k + 1];
  }
  return gradient;
}

/// Block of corners i, j with a = ∇N_i, b = ∇N_j:  V ( λ a bᵀ + μ b aᵀ + μ (a·b) I ).
Matrix12 elastic_stiffness(const std::array<Vec3, 4>& corners, double lambda, double mu) {
  const std::array<Vec3, 4> gradient = shape_gradients(corners);
  const double volume = mesh::tet_volume(corners[0], corners[1], corners[2], corners[3]);
  Matrix12 k;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const Vec3 &a = gradient[i], &b = gradient[j];
      const Eigen::Matrix3d block = lambda * a * b.transpose() + mu * b * a.transpose();
      k.block<3, 3>(3 * i, 3 * j) = volume * (block + mu * a.dot(b) * Eigen::Matrix3d::Identity());
    }
  return k;
}

}  // namespace brisance::modes
