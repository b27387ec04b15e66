/// The dense matrices of a small uncut body of linear strain, from the forces of unit displacements: an independent
/// solver for comparison with steps.
#pragma once

#include "brisance/dynamics/corotational.hpp"

#include "support/over_ranks.hpp"

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace brisance::test {

class DenseBody {
public:
  /// @param is_held  by node: its three components are left out
  DenseBody(const sim::Scene& scene, const mesh::TetMesh& body, const std::vector<bool>& is_held) {
    const OneRank alone;
    sim::Scene bare = bare_scene(scene.materials.front());
    sim::Simulation simulation(alone.comm(), bare, body, {});
    dist::Mesh& mesh = simulation.mesh();
    size_ = static_cast<Eigen::Index>(3 * body.nodes.size());
    for (Eigen::Index i = 0; i < size_; ++i)
      if (!is_held[static_cast<std::size_t>(i / 3)]) free_.push_back(i);
    Eigen::MatrixXd all(size_, size_);
    mass_.resize(size_);
    AlignedNodeField<dist::NodeForce> forces(mesh.node_id.size());
    for_each_owned(simulation, [&](LocalNode n, std::int64_t id) {
      for (int k = 0; k < 3; ++k) {
        double& x = mesh.motion[n].position[k];
        const double before = x;
        x += 1;
        dynamics::corotational_forces(mesh, mesh.motion.span(), dynamics::Strain::linear, forces.span());
        x = before;
        mass_[3 * id + k] = mesh.mass[n];
        for_each_owned(simulation, [&](LocalNode m, std::int64_t row) {
          for (int l = 0; l < 3; ++l) all(3 * row + l, 3 * id + k) = -forces[m].force[l];
        });
      }
    });
    stiffness_ = all(free_, free_);
    const Eigen::VectorXd inverse_root = mass_(free_).cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
        Eigen::MatrixXd(inverse_root.asDiagonal() * stiffness_ * inverse_root.asDiagonal()));
    frequencies_ = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
    shapes_ = inverse_root.asDiagonal() * solver.eigenvectors();
  }

  /// Of free vibration, ascending; rigid motions first [1/s].
  [[nodiscard]] double frequency(Eigen::Index i) const { return frequencies_[i]; }
  /// 3·(node id), 0 where held.
  [[nodiscard]] Eigen::VectorXd shape(Eigen::Index i) const { return whole(shapes_.col(i)); }
  /// Displacements under the weight, by 3·(node id) [m].
  [[nodiscard]] Eigen::VectorXd under_weight(const Vec3& gravity) const {
    Eigen::VectorXd force(size_);
    for (Eigen::Index i = 0; i < size_; ++i) force[i] = mass_[i] * gravity[i % 3];
    return whole(stiffness_.ldlt().solve(force(free_)));
  }

private:
  [[nodiscard]] Eigen::VectorXd whole(const Eigen::VectorXd& of_free) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(size_);
    all(free_) = of_free;
    return all;
  }

  Eigen::Index size_ = 0;
  std::vector<Eigen::Index> free_;
  Eigen::MatrixXd stiffness_, shapes_;
  Eigen::VectorXd mass_, frequencies_;
};

}  // namespace brisance::test
