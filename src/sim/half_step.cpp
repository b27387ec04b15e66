/// The half step between what symplectic Euler's velocities and works belong to and where its positions are.
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

// p += dt v with the velocity of the middle of the step. So after a step velocities, and what was lost and supplied
// with them, are those of half a step before the positions. Both are led on to the positions' time with the forces of
// the step: kinetic energy by m v·Δv/2 + m Δv²/8 where Δv is the step's change of velocity, works by half of the
// step's. Without this the account of a run is off by O(dt) while a force works, with it by O(dt²).
Simulation::HalfStep Simulation::half_step() const {
  HalfStep half;
  if (scene_.time.integrator != dynamics::Integrator::symplectic_euler || num_steps_ == 0) return half;
  auto add = [&](LocalNode n, const Vec3& change) {
    const Vec3 v(mesh_.motion[n].velocity);
    half.kinetic.add(mesh_.mass[n] * (0.5 * change.dot(v) + 0.125 * change.squaredNorm()));
    half.viscous.add(-0.25 * last_step_s_ * Vec3(forces_[n].viscous).dot(2 * v - change));
  };
  for (std::int32_t i : owned_) {
    const LocalNode n(i);
    if (mesh_.state[n].regions == 0)
      add(n, last_step_s_ * (mesh_.inverse_mass[n] * Vec3(forces_[n].force) + scene_.gravity));
  }
  for (std::size_t i = 0; i < prescribed_.size(); ++i) {
    add(LocalNode(prescribed_[i]), grips_[i].change);
    half.supplied.add(0.5 * grips_[i].work);
  }
  contact::ContactWork work;
  colliders_.add_work(mesh_.motion.span(), 0.5 * last_step_s_, work);
  half.supplied.add(work.supplied);
  half.contact_loss.add(work.dissipated);
  return half;
}

}  // namespace brisance::sim
