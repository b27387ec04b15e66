/// Whether Dirichlet conditions leave a body a rigid motion, so that statics has no unique solution.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_matrix.hpp"

#include <Eigen/Core>

namespace brisance::sim {

/// Σ g gᵀ over all constrained velocity components; g is the gradient of the component by the six parameters of a rigid
/// motion (translation, rotation about the origin).
struct Mobility {
  Eigen::Matrix<double, 6, 6> held = Eigen::Matrix<double, 6, 6>::Zero();

  /// Adds the constraints of a node. Local; does not throw.
  /// @param place  position of the node from the centre of the bounding box, over the box's diagonal [–]
  void hold(const Vec3& place, dynamics::ConstrainedAxes axes);
  /// Whether there is a rigid motion that no constraint resists. Local; does not throw.
  [[nodiscard]] bool is_loose() const;
};

/// Centre and size of the bounding box of nodes.
struct Extent {
  Vec3 centre = Vec3::Zero();
  double length = 0;  ///< length of its diagonal [m]
};
/// Extent of all nodes at their present positions. Collective.
[[nodiscard]] Extent extent_of(const core::Comm& comm, const dist::Mesh& mesh);

}  // namespace brisance::sim
