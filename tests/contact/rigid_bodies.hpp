/// Contact between rigid bodies in tests: their step, and the energy account of all of them.
#pragma once

#include "brisance/contact/rigid/rigid_contact.hpp"

namespace brisance::contact::testing {

constexpr double kStep = 2e-5;  ///< [s]

/// Kinetic, potential and stored energy plus losses minus supply: constant except for the integrator's error [J].
inline double total_energy(const RigidColliders& bodies, const Vec3& gravity) {
  const auto between = bodies.between_bodies().energies();
  double total = between.stored + between.dissipated - between.supplied;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies.parameters(b).motion != ColliderMotion::free) continue;
    total += kinetic_energy(bodies, b) - bodies.parameters(b).mass_kg * gravity.dot(bodies.states()[b].position);
  }
  return total;
}

inline void advance(RigidColliders& bodies, double duration_s, const Vec3& gravity) {
  for (int step = 1; step <= static_cast<int>(duration_s / kStep); ++step)
    bodies.advance(core::Comm(), step * kStep, kStep, gravity);
}

}  // namespace brisance::contact::testing
