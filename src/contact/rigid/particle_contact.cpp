#include "brisance/contact/rigid/particle_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace brisance::contact {

namespace {

/// Steps of free fall whose speed gives no rebound.
constexpr double kRestingSteps = 4;
/// Lever of the rolling resistance over the radius: a grain is not a perfect ball.
constexpr double kRollingLever = 0.3;
/// Depth that remains, over the radius: a particle at rest is in contact in every step, in spite of rounding.
constexpr double kStaysIn = 1e-6;

/// Resistance along the surface: friction, and the couple against rolling.
struct Resistance {
  Vec3 friction = Vec3::Zero();  ///< [N s]
  Vec3 couple = Vec3::Zero();    ///< [N m s]
};

/// Friction and couple that bring the particle to rest on the body, if both suffice; else friction stops the slip and
/// then the couple the rolling, each up to its limit.
Resistance resistance(const Particle& p, const Vec3& arm, const Vec3& turning, const Vec3& slip, double inverse_mass,
                      const std::array<double, 2>& most) {
  const Vec3 rolling = p.angular_momentum - p.inertia * turning;
  const Vec3 slip_without_rolling = slip - (rolling / p.inertia).cross(arm);
  const Vec3 to_rest = -slip_without_rolling / inverse_mass, couple_to_rest = -(rolling + arm.cross(to_rest));
  if (to_rest.norm() <= most[0] && couple_to_rest.norm() <= most[1]) return {to_rest, couple_to_rest};
  Resistance found;
  const double stops = slip.norm() / (inverse_mass + arm.squaredNorm() / p.inertia);
  if (stops > 0) found.friction = -std::min(most[0], stops) * slip.normalized();
  const Vec3 left = rolling + arm.cross(found.friction);
  if (const double spin = left.norm(); spin > 0) found.couple = -std::min(1.0, most[1] / spin) * left;
  return found;
}

/// Removes the velocity into the body, the slip and the rolling. `surface`: the body's, at the particle's centre.
ParticleImpulse push_out(const RigidColliders& colliders, std::size_t body, const SurfaceDistance& surface,
                         double resting_speed, Particle& p) {
  const Vec3& n = surface.normal;
  const Vec3 arm = -surface.distance * n;  // both sides feel the impulse at one point: angular momentum is kept
  ParticleImpulse push{.body = body, .impulse = Vec3::Zero(), .couple = Vec3::Zero(), .point = Vec3(p.position + arm)};
  const Vec3 velocity =
      p.velocity + p.angular_momentum.cross(arm) / p.inertia - velocity_of(colliders, body, push.point);
  const double approach = -velocity.dot(n);
  if (!(approach > 0)) return push;

  const double inverse_mass = 1 / p.mass + colliders.mobility_of(body);
  const double e = approach > resting_speed ? restitution_of(colliders, body) : 0;
  const double normal = (1 + e) * approach / inverse_mass;
  const Resistance along =
      resistance(p, arm, colliders.states()[body].angular_velocity, velocity + approach * n, inverse_mass,
                 {colliders.parameters(body).friction * normal, kRollingLever * p.radius * normal});
  push.impulse = normal * n + along.friction;
  push.couple = along.couple;
  p.velocity += push.impulse / p.mass;
  p.angular_momentum += arm.cross(push.impulse) + push.couple;
  return push;
}

}  // namespace

double room_between(const RigidColliders& colliders, const Particle& particle) {
  double room = particle.radius;
  for (std::size_t b = 0; b < colliders.size(); ++b)
    if (const auto surface = colliders.surface_near(b, particle.position, particle.radius))
      room = std::min(room, surface->distance);
  return room;
}

bool move_particle(const RigidColliders& colliders, double dt_s, const Vec3& gravity, Particle& p,
                   std::vector<ParticleImpulse>& impulses) {
  bool touches = false;
  double room = p.radius;
  const double resting_speed = kRestingSteps * dt_s * gravity.norm();
  for (std::size_t b = 0; b < colliders.size(); ++b) {
    const auto surface = colliders.surface_near(b, p.position, p.radius);
    if (!surface) continue;
    room = std::min(room, surface->distance);
    if (!(surface->distance < p.contact_radius)) continue;
    if (!touches) p.velocity += dt_s * gravity;
    touches = true;
    const double depth = p.contact_radius - surface->distance;
    impulses.push_back(push_out(colliders, b, *surface, resting_speed, p));
    p.position += std::max(0.0, depth - kStaysIn * p.radius) * surface->normal;
  }
  p.contact_radius = std::min(p.radius, std::max(p.contact_radius, room));
  if (touches) {
    p.position += dt_s * p.velocity;
    return true;
  }
  p.position += dt_s * (p.velocity + 0.5 * dt_s * gravity);
  p.velocity += dt_s * gravity;
  return false;
}

}  // namespace brisance::contact
