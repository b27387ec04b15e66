#include "penalty_law.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

PenaltySpring penalty_spring(const ColliderParameters& law, double mass, double wave_frequency) {
  const double chosen = law.stiffness_scale * mass * wave_frequency * wave_frequency;
  const double stiffness = law.stiffness_n_per_m > 0 ? law.stiffness_n_per_m : chosen;
  return {stiffness, 2 * law.damping_ratio * std::sqrt(stiffness * mass)};
}

PenaltyForce penalty_force(const PenaltySpring& spring, double friction, const Penetration& penetration) {
  const Vec3& normal = penetration.normal;
  const double elastic = spring.stiffness * penetration.depth;
  // Cut off at zero: a damper that pulls would make the body sticky (VALIDATION E1).
  const double pressing = std::max(0.0, elastic - spring.damping * penetration.velocity.dot(normal));
  PenaltyForce force{elastic * normal, (pressing - elastic) * normal};

  const Vec3 slip = penetration.expected_velocity - penetration.expected_velocity.dot(normal) * normal;
  const double speed = slip.norm();
  if (speed > 0) {
    const double magnitude = std::min(friction * pressing, penetration.slip_inertia * speed);
    force.dissipative -= magnitude / speed * slip;
  }
  return force;
}

}  // namespace brisance::contact
