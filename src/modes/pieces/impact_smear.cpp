/// Distribution of a blow at each strikable node over the atoms.
#include "brisance/core/error.hpp"
#include "brisance/modes/pieces/impact.hpp"

#include <cmath>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>
#include <spdlog/fmt/fmt.h>

namespace brisance::modes {

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplet = Eigen::Triplet<double, std::int32_t>;

constexpr double kTolerance = 1e-10;    ///< relative residual; the table has seven digits
constexpr double kGaussianReach = 8.0;  ///< standard deviations beyond which a Gaussian is below the last digit

/// R: integral of a nodal field over each atom, num_nodes × num_atoms. Its rows sum to the lumped masses.
SparseMatrix integration_matrix(const Simplices& mesh, const PieceLabels& atoms) {
  std::vector<Triplet> entries;
  entries.reserve(mesh.corner.size());
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    const double v = cell_volume(mesh, c);
    for (const std::int32_t node : mesh.cell(c))
      entries.emplace_back(node, atoms.of_cell[c], v / mesh.corners_per_cell);
  }
  SparseMatrix matrix(static_cast<Eigen::Index>(mesh.nodes.size()), atoms.num_pieces());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::VectorXd lumped_mass(const SparseMatrix& integration) {
  return integration * Eigen::VectorXd::Ones(integration.cols());
}

/// M + ℓ²L, L_ij = Σ vol ∇φᵢ·∇φⱼ. A triangle is treated as a tet with a fourth corner above it, whose φ is omitted.
SparseMatrix wave_matrix(const Simplices& mesh, const Eigen::VectorXd& mass, double length_m) {
  const int dimension = mesh.dimension(), corners = mesh.corners_per_cell;
  std::vector<Triplet> entries;
  entries.reserve(mesh.corner.size() * static_cast<std::size_t>(corners) + mesh.nodes.size());
  for (std::int32_t c = 0; c < mesh.num_cells(); ++c) {
    const auto t = mesh.cell(c);
    Mat3 edges = Mat3::Identity();
    for (int k = 0; k < dimension; ++k) edges.col(k) = mesh.nodes[t[k + 1]] - mesh.nodes[t[0]];
    Eigen::Matrix<double, 4, 3> gradient;
    gradient.bottomRows<3>() = edges.inverse();
    if (dimension == 2) gradient.row(3).setZero();
    gradient.row(0) = -gradient.bottomRows<3>().colwise().sum();
    const double six_or_two = dimension == 2 ? 2 : 6;
    const Eigen::Matrix4d block =
        length_m * length_m * edges.determinant() / six_or_two * gradient * gradient.transpose();
    for (int i = 0; i < corners; ++i)
      for (int j = 0; j < corners; ++j) entries.emplace_back(t[i], t[j], block(i, j));
  }
  for (Eigen::Index n = 0; n < mass.size(); ++n)
    entries.emplace_back(static_cast<std::int32_t>(n), static_cast<std::int32_t>(n), mass[n]);
  SparseMatrix matrix(mass.size(), mass.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

std::vector<std::int32_t> strikable_nodes(const mesh::TetMesh& mesh, const PieceLabels& atoms) {
  constexpr std::int32_t kNone = -1;
  std::vector<std::int32_t> atom_of_node(mesh.nodes.size(), kNone);
  std::vector<bool> strikable(mesh.nodes.size(), false);
  for (std::size_t c = 0; c < mesh.tets.size(); ++c)
    for (int k = 0; k < 4; ++k) {
      std::int32_t& atom = atom_of_node[mesh.tets[c][k]];
      if (atom != kNone && atom != atoms.of_cell[c]) strikable[mesh.tets[c][k]] = true;
      atom = atoms.of_cell[c];
      if (mesh.face_source[c][k] != mesh::kNoSourceTriangle)
        for (const int corner : mesh::kFaceCorners[k]) strikable[mesh.tets[c][corner]] = true;
    }
  std::vector<std::int32_t> nodes;
  for (std::size_t n = 0; n < strikable.size(); ++n)
    if (strikable[n]) nodes.push_back(static_cast<std::int32_t>(n));
  return nodes;
}

runtime::SmearTable elastic_smear(const Simplices& mesh, const PieceLabels& atoms, std::span<const std::int32_t> nodes,
                                  double length_m) {
  const SparseMatrix integration = integration_matrix(mesh, atoms);
  const SparseMatrix wave = wave_matrix(mesh, lumped_mass(integration), length_m);
  Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower | Eigen::Upper> solver(wave);
  solver.setTolerance(kTolerance);

  // b_a(p) = r_aᵀ (M + ℓ²L)⁻¹ e_p for all p at once: the matrix is symmetric, so one solve for each atom.
  runtime::SmearTable table{length_m, std::vector<float>(nodes.size() * atoms.volume.size())};
  for (std::int32_t a = 0; a < atoms.num_pieces(); ++a) {
    const Eigen::VectorXd share = solver.solve(Eigen::VectorXd(integration.col(a)));
    if (solver.info() != Eigen::Success)
      throw core::Error(
          fmt::format("The smear of an impact into piece {} did not converge: residual {:.2g} after {} "
                      "iterations. Check the mesh for flat tets (brisance check).",
                      a, solver.error(), solver.iterations()));
    for (std::size_t v = 0; v < nodes.size(); ++v)
      table.share[v * atoms.volume.size() + a] = static_cast<float>(share[nodes[v]]);
  }
  return table;
}

runtime::SmearTable gaussian_smear(const Simplices& mesh, const PieceLabels& atoms, std::span<const std::int32_t> nodes,
                                   double length_m) {
  const SparseMatrix by_atom = integration_matrix(mesh, atoms);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_node = by_atom;
  const double reach_squared = kGaussianReach * kGaussianReach * length_m * length_m;
  runtime::SmearTable table{length_m, {}};
  table.share.reserve(nodes.size() * atoms.volume.size());
  for (const std::int32_t struck : nodes) {
    Eigen::VectorXd share = Eigen::VectorXd::Zero(atoms.num_pieces());
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      const double squared = (mesh.nodes[n] - mesh.nodes[struck]).squaredNorm();
      if (squared > reach_squared) continue;
      const double g = std::exp(-squared / (2 * length_m * length_m));
      for (decltype(by_node)::InnerIterator r(by_node, static_cast<Eigen::Index>(n)); r; ++r)
        share[r.col()] += g * r.value();
    }
    share /= share.sum();
    for (const double s : share) table.share.push_back(static_cast<float>(s));
  }
  return table;
}

}  // namespace brisance::modes
