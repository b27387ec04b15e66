/// Linear elasticity with linear tets, by element.
#pragma once

#include "brisance/mesh/tet_mesh.hpp"

#include <array>

#include <Eigen/Core>

namespace brisance::modes {

using Matrix12 = Eigen::Matrix<double, 12, 12, Eigen::RowMajor>;

/// ∇N of the four corners [1/m].
[[nodiscard]] std::array<Vec3, 4> shape_gradients(const std::array<Vec3, 4>& corners);

/// K of one tet: ½ uᵀK u = ∫ ½ λ (tr e)² + μ e:e,  e = sym ∇u. Rows and columns: corner by corner, x y z [Pa·m].
[[nodiscard]] Matrix12 elastic_stiffness(const std::array<Vec3, 4>& corners, double lambda, double mu);

}  // namespace brisance::modes
