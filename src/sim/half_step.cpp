/// The half step between what symplectic Euler's velocities and works belong to and where its positions are.
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/sim/simulation.hpp"

namespace brisance::sim {

// p += dt v with the velocity of the middle of the step. So after a step velocities, and what was lost and supplied
// with them, are those of half a step before the positions. Both are led on to the positions' time with the forces of
// the step: kinetic energy by m v·Δv/2 + m Δv²/8 where Δv is the change of velocity in a step, works by half of a
// step's. The step is the usual one: a shorter one, taken to land on a moment, does not bring the two together.
HalfStep Simulation::half_step() const {
  HalfStep half;
  if (scene_.time.integrator != dynamics::Integrator::symplectic_euler || state_.num_steps == 0) return half;
  const double dt_s = state_.usual_step_s;
  auto add = [&](LocalNode n, const Vec3& acceleration) {
    const Vec3 v(mesh_.motion[n].velocity), change = dt_s * acceleration;
    half.kinetic.add(mesh_.mass[n] * (0.5 * change.dot(v) + 0.125 * change.squaredNorm()));
    half.viscous.add(-0.25 * dt_s * Vec3(scratch_.forces[n].viscous).dot(2 * v - change));
  };
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    if (mesh_.field(dist::kRegions)[n] == 0)
      add(n, mesh_.inverse_mass[n] * Vec3(scratch_.forces[n].force) + scene_.gravity);
  }
  for (std::size_t i = 0; i < caches_.prescribed.size(); ++i) {
    add(LocalNode(caches_.prescribed[i]), scratch_.grips[i].acceleration);
    half.supplied.add(0.5 * dt_s * scratch_.grips[i].power);
  }
  contact::ContactWork work;
  colliders_.add_work(mesh_.motion.span(), 0.5 * dt_s, work);
  half.supplied.add(work.supplied);
  half.contact_loss.add(work.dissipated);
  return half;
}

}  // namespace brisance::sim
