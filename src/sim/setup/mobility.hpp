/// Whether what holds a body leaves it a rigid motion.
#pragma once

#include "brisance/core/comm.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/mesh.hpp"
#include "brisance/dynamics/step_matrix.hpp"

#include <Eigen/Core>

namespace brisance::sim {

/// Σ g gᵀ over what is held, g being what a rigid motion (a shift, a turn about the origin) does to it.
struct Mobility {
  Eigen::Matrix<double, 6, 6> held = Eigen::Matrix<double, 6, 6>::Zero();

  /// @param place  of a node, in units of the extent of all
  void hold(const Vec3& place, dynamics::ConstrainedAxes axes);
  /// Is there a rigid motion that nothing holds?
  [[nodiscard]] bool is_loose() const;
};

/// Of the box around nodes.
struct Extent {
  Vec3 centre = Vec3::Zero();
  double length = 0;  ///< of its diagonal [m]
};
/// As they are now. Collective.
[[nodiscard]] Extent extent_of(const core::Comm& comm, const dist::Mesh& mesh);

}  // namespace brisance::sim
