/// The energy ledger: what is stored where, what was lost to what, and what a change of the step puts in.
#pragma once

#include "contact_phase.hpp"

namespace brisance::sim {

class EnergyLedger : ModelView {
public:
  EnergyLedger(Model& model, const ContactPhase& contact) : ModelView(model), contact_(contact) {}

  /// Exact sums: the same bits on any number of ranks. Collective.
  [[nodiscard]] Energies energies() const;
  /// New crack area; nothing where crack faces are free of traction. Collective.
  [[nodiscard]] CohesiveArea cohesive_area() const;
  /// What shifts the accounts of this rank's nodes to the time of the positions. Local.
  [[nodiscard]] HalfStep half_step() const;  // half_step.cpp
  /// Of a step of another length or of other classes. Local.
  void book_change_of_step(double dt_s);
  // steps that watch the total energy
  void start_watch();
  void watch();

private:
  const ContactPhase& contact_;
};

}  // namespace brisance::sim
