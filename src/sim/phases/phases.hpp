/// All phases of a step over one model.
#pragma once

#include "contact_phase.hpp"
#include "crack_phase.hpp"
#include "dust_release.hpp"
#include "energy_ledger.hpp"
#include "load_phase.hpp"
#include "prescribed_motion.hpp"
#include "step_limits.hpp"
#include "work_balance.hpp"

namespace brisance::sim {

struct Phases {
  explicit Phases(Model& model)
      : motion(model),
        limits(model),
        loads(model, motion, limits),
        contact(model, limits),
        cracks(model, limits),
        ledger(model, contact),
        dust(model, contact, ledger),
        balance(model) {}
  Phases(const Phases&) = delete;  // they refer to each other
  Phases& operator=(const Phases&) = delete;

  PrescribedMotion motion;
  StepLimits limits;
  LoadPhase loads;
  ContactPhase contact;
  CrackPhase cracks;
  EnergyLedger ledger;
  DustRelease dust;
  WorkBalance balance;
};

}  // namespace brisance::sim
