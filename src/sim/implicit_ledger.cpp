/// What an implicit step does to the accounts of energy.
#include "brisance/dist/home_elements.hpp"
#include "brisance/dynamics/corotational.hpp"
#include "brisance/sim/fields.hpp"

#include "implicit_attempt.hpp"

namespace brisance::sim {

// M Δv = h F gives ½ v·M v − ½ v₀·M v₀ = d·F − Δv·M (d/h − ½ (v + v₀)), d being the way gone: the last term is lost,
// and so is what elastic forces as the equations have them, times the way, fall short of the energy that they have
// released. What the forces of the equations lack of those there are is booked nowhere.
void ImplicitSteps::book(const dynamics::StepEquation& equation, std::span<const dist::NodeForce> internal,
                         const Attempt& attempt) {
  auto &viscous = mesh_.field(kViscousWork), &supplied = mesh_.field(kSuppliedWork);
  const double dt_s = equation.step_s, end_share = equation.looks_back() ? equation.force_share : 1;
  for (std::int32_t i : caches_.owned) {
    const LocalNode n(i);
    const dist::NodeMotion &before = mesh_.motion[n], &after = attempt.motion[n];
    const double mass = mesh_.mass[n];
    const Vec3 v(after.velocity), v_before(before.velocity), change = v - v_before;
    const Vec3 way = Vec3(after.position) - Vec3(before.position);
    const auto damping = [&](const dist::NodeForce& force, const Vec3& velocity) -> Vec3 {
      return Vec3(force.viscous) - scene_.time.mass_damping_per_s * mass * velocity;
    };
    const dist::NodeForce& here = internal[static_cast<std::size_t>(i)];
    Vec3 damped = damping(here, v), smooth = equation.damping_weight() * smooth_force(n, here, v) / dt_s;
    if (equation.looks_back()) {
      damped = end_share * damped + (1 - end_share) * damping(attempt.start_forces[n], v_before);
      smooth += attempt.start_impulse[static_cast<std::size_t>(i)] / dt_s;
    }
    viscous[n] -= damped.dot(way);
    state_.numerical_loss.add(mass * change.dot(way / dt_s - 0.5 * (v + v_before)));
    const Vec3 elastic = smooth - damped - mass * scene_.gravity;
    state_.numerical_loss.add(-elastic.dot(way));
    const dynamics::HeldAxes held = attempt.held[static_cast<std::size_t>(i)];
    if (held == 0) continue;
    const Vec3 contact = equation.force_share * (Vec3(attempt.forces[n].force) - Vec3(here.force));
    for (int k = 0; k < 3; ++k)
      if ((held >> k & 1) != 0) supplied[n] += way[k] * (mass * change[k] / dt_s - smooth[k] - contact[k]);
  }
  state_.numerical_loss.add(attempt.elastic_before);
  state_.numerical_loss.subtract(
      dynamics::corotational_energy(mesh_, attempt.motion.span(), scene_.time.strain, dist::home_elements(mesh_)));
}

}  // namespace brisance::sim
