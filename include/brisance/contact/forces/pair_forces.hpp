/// Forces of tets that overlap on their nodes in an explicit step: pressure, damping and friction.
#pragma once

#include "brisance/contact/forces/pair_overlap.hpp"
#include "brisance/contact/forces/touching_tets.hpp"
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
  double num_pairs;                          ///< entries of the list of pairs that it is a corner in
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
                                     std::span<const OverlapNode> nodes, std::array<double, 3> OverlapNode::*velocity);

/// How a step asks for forces.
struct PairForceLaw {
  double damping_ratio;  ///< ζ [–]
  double friction;       ///< μ [–]
  double dt_s;
};

/// Forces of all pairs, summed in their order:
///
///   f = −Σ (p_A + p_B) ∂V(A ∩ B)/∂x,   the gradient of Σ V₀ κ q²/2 (VALIDATION E5),
///
/// and at the centroid of A ∩ B, on the corners by its barycentric coordinates, a damper along the normal of the common
/// area, 2 ζ √(spring · inertia), that never pulls, and Coulomb's friction across it. All keep momentum and angular
/// momentum. Friction is what stops the slip that is expected at the end of the step, within the cone: pairs share
/// nodes, so it is found in sweeps (Jacobi's, with each node's mass divided among its pairs).
class PairForces {
public:
  /// @param num_slots  of nodes that may be owned here; others have higher numbers
  PairForces(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs, std::size_t num_slots);
  /// Pressures and dampers. Local.
  void press(const TouchingTets& touching, std::span<const OverlapNode> nodes, const PairForceLaw& law);
  /// One sweep; expected velocities of owned nodes follow, and ghosts' have to before the next. Local.
  void add_friction(std::span<OverlapNode> nodes, const PairForceLaw& law);
  /// On owned nodes, by ascending slot. Local.
  [[nodiscard]] std::vector<OverlapForce> sums() const;

private:
  /// At the centroid, on a [N].
  struct AtCentroid {
    double pressure = 0;  ///< of both tets [Pa]
    double share = 0;     ///< mass that answers to the pair alone, at its centroid [kg]
    double pressing = 0;
    Vec3 normal = Vec3::Zero(), damper = Vec3::Zero(), friction = Vec3::Zero();
  };
  template <class Action>
  void for_each_owned_corner(std::size_t pair, const Action& action) const;

  std::span<const ContactTet> tets_;
  std::span<const PairOverlap> pairs_;
  std::size_t num_slots_;
  std::vector<AtCentroid> at_;  ///< beside pairs_
};

}  // namespace brisance::contact
