/// The energy accounts of an implicit step.
#include "brisance/sim/fields.hpp"

#include "sim/phases/watched_energy.hpp"
#include "trial_step.hpp"

#include <fmt/format.h>

namespace brisance::sim {

// M Δv = h F gives ½ v·M v − ½ v₀·M v₀ = d·F − Δv·M (d/h − ½ (v + v₀)) with the displacement d. Numerical loss is the
// last term, plus the elastic energy released less the work of the elastic forces of the equations along d. The
// difference between M Δv/h and the sum of all forces does work that is in no other account (`unexplained`).
void ImplicitDynamics::find_account(const dynamics::StepEquation& equation, Trial& trial) const {
  Trial::Account& account = trial.account = {};
  account.viscous.reserve(caches_.owned.size());
  account.supplied.reserve(caches_.owned.size());
  const double dt_s = equation.step_s, end_share = equation.needs_start_forces() ? equation.force_share : 1;
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const dist::NodeMotion &before = mesh_.motion[n], &after = trial.motion[n];
    const double mass = mesh_.mass[n];
    const Vec3 v(after.velocity), v_before(before.velocity), change = v - v_before;
    const Vec3 displacement = Vec3(after.position) - Vec3(before.position);
    const auto damping = [&](const dist::NodeForce& force, const Vec3& velocity) -> Vec3 {
      return Vec3(force.viscous) - scene_.time.mass_damping_per_s * mass * velocity;
    };
    const dist::NodeForce& here = trial.internal[n];
    Vec3 damped = damping(here, v), smooth = equation.damping_weight() * smooth_force(n, here, v) / dt_s;
    if (equation.needs_start_forces()) {
      damped = end_share * damped + (1 - end_share) * damping(trial.start_forces[n], v_before);
      smooth += trial.start_impulse[static_cast<std::size_t>(i)] / dt_s;
    }
    account.viscous.push_back(-damped.dot(displacement));
    account.numerical.add(mass * change.dot(displacement / dt_s - 0.5 * (v + v_before)));
    const Vec3 elastic = smooth - damped - mass * scene_.gravity;
    account.numerical.add(-elastic.dot(displacement));
    const dynamics::ConstrainedAxes held = trial.held[static_cast<std::size_t>(i)];
    const Vec3 contact = equation.force_share * (Vec3(trial.forces[n].force) - Vec3(here.force));
    double supplied = 0;
    for (int k = 0; k < 3; ++k) {
      const double work = displacement[k] * (mass * change[k] / dt_s - smooth[k] - contact[k]);
      if ((held >> k & 1) != 0)
        supplied += work;
      else
        account.unexplained.add(work);
    }
    account.supplied.push_back(supplied);
  }
  account.numerical.add(trial.elastic_before);
  account.numerical.subtract(trial.elastic);
}

void ImplicitDynamics::book(const Trial& trial) {
  auto &viscous = mesh_.field(kViscousWork), &supplied = mesh_.field(kSuppliedWork);
  for (std::size_t k = 0; k < caches_.owned.size(); ++k) {
    const LocalNode n(caches_.owned[k]);
    viscous[n] += trial.account.viscous[k];
    supplied[n] += trial.account.supplied[k];
  }
  state_.numerical_loss.add(trial.account.numerical);
}

// The equations of a step ignore rotations of elements and closing contacts within it, which can add energy.
bool ImplicitDynamics::gains_energy(Trial& trial) const {
  enum { kGain, kStored, kCount };
  std::vector<core::ExactSum> sums(kCount);
  sums[kGain] = trial.account.unexplained;
  sums[kGain].subtract(trial.account.numerical);
  for (std::int32_t i : caches_.owned)
    sums[kStored].add(0.5 * mesh_.mass[LocalNode(i)] * Vec3(trial.motion[LocalNode(i)].velocity).squaredNorm());
  sums[kStored].add(trial.elastic);
  core::ExactSum::reduce(comm_, sums);
  const double gain_j = sums[kGain].value(), stored_j = sums[kStored].value();
  if (!(gain_j > kEnergyTolerance * stored_j)) return false;
  trial.failure = fmt::format("it would gain {:.3g} J out of nothing, beside {:.3g} J of kinetic and elastic energy",
                              gain_j, stored_j);
  return true;
}

}  // namespace brisance::sim
