/// What a model remembers of its mesh: of the uncut one before the first step, of owned nodes whenever those change.
#pragma once

#include "brisance/sim/phases/model.hpp"

namespace brisance::sim {

class ModelSetup : ModelView {
public:
  explicit ModelSetup(Model& model) : ModelView(model) {}

  /// Before the first step: what nodes remember of the uncut mesh. Collective.
  void note_uncut_mesh();
  /// What materials have flowed before the run. Local.
  void start_plastic_strain();
  /// Of the nodes' materials, crushed ones counting as what they were; with it the caches and bounds of contact.
  /// Collective.
  void note_wave_speeds();
  /// Owned nodes have changed. Local.
  void rebuild_caches();

private:
  /// Graded forms and crushed ones are part of the uncut mesh of what they are forms of.
  void share_uncut_altitudes();
};

}  // namespace brisance::sim
