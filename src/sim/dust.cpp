#include "brisance/sim/dust.hpp"

#include <algorithm>

namespace brisance::sim {

namespace {

Vec3 vec(const std::array<double, 3>& a) { return Vec3(a.data()); }
std::array<double, 3> array(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

contact::Particle particle_of(const DustParticle& dust) {
  return {.position = vec(dust.position),
          .velocity = vec(dust.velocity),
          .angular_momentum = vec(dust.angular_momentum),
          .mass = dust.mass,
          .inertia = dust.inertia,
          .radius = dust.radius,
          .contact_radius = dust.contact_radius};
}

void Dust::add(const core::Comm& comm, std::span<const DustParticle> born) {
  for (const DustParticle& particle : born)
    if (is_here(comm, particle)) particles_.push_back(particle);
  std::ranges::sort(particles_, {}, &DustParticle::id);
}

void Dust::move(contact::RigidColliders& colliders, double dt_s, const Vec3& gravity) {
  blows_.clear();
  lost_by_particles_ = {};
  std::vector<contact::ParticleImpulse> impulses;
  for (DustParticle& dust : particles_) {
    contact::Particle p = particle_of(dust);
    const double before_j = p.kinetic_energy(), height = gravity.dot(p.position);
    impulses.clear();
    if (contact::move_particle(colliders, dt_s, gravity, p, impulses)) {
      lost_by_particles_.add(before_j - p.kinetic_energy());
      lost_by_particles_.add(p.mass * (gravity.dot(p.position) - height));
    }
    for (const contact::ParticleImpulse& by : impulses) {
      colliders.push(by.body, -by.impulse / dt_s, -by.couple / dt_s, by.point);
      blows_.push_back(
          {by, contact::velocity_of(colliders, by.body, by.point), colliders.states()[by.body].angular_velocity});
    }
    dust.position = array(p.position);
    dust.velocity = array(p.velocity);
    dust.angular_momentum = array(p.angular_momentum);
    dust.contact_radius = p.contact_radius;
  }
}

// What a body takes up or gives is the impulse times the mean of its velocities before and after the step.
void Dust::book(const contact::RigidColliders& colliders, contact::ContactWork& work) {
  work.dissipated.add(lost_by_particles_);
  for (const Blow& blow : blows_) {
    const contact::ParticleImpulse& by = blow.by;
    const auto motion = colliders.parameters(by.body).motion;
    if (motion == contact::ColliderMotion::fixed) continue;
    const Vec3 velocity = 0.5 * (blow.velocity + contact::velocity_of(colliders, by.body, by.point)),
               turning = 0.5 * (blow.turning + colliders.states()[by.body].angular_velocity);
    const double given_j = by.impulse.dot(velocity) + by.couple.dot(turning);
    work.dissipated.add(given_j);
    if (motion == contact::ColliderMotion::path) work.supplied.add(given_j);
  }
  blows_.clear();
  lost_by_particles_ = {};
}

core::ExactSum Dust::kinetic_energy() const {
  core::ExactSum sum;
  for (const DustParticle& dust : particles_) sum.add(particle_of(dust).kinetic_energy());
  return sum;
}

core::ExactSum Dust::gravity_energy(const Vec3& gravity) const {
  core::ExactSum sum;
  for (const DustParticle& dust : particles_) sum.add(-dust.mass * gravity.dot(vec(dust.position)));
  return sum;
}

std::array<core::ExactSum, 3> Dust::momentum() const {
  std::array<core::ExactSum, 3> sum;
  for (const DustParticle& dust : particles_)
    for (std::size_t k = 0; k < 3; ++k) sum[k].add(dust.mass * dust.velocity[k]);
  return sum;
}

core::ExactSum Dust::mass() const {
  core::ExactSum sum;
  for (const DustParticle& dust : particles_) sum.add(dust.mass);
  return sum;
}

std::vector<DustParticle> Dust::gathered(const core::Comm& comm) const {
  std::vector<DustParticle> all = comm.all_gather(std::span<const DustParticle>(particles_));
  std::ranges::sort(all, {}, &DustParticle::id);
  return all;
}

}  // namespace brisance::sim
