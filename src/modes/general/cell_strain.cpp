#include "modes/general/cell_strain.hpp"

#include <cmath>
#include <vector>

#include <Eigen/LU>

namespace brisance::modes {

namespace {

struct ShapeFunctions {
  std::vector<Eigen::VectorXd> gradient;  ///< of each corner
  double volume;
};

ShapeFunctions shape_functions(std::span<const Vec3> corners) {
  const auto dimension = static_cast<Eigen::Index>(corners.size()) - 1;
  Eigen::MatrixXd edges(dimension, dimension);
  for (Eigen::Index k = 0; k < dimension; ++k) edges.row(k) = (corners[k + 1] - corners[0]).head(dimension);
  const Eigen::MatrixXd inverse = edges.inverse();
  ShapeFunctions functions;
  functions.gradient.emplace_back(-inverse.rowwise().sum());
  for (Eigen::Index k = 0; k < dimension; ++k) functions.gradient.emplace_back(inverse.col(k));
  functions.volume = std::abs(edges.determinant()) / (dimension == 3 ? 6 : 2);
  return functions;
}

}  // namespace

/// Block of corners i, j with a = ∇N_i, b = ∇N_j:  V (a·b) I,  or  V (λ a bᵀ + μ b aᵀ + μ (a·b) I)  with μ = 1.
Eigen::MatrixXd cell_strain_energy(std::span<const Vec3> corners, StrainEnergy strain, double poisson) {
  const ShapeFunctions functions = shape_functions(corners);
  const auto count = static_cast<Eigen::Index>(corners.size()), d = count - 1;
  const double lambda = 2 * poisson / (1 - 2 * poisson);
  Eigen::MatrixXd q(count * d, count * d);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j) {
      const Eigen::VectorXd &a = functions.gradient[i], &b = functions.gradient[j];
      Eigen::MatrixXd block = a.dot(b) * Eigen::MatrixXd::Identity(d, d);
      if (strain == StrainEnergy::elastic) block += lambda * a * b.transpose() + b * a.transpose();
      q.block(i * d, j * d, d, d) = functions.volume * block;
    }
  return q;
}

}  // namespace brisance::modes
