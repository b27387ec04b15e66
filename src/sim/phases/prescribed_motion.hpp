/// Dirichlet conditions in a step: regions that hold their nodes or move them as told.
#pragma once

#include "brisance/sim/phases/model.hpp"

namespace brisance::sim {

class PrescribedMotion : ModelView {
public:
  explicit PrescribedMotion(Model& model) : ModelView(model) {}

  /// Which components of a node's velocity its regions prescribe now. Local.
  [[nodiscard]] std::array<bool, 3> constrained_axes(LocalNode n) const;
  /// Puts constrained nodes where their regions take them over this step. Local.
  /// @param before  their motion at its start, beside NodeCaches::prescribed
  void apply(double dt_s, const std::vector<dist::NodeMotion>& before, std::span<dist::NodeMotion> after) const;
  /// The same in the mesh, with the work and the reactions of the constraints. Local.
  void prescribe(double dt_s, const std::vector<dist::NodeMotion>& before);
};

}  // namespace brisance::sim
