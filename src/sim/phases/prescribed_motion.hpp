/// Dirichlet conditions in a step: regions that fix nodes or prescribe their motion.
#pragma once

#include "brisance/sim/phases/model.hpp"

namespace brisance::sim {

class PrescribedMotion : ModelView {
public:
  explicit PrescribedMotion(Model& model) : ModelView(model) {}

  /// The components of a node's velocity that its regions prescribe now. Local.
  [[nodiscard]] std::array<bool, 3> constrained_axes(LocalNode n) const;
  /// Sets the motion of constrained nodes at the end of this step. Local.
  /// @param before  their motion at its start, in the order of NodeCaches::prescribed
  void apply(double dt_s, const std::vector<dist::NodeMotion>& before, std::span<dist::NodeMotion> after) const;
  /// The same in the mesh; also books the work of the constraints and keeps their reactions. Local.
  void prescribe(double dt_s, const std::vector<dist::NodeMotion>& before);
};

}  // namespace brisance::sim
