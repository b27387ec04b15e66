/// The force between one node and one body: spring, damper without adhesion, Coulomb friction.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/core/types.hpp"

namespace brisance::contact {

/// Spring and damper between a node and a body.
struct PenaltySpring {
  double stiffness = 0;  ///< k [N/m]
  double damping = 0;    ///< c = 2 ζ √(k m) [N s/m]
};
[[nodiscard]] PenaltySpring penalty_spring(const ColliderParameters& law, double mass, double wave_frequency);

/// State of a node inside a body, relative to the body.
struct Penetration {
  double depth = 0;              ///< beyond the contact offset [m], positive
  Vec3 normal = Vec3::UnitZ();   ///< outward
  Vec3 velocity = Vec3::Zero();  ///< velocity relative to the body's surface, before the step [m/s]
  Vec3 expected_velocity =
      Vec3::Zero();         ///< the same at the end of the step if there were no friction and no contact [m/s]
  double slip_inertia = 0;  ///< force that changes the relative slip by 1 m/s within the step [N s/m]
};

struct PenaltyForce {
  Vec3 spring = Vec3::Zero();       ///< k d n [N]
  Vec3 dissipative = Vec3::Zero();  ///< (N − k d) n and friction [N]
};

/// N = max(0, k d − c v·n) along n, and friction min(μ N, slip_inertia |v_t|) against the expected slip v_t.
[[nodiscard]] PenaltyForce penalty_force(const PenaltySpring& spring, double friction, const Penetration& penetration);

}  // namespace brisance::contact
