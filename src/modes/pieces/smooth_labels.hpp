/// Diffusion of label indicators over the nodes of a mesh, [S22] eq. (24).
#pragma once

#include "brisance/modes/body/simplices.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/SparseCore>

namespace brisance::modes {

/// Solves (M + λL) z = M z₀ label by label, so that memory does not grow with their number.
class LabelDiffusion {
public:
  /// Throws core::Error if lambda_m2 is negative.
  LabelDiffusion(Simplices mesh, std::span<const std::int32_t> label, std::int32_t num_labels, double lambda_m2);

  /// Diffused indicator of one label at each node, in [0, 1] up to the solver's 1e-10 (and the cotangents' signs).
  /// Throws core::Error if conjugate gradients do not converge.
  [[nodiscard]] Eigen::VectorXd diffused(std::int32_t label) const;

private:
  Simplices mesh_;
  double lambda_m2_;
  std::vector<std::vector<std::int32_t>> cells_of_label_;
  Eigen::VectorXd lumped_;              ///< volume of each node: a quarter or third of its cells' [m³, m²]
  Eigen::SparseMatrix<double> system_;  ///< M + λL [m³, m²]
};

}  // namespace brisance::modes
