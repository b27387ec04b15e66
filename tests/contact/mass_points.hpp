/// Mass points without elements between them, stepped by symplectic Euler as in the time loop, to test contact alone.
#pragma once

#include "brisance/contact/rigid/rigid_contact.hpp"

#include <vector>

namespace brisance::contact::testing {

struct MassPoints {
  std::vector<dist::NodeMotion> motion{1};  // slot 0 is nobody
  std::vector<double> mass{0.0}, wave_frequency{0.0}, offset{0.0};
  std::vector<std::int32_t> owned;
  std::vector<dist::NodeForce> forces{1};

  std::int32_t add(const Vec3& x, const Vec3& v, double m, double frequency = 0) {
    motion.push_back({{x[0], x[1], x[2], 0}, {v[0], v[1], v[2], 0}});
    mass.push_back(m);
    wave_frequency.push_back(frequency);
    offset.push_back(0);
    forces.push_back({});
    owned.push_back(static_cast<std::int32_t>(motion.size() - 1));
    return owned.back();
  }
  [[nodiscard]] ContactNodes view() const { return {motion, mass, wave_frequency, owned}; }
  [[nodiscard]] Vec3 position(std::int32_t i) const {
    return Vec3(motion[i].position[0], motion[i].position[1], motion[i].position[2]);
  }
  [[nodiscard]] Vec3 velocity(std::int32_t i) const {
    return Vec3(motion[i].velocity[0], motion[i].velocity[1], motion[i].velocity[2]);
  }
  [[nodiscard]] Vec3 force(std::int32_t i) const {
    return Vec3(forces[i].force[0], forces[i].force[1], forces[i].force[2]);
  }

  void find_forces(RigidColliders& colliders, double dt, const Vec3& gravity) {
    for (auto& f : forces) f = {};
    colliders.add_forces(view(), dt, gravity, offset, forces);
  }
  void integrate(double dt, const Vec3& gravity) {
    for (const std::int32_t i : owned)
      for (int k = 0; k < 3; ++k) {
        motion[i].velocity[k] += dt * (forces[i].force[k] / mass[i] + gravity[k]);
        motion[i].position[k] += dt * motion[i].velocity[k];
      }
  }
  /// One whole step that ends at `time`.
  void step(const core::Comm& comm, RigidColliders& colliders, double time, double dt, const Vec3& gravity) {
    find_forces(colliders, dt, gravity);
    colliders.advance(comm, time, dt, gravity);
    integrate(dt, gravity);
  }
  [[nodiscard]] double kinetic_energy() const {
    double energy = 0;
    for (const std::int32_t i : owned) energy += 0.5 * mass[i] * velocity(i).squaredNorm();
    return energy;
  }
};

}  // namespace brisance::contact::testing
