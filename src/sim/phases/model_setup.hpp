/// Sets up what a model derives from its mesh: from the uncut mesh before the first step, and caches of owned nodes.
#pragma once

#include "brisance/sim/phases/model.hpp"

namespace brisance::sim {

class ModelSetup : ModelView {
public:
  explicit ModelSetup(Model& model) : ModelView(model) {}

  /// Before the first step: fields that keep properties of the uncut mesh. Collective.
  void note_uncut_mesh();
  /// Sets the initial plastic strains of materials. Local.
  void start_plastic_strain();
  /// Sets the wave speed of each node's material, for crushed ones that before crushing, then the caches and bounds of
  /// contact. Collective.
  void note_wave_speeds();
  /// Rebuilds the caches after a change of owned nodes. Local.
  void rebuild_caches();

private:
  /// Graded and crushed forms share the largest inverse altitude of their material.
  void share_uncut_altitudes();
};

}  // namespace brisance::sim
