/// Forces of tets that overlap on their nodes in an explicit step: pressure, damping and friction.
#pragma once

#include "brisance/contact/overlap/pair_overlap.hpp"
#include "brisance/contact/overlap/touching_tets.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// A node of contact, as its owner knows it.
struct OverlapNode {
  std::array<double, 3> position, velocity;  ///< [m], [m/s]
  std::array<double, 3> expected_velocity;   ///< at the end of the step without contact of bodies [m/s]
  double mass;                               ///< [kg]
};

/// What contact does to an owned node in a step.
struct OverlapForce {
  std::int32_t slot;
  Vec3 force;  ///< [N]
};

/// How the two tets of a pair move against each other at the centroid of what they share, and what answers there: a
/// quarter of its tet's mass for each corner, so that all tets of a node together count no more than the node has.
struct PairMotion {
  Vec3 normal;     ///< of the common area, out of a and into b
  double area;     ///< [m²]
  double inertia;  ///< [kg]
  double spring;   ///< of the common area along its normal [N/m]
};
/// A pair without a common area has none: its area is 0. Local.
[[nodiscard]] PairMotion pair_motion(const PairOverlap& pair, std::span<const ContactTet> tets,
                                     const TouchingTets& touching);

/// Velocity of a past b at the centroid of what they share [m/s]. Local.
/// @param velocity  which one
[[nodiscard]] Vec3 relative_velocity(const PairOverlap& pair, std::span<const ContactTet> tets,
                                     std::span<const OverlapNode> nodes,
                                     std::array<double, 3> OverlapNode::*velocity);

/// How a step asks for forces.
struct PairForceLaw {
  double damping_ratio;  ///< ζ [–]
  double friction;       ///< μ [–]
  double dt_s;
};

/// Sums over all pairs, in their order, on owned nodes, by ascending slot:
///
///   f = −Σ (p_A + p_B) ∂V(A ∩ B)/∂x,   the gradient of Σ V₀ κ q²/2 (VALIDATION E5),
///
/// and at the centroid of A ∩ B, on the corners by its barycentric coordinates, a damper along the normal of the common
/// area, 2 ζ √(spring · inertia), that never pulls, and Coulomb's friction across it against the slip expected at the
/// end of the step, so that what lies within the friction cone sticks. All keep momentum and angular momentum.
/// @param num_slots  of nodes that may be owned here; others have higher numbers
/// Local.
[[nodiscard]] std::vector<OverlapForce> pair_forces(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs,
                                                    const TouchingTets& touching, std::span<const OverlapNode> nodes,
                                                    std::size_t num_slots, const PairForceLaw& law);

}  // namespace brisance::contact
