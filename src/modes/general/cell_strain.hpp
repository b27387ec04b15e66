/// Strain energies of one cell with linear shape functions, in two and three dimensions.
#pragma once

#include "brisance/modes/general/general_problem.hpp"

#include <span>

#include <Eigen/Core>

namespace brisance::modes {

/// Q of one cell, ½ uᵀQu = its strain energy; rows and columns corner by corner, axis by axis.
/// @param corners  3 (in the x-y plane) or 4
/// @param strain   not `none`
[[nodiscard]] Eigen::MatrixXd cell_strain_energy(std::span<const Vec3> corners, StrainEnergy strain, double poisson);

}  // namespace brisance::modes
