#include "modes/pieces/smooth_labels.hpp"

#include "brisance/core/error.hpp"

#include "modes/spectral/p1_laplacian.hpp"

#include <cmath>
#include <utility>

#include <Eigen/IterativeLinearSolvers>
#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

/// M + λL [m³]; symmetric, so rows are columns.
Eigen::SparseMatrix<double> system_matrix(P1Laplacian laplacian, double lambda_m2) {
  const Eigen::Index size = laplacian.num_nodes();
  for (std::int32_t row = 0; row < laplacian.num_nodes(); ++row)
    for (std::int32_t i = laplacian.row_begin[row]; i < laplacian.row_begin[row + 1]; ++i)
      laplacian.value[i] =
          lambda_m2 * laplacian.value[i] + (laplacian.column[i] == row ? laplacian.node_volume[row] : 0);
  return Eigen::Map<const Eigen::SparseMatrix<double>>(size, size, static_cast<Eigen::Index>(laplacian.value.size()),
                                                       laplacian.row_begin.data(), laplacian.column.data(),
                                                       laplacian.value.data());
}

}  // namespace

LabelDiffusion::LabelDiffusion(Simplices mesh, std::span<const std::int32_t> label, std::int32_t num_labels,
                               double lambda_m2)
    : mesh_(std::move(mesh)), lambda_m2_(lambda_m2), cells_of_label_(num_labels) {
  if (!(lambda_m2 >= 0) || !std::isfinite(lambda_m2))
    throw core::Error(
        fmt::format("The smoothing λ is {:g} m². It must be 0 or more; the square of the mesh's edge "
                    "length is a good start.",
                    lambda_m2));
  for (std::int32_t c = 0; c < mesh_.num_cells(); ++c) cells_of_label_[label[c]].push_back(c);
  P1Laplacian laplacian = p1_laplacian(mesh_);
  lumped_ = Eigen::Map<const Eigen::VectorXd>(laplacian.node_volume.data(), laplacian.num_nodes());
  if (lambda_m2 > 0) system_ = system_matrix(std::move(laplacian), lambda_m2);
}

Eigen::VectorXd LabelDiffusion::diffused(std::int32_t label) const {
  // M z₀, with z₀ the indicator averaged by volume from the cells to the nodes.
  Eigen::VectorXd mass_of_label = Eigen::VectorXd::Zero(lumped_.size());
  for (const std::int32_t c : cells_of_label_[label])
    for (const std::int32_t node : mesh_.cell(c)) mass_of_label[node] += cell_volume(mesh_, c) / mesh_.corners_per_cell;
  const Eigen::VectorXd averaged = (lumped_.array() > 0).select(mass_of_label.cwiseQuotient(lumped_), 0.0);
  if (lambda_m2_ == 0) return averaged;
  constexpr double kRelativeTolerance = 1e-10;
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> solver;
  solver.setTolerance(kRelativeTolerance);
  solver.compute(system_);
  const Eigen::VectorXd z = solver.solveWithGuess(mass_of_label, averaged);
  if (solver.info() != Eigen::Success)
    throw core::Error(
        fmt::format("Smoothing with λ = {:g} m² did not converge (residual {:g}): the mesh has nearly "
                    "flat cells. Take a smaller λ or mesh again.",
                    lambda_m2_, solver.error()));
  return z;
}

}  // namespace brisance::modes
