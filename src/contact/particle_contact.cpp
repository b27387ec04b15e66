#include "brisance/contact/particle_contact.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// Steps of free fall whose speed does not bounce.
constexpr double kRestingSteps = 4;
/// Lever of the couple that resists rolling, over the radius: a grain is no ball.
constexpr double kRollingLever = 0.3;

/// Takes the velocity into the body, the slip and the rolling away. `surface`: of the body, at the particle's centre.
ParticleImpulse push_out(const RigidColliders& colliders, std::size_t body, const SurfaceDistance& surface,
                         double resting_speed, Particle& p) {
  const Vec3& n = surface.normal;
  const double radius = std::max(0.0, p.contact_radius);
  ParticleImpulse push{
      .body = body, .impulse = Vec3::Zero(), .couple = Vec3::Zero(), .point = p.position - surface.distance * n};
  const Vec3 arm = -radius * n;
  const Vec3 slip = p.velocity + p.angular_momentum.cross(arm) / p.inertia - colliders.velocity_of(body, push.point);
  const double approach = -slip.dot(n);
  if (!(approach > 0)) return push;

  const double of_body = colliders.mobility_of(body);
  const double e = approach > resting_speed ? colliders.restitution_of(body) : 0;
  const double normal = (1 + e) * approach / (1 / p.mass + of_body);
  const Vec3 along = slip + approach * n;
  const double friction = std::min(colliders.parameters(body).friction * normal,
                                   along.norm() / (1 / p.mass + radius * radius / p.inertia + of_body));
  push.impulse = normal * n;
  if (friction > 0) push.impulse -= friction * along.normalized();
  p.velocity += push.impulse / p.mass;
  p.angular_momentum += arm.cross(push.impulse);

  const Vec3 rolling = p.angular_momentum - p.inertia * colliders.states()[body].angular_velocity;
  const double most = kRollingLever * radius * normal;
  if (const double spin = rolling.norm(); spin > 0) push.couple = -std::min(1.0, most / spin) * rolling;
  p.angular_momentum += push.couple;
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
    p.position += depth * surface->normal;
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
