/// Contact of small round particles with rigid bodies: impulses instead of springs, so that they bound no step.
#pragma once

#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/types.hpp"

#include <cstddef>
#include <vector>

namespace brisance::contact {

/// A ball. If a body is nearer than the radius when the ball begins to move, its contact radius stays smaller until it
/// has left the body, so that no impulse throws it out.
struct Particle {
  Vec3 position = Vec3::Zero();          ///< centre [m]
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< about the centre [kg m²/s]
  double mass = 0;                       ///< [kg]
  double inertia = 0;                    ///< about any axis [kg m²]
  double radius = 0;                     ///< [m]
  double contact_radius = 0;             ///< radius that contact counts, at most `radius` [m]

  [[nodiscard]] double kinetic_energy() const {
    return 0.5 * mass * velocity.squaredNorm() + 0.5 * angular_momentum.squaredNorm() / inertia;
  }
};

/// Impulse of a body on a particle in one step; the body gets the opposite one.
struct ParticleImpulse {
  std::size_t body = 0;
  Vec3 impulse = Vec3::Zero();  ///< [N s]
  Vec3 couple = Vec3::Zero();   ///< rolling resistance [N m s]
  Vec3 point = Vec3::Zero();    ///< point of application [m]
};

/// Largest contact radius of a particle between the bodies: its radius, or the distance to the nearest body if that is
/// smaller. Local.
[[nodiscard]] double room_between(const RigidColliders& colliders, const Particle& particle);

/// One step of a particle. In free flight its path is exact. Where it touches a body it is moved out along the normal
/// and gets the impulse
///
///   Jₙ = −(1 + e) vₙ / (1/m + w),  Jₜ ≤ μ Jₙ against the slip,  a couple ≤ 0.3 r Jₙ against the rolling
///
/// with the body's restitution e (0 below the speed that gravity gives in a few steps), friction μ and mobility w (0
/// unless the body is free). Bodies act in their order. The impulses are appended to `impulses`. Local; does not throw.
/// @return true if it touched a body
bool move_particle(const RigidColliders& colliders, double dt_s, const Vec3& gravity, Particle& particle,
                   std::vector<ParticleImpulse>& impulses);

}  // namespace brisance::contact
