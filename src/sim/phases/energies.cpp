/// The energy ledger: exact sums of stored energies, losses and supplied work.
#include "brisance/dynamics/energies.hpp"

#include "brisance/contact/surface/surface_contact.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/fields.hpp"

#include "energy_ledger.hpp"

#include <array>

namespace brisance::sim {

Energies EnergyLedger::energies() const {
  enum {
    kKinetic,
    kGravity,
    kViscous,
    kSupplied,
    kMomentum,
    kElastic = kMomentum + 3,
    kPlastic,
    kContact,
    kContactLoss,
    kCut,
    kStepChange,
    kNumerical,
    kLoad,
    kOfLoads,
    kCohesive = kOfLoads + 3,
    kCohesiveLoss,
    kDust,
    kCount
  };
  std::vector<core::ExactSum> sums(kCount);
  const auto &viscous = mesh_.field(kViscousWork), &supplied = mesh_.field(kSuppliedWork);
  const auto& step_change = mesh_.field(kStepChangeWork);
  const HalfStep half = state_.kept_half_step ? *state_.kept_half_step : half_step();
  sums[kKinetic].add(half.kinetic);
  sums[kViscous].add(half.viscous);
  sums[kSupplied].add(half.supplied);
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const Vec3 v(mesh_.motion[n].velocity), p(mesh_.motion[n].position);
    sums[kKinetic].add(0.5 * mesh_.mass[n] * v.squaredNorm());
    sums[kGravity].add(-mesh_.mass[n] * scene_.gravity.dot(p));
    sums[kViscous].add(viscous[n]);
    sums[kSupplied].add(supplied[n]);
    sums[kStepChange].add(step_change[n]);
    for (int k = 0; k < 3; ++k) sums[kMomentum + k].add(mesh_.mass[n] * v[k]);
    if (scene_.loads.empty()) continue;
    sums[kLoad].add(mesh_.field(kLoadWork)[n]);
    for (std::size_t k = 0; k < 3; ++k) sums[kOfLoads + k].add(mesh_.field(kLoadImpulse)[n][k]);
  }
  const auto elements =
      dynamics::element_energies(element_spans(), mesh_.materials, mesh_.motion.span(), dist::home_elements(mesh_));
  sums[kElastic] =
      dynamics::is_implicit(scene_.time.integrator)
          ? dynamics::corotational_energy(mesh_, mesh_.motion.span(), scene_.time.strain, dist::home_elements(mesh_))
          : elements.elastic;
  sums[kPlastic] = elements.plastic_work;
  sums[kContact] = contact_energy();
  // The work taken by deformable contact less the energy stored in it is lost: in dampers, friction and cuts, and, of
  // either sign, where a point moves to another facet and by the finite step.
  const core::ExactSum stored_between_bodies = contact_.stored_between_bodies();
  sums[kContact].add(stored_between_bodies);
  sums[kSupplied].add(state_.contact_work.supplied);
  sums[kSupplied].add(sums[kLoad]);
  sums[kContactLoss] = state_.contact_work.dissipated;
  sums[kContactLoss].add(half.contact_loss);
  sums[kContactLoss].subtract(state_.surface_work);
  sums[kContactLoss].subtract(stored_between_bodies);
  sums[kCut] = state_.contact_cut_loss;
  sums[kCut].add(state_.crushing_loss);
  if (rounds_) sums[kCut].add(rounds_->counters().kinetic_energy_lost);
  sums[kStepChange].add(state_.contact_step_change);
  sums[kNumerical] = state_.numerical_loss;
  if (links_) {
    const fracture::CohesiveAccount account = links_->account(mesh_);
    sums[kCohesive] = account.stored;
    sums[kCohesiveLoss] = account.dissipated;
  }
  const DustAccount& dust = state_.dust;
  sums[kDust] = dust.loss;
  sums[kKinetic].add(dust_.kinetic_energy());
  sums[kGravity].add(dust_.gravity_energy(scene_.gravity));
  sums[kViscous].add(dust.viscous);
  sums[kSupplied].add(dust.supplied);
  sums[kSupplied].add(dust.load_work);
  sums[kStepChange].add(dust.step_change);
  sums[kPlastic].add(dust.plastic);
  sums[kCohesiveLoss].add(dust.torn_energy);
  sums[kLoad].add(dust.load_work);
  for (std::size_t k = 0; k < 3; ++k) {
    sums[kOfLoads + k].add(dust.load_impulse[k]);
    sums[kMomentum + k].add(dust_.momentum()[k]);
  }
  core::ExactSum::reduce(comm_, sums);

  Energies e;
  e.kinetic = sums[kKinetic].value();
  e.gravity = sums[kGravity].value();
  e.elastic = sums[kElastic].value();
  e.contact = sums[kContact].value();
  e.viscous_loss = sums[kViscous].value();
  e.plastic_loss = sums[kPlastic].value();
  e.contact_loss = sums[kContactLoss].value();
  e.cut_loss = sums[kCut].value();
  e.cohesive = sums[kCohesive].value();
  e.cohesive_loss = sums[kCohesiveLoss].value();
  e.supplied = sums[kSupplied].value();
  e.load_work = sums[kLoad].value();
  for (int k = 0; k < 3; ++k) e.load_impulse[k] = sums[kOfLoads + k].value();
  e.numerical_loss = sums[kNumerical].value();
  e.dust_loss = sums[kDust].value();
  for (int k = 0; k < 3; ++k) e.momentum[k] = sums[kMomentum + k].value();
  e.step_change = sums[kStepChange].value() + state_.body_step_change;
  const double steps = state_.last_step_s > 0 ? 0.5 * state_.half_shift_step_s / state_.last_step_s : 0;
  const auto between = colliders_.between_bodies().energies(steps);
  e.contact += between.stored;
  e.contact_loss += between.dissipated;
  e.supplied += between.supplied;
  for (std::size_t b = 0; b < colliders_.size(); ++b) {
    if (colliders_.parameters(b).motion != contact::ColliderMotion::free) continue;
    e.kinetic += colliders_.kinetic_energy_shifted(b, steps);
    e.collider_momentum += colliders_.parameters(b).mass_kg * colliders_.states()[b].velocity;
    e.gravity -= colliders_.parameters(b).mass_kg * scene_.gravity.dot(colliders_.states()[b].position);
  }
  return e;
}

CohesiveArea EnergyLedger::cohesive_area() const {
  if (!links_) return {};
  fracture::CohesiveAccount account = links_->account(mesh_);
  account.torn_area.add(state_.dust.torn_area);
  std::array<core::ExactSum, 3> sums{account.torn_area, account.tied_area, account.waiting_area};
  core::ExactSum::reduce(comm_, sums);
  return {.torn = sums[0].value(), .tied = sums[1].value(), .waiting = sums[2].value()};
}

}  // namespace brisance::sim
