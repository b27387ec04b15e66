/// The sparse stiffness and masses of an uncut body of linear strain, factorised: an independent solver for comparison
/// with steps on bars of thousands of unknowns.
#pragma once

#include "brisance/dist/distribute.hpp"
#include "brisance/dynamics/step_matrix.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

namespace brisance::test {

class SparseBody {
public:
  /// @param is_held  by rest position: its three components are left out
  SparseBody(const material::Material& m, const mesh::TetMesh& body, const std::function<bool(const Vec3&)>& is_held) {
    const dist::Mesh mesh = dist::distribute(core::Comm(MPI_COMM_SELF), body, {}, {m}, {});
    dynamics::StepMatrix matrix(mesh);
    dynamics::Parameters parameters;
    parameters.strain = dynamics::Strain::linear;
    matrix.fill(mesh, mesh.motion.span(), parameters, dynamics::balance_of_forces(dynamics::TurnStiffness::none), {},
                std::vector<dynamics::ConstrainedAxes>(mesh.node_id.size(), 0));
    size_ = static_cast<Eigen::Index>(3 * body.nodes.size());
    std::vector<Eigen::Index> by_row(static_cast<std::size_t>(size_), -1);  // among the free, of PETSc's rows
    std::vector<double> mass;
    for (std::int64_t id = 0; id < size_ / 3; ++id) {
      const LocalNode n = mesh.find(GlobalNode(id));
      for (std::size_t k = 0; k < 3 && !is_held(mesh.rest[n]); ++k) {
        by_row[matrix.row(n) + k] = static_cast<Eigen::Index>(free_.size());
        free_.push_back(3 * id + static_cast<Eigen::Index>(k));
        mass.push_back(mesh.mass[n]);
      }
    }
    mass_ = Eigen::Map<const Eigen::VectorXd>(mass.data(), static_cast<Eigen::Index>(mass.size()));
    std::vector<Eigen::Triplet<double>> entries;
    for (PetscInt row = 0; row < size_; ++row) {
      PetscInt count = 0;
      const PetscInt* columns = nullptr;
      const PetscScalar* values = nullptr;
      la::check(MatGetRow(matrix.raw(), row, &count, &columns, &values), "MatGetRow");
      for (PetscInt i = 0; i < count; ++i)
        if (by_row[static_cast<std::size_t>(row)] >= 0 && by_row[static_cast<std::size_t>(columns[i])] >= 0)
          entries.emplace_back(by_row[static_cast<std::size_t>(row)], by_row[static_cast<std::size_t>(columns[i])],
                               values[i]);
      la::check(MatRestoreRow(matrix.raw(), row, &count, &columns, &values), "MatRestoreRow");
    }
    Eigen::SparseMatrix<double> stiffness(mass_.size(), mass_.size());
    stiffness.setFromTriplets(entries.begin(), entries.end());
    factor_.compute(stiffness);
    find_vibrations();
  }

  /// Of free vibration, the two lowest, ascending [1/s].
  [[nodiscard]] double frequency(Eigen::Index i) const { return frequencies_[i]; }
  /// 3·(node id), 0 where held; the mass of its square is 1.
  [[nodiscard]] Eigen::VectorXd shape(Eigen::Index i) const { return whole(shapes_.col(i)); }
  /// Displacements under the weight, by 3·(node id) [m].
  [[nodiscard]] Eigen::VectorXd under_weight(const Vec3& gravity) const {
    Eigen::VectorXd force(mass_.size());
    for (Eigen::Index i = 0; i < mass_.size(); ++i)
      force[i] = mass_[i] * gravity[free_[static_cast<std::size_t>(i)] % 3];
    return whole(factor_.solve(force));
  }

private:
  /// Inverse iteration on four vectors, their best combinations kept: what is beyond the fourth falls off by the
  /// square of frequencies.
  void find_vibrations() {
    constexpr Eigen::Index kVectors = 4;
    Eigen::MatrixXd v(mass_.size(), kVectors);
    for (Eigen::Index i = 0; i < mass_.size(); ++i)
      for (Eigen::Index j = 0; j < kVectors; ++j) v(i, j) = std::sin(1.0 + static_cast<double>(3 * i * (j + 1) % 101));
    for (int iteration = 0; iteration < 40; ++iteration) {
      const Eigen::MatrixXd before = mass_.asDiagonal() * v;
      const Eigen::MatrixXd after = factor_.solve(before);
      const Eigen::MatrixXd flexibility = before.transpose() * after,
                            mass = after.transpose() * mass_.asDiagonal() * after;
      // Of ω² in the space of `after`: its stiffness is `flexibility`, its mass `mass`.
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
          0.5 * (flexibility + flexibility.transpose()), 0.5 * (mass + mass.transpose()));
      v = after * solver.eigenvectors();
      frequencies_ = solver.eigenvalues().cwiseSqrt();
    }
    shapes_ = v;
  }

  [[nodiscard]] Eigen::VectorXd whole(const Eigen::VectorXd& of_free) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(size_);
    all(free_) = of_free;
    return all;
  }

  Eigen::Index size_ = 0;
  std::vector<Eigen::Index> free_;
  Eigen::VectorXd mass_, frequencies_;
  Eigen::MatrixXd shapes_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
};

}  // namespace brisance::test
