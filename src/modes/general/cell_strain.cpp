#include "modes/general/cell_strain.hpp"

#include "brisance/elements/simplex.hpp"

#include <cmath>

namespace brisance::modes {

namespace {

/// Elastic energy with μ = 1; cells may have either orientation.
template <int d>
Eigen::MatrixXd strain_energy_of(elements::Simplex<d> shape, StrainEnergy strain, double poisson) {
  shape.volume = std::abs(shape.volume);
  if (strain != StrainEnergy::elastic) return elements::laplacian_stiffness(shape);
  return elements::elastic_stiffness(shape, 2 * poisson / (1 - 2 * poisson), 1);
}

}  // namespace

Eigen::MatrixXd cell_strain_energy(std::span<const Vec3> corners, StrainEnergy strain, double poisson) {
  if (corners.size() == 3)
    return strain_energy_of(elements::triangle({corners[0], corners[1], corners[2]}), strain, poisson);
  return strain_energy_of(elements::tetrahedron({corners[0], corners[1], corners[2], corners[3]}), strain, poisson);
}

}  // namespace brisance::modes
