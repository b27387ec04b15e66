/// Linear shape functions of a tetrahedron, or of a triangle in the x-y plane, and the stiffness that follows from
/// them.
#pragma once

#include "brisance/core/types.hpp"
#include "brisance/elements/rest_shape.hpp"

#include <array>
#include <cmath>

namespace brisance::elements {

/// d = 3: four corners, d = 2: three.
template <int d>
struct Simplex {
  std::array<Vec3, d + 1> gradient;  ///< ∇N of the corners [1/m]
  double volume = 0;                 ///< volume [m³], for a triangle its area [m²]
};

/// Its volume is negative where the corners are ordered the other way round.
[[nodiscard]] inline Simplex<3> tetrahedron(const std::array<Vec3, 4>& x) {
  const RestShape shape = rest_shape(x[0], x[1], x[2], x[3]);
  const Vec3 sum = shape.gradient[0] + shape.gradient[1] + shape.gradient[2];
  return {{-sum, shape.gradient[0], shape.gradient[1], shape.gradient[2]}, shape.volume};
}

/// z is ignored; the area is positive for either order of the corners.
[[nodiscard]] inline Simplex<2> triangle(const std::array<Vec3, 3>& x) {
  const Vec3 u = x[1] - x[0], v = x[2] - x[0];
  const double doubled_area = u.x() * v.y() - u.y() * v.x();
  const Vec3 b = Vec3(v.y(), -v.x(), 0) / doubled_area, c = Vec3(-u.y(), u.x(), 0) / doubled_area;
  return {{-(b + c), b, c}, std::abs(doubled_area) / 2};
}

template <int d>
using StiffnessMatrix = Eigen::Matrix<double, (d + 1) * d, (d + 1) * d, Eigen::RowMajor>;

/// K of linear elasticity, ½ uᵀK u = ∫ ½ λ (tr e)² + μ e:e,  e = sym ∇u; rows and columns corner by corner, x y (z).
/// Block of corners i, j with a = ∇N_i, b = ∇N_j:  V ( λ a bᵀ + μ b aᵀ + μ (a·b) I ).
template <int d>
[[nodiscard]] StiffnessMatrix<d> elastic_stiffness(const Simplex<d>& shape, double lambda, double mu) {
  StiffnessMatrix<d> k;
  for (int i = 0; i <= d; ++i)
    for (int j = 0; j <= d; ++j) {
      const Eigen::Matrix<double, d, 1> a = shape.gradient[i].template head<d>(),
                                        b = shape.gradient[j].template head<d>();
      const Eigen::Matrix<double, d, d> block = lambda * a * b.transpose() + mu * b * a.transpose();
      k.template block<d, d>(d * i, d * j) =
          shape.volume * (block + mu * a.dot(b) * Eigen::Matrix<double, d, d>::Identity());
    }
  return k;
}

/// ½ uᵀQ u = ∫ ½ |∇u|², for each axis by itself: V (a·b) I.
template <int d>
[[nodiscard]] StiffnessMatrix<d> laplacian_stiffness(const Simplex<d>& shape) {
  StiffnessMatrix<d> k;
  for (int i = 0; i <= d; ++i)
    for (int j = 0; j <= d; ++j)
      k.template block<d, d>(d * i, d * j) =
          shape.volume * shape.gradient[i].dot(shape.gradient[j]) * Eigen::Matrix<double, d, d>::Identity();
  return k;
}

}  // namespace brisance::elements
