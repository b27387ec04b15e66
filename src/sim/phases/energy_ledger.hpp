/// The energy ledger: stored energies, losses, supplied work, and the energy added by changes of the step.
#pragma once

#include "contact_phase.hpp"

namespace brisance::sim {

class EnergyLedger : ModelView {
public:
  EnergyLedger(Model& model, const ContactPhase& contact) : ModelView(model), contact_(contact) {}

  /// Totals of the run, with the same bits on any number of ranks. Collective.
  [[nodiscard]] Energies energies() const;
  /// Crack area by the state of its cohesive links; zero without cohesive cracks. Collective.
  [[nodiscard]] CohesiveArea cohesive_area() const;
  /// Shifts the accounts of this rank's nodes by half a step, to the time of the positions. Local.
  [[nodiscard]] HalfStep half_step() const;  // half_step.cpp
  /// Books the energy added by a step of another length or with other step classes. Local.
  void book_change_of_step(double dt_s);
  // time.watch_energy. Collective
  void start_watch();
  void watch();

private:
  const ContactPhase& contact_;
};

}  // namespace brisance::sim
