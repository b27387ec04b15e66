#include "mobility.hpp"

#include <limits>

#include <Eigen/Eigenvalues>

namespace brisance::sim {

namespace {

/// A rigid motion counts as free if the smallest eigenvalue of Mobility::held is at most this share of the largest [–].
/// Constraints on a patch of 10⁻⁵ of the body's extent then still hold it.
constexpr double kLoose = 1e-11;

}  // namespace

void Mobility::hold(const Vec3& place, dynamics::ConstrainedAxes axes) {
  for (int k = 0; k < 3; ++k) {
    if ((axes >> k & 1) == 0) continue;
    Eigen::Matrix<double, 6, 1> g;
    g << Vec3::Unit(k), place.cross(Vec3::Unit(k));
    held += g * g.transpose();
  }
}

bool Mobility::is_loose() const {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(held, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[0] <= kLoose * solver.eigenvalues()[5];
}

Extent extent_of(const core::Comm& comm, const dist::Mesh& mesh) {
  std::array<double, 6> least;
  least.fill(std::numeric_limits<double>::infinity());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      least[k] = std::min(least[k], mesh.motion[n].position[k]);
      least[k + 3] = std::min(least[k + 3], -mesh.motion[n].position[k]);
    }
  }
  least = comm.min(least);
  const Vec3 low(least.data()), high = -Vec3(least.data() + 3);
  return {0.5 * (low + high), (high - low).norm()};
}

}  // namespace brisance::sim
