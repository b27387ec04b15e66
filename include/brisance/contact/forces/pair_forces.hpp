/// Forces of overlapping tets on their nodes in an explicit step: pressure, damping and friction.
#pragma once

#include "brisance/contact/forces/pair_overlap.hpp"
#include "brisance/contact/forces/touching_tets.hpp"
#include "brisance/core/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace brisance::contact {

/// State of a node in contact, sent by its owner.
struct OverlapNode {
  std::array<double, 3> position, velocity;  ///< [m], [m/s]
  std::array<double, 3> expected_velocity;   ///< expected at the end of the step without this contact [m/s]
  double mass;                               ///< [kg]
  double num_pairs;                          ///< number of listed pairs that have the node as a corner
};

/// Contact force on an owned node in a step.
struct OverlapForce {
  std::int32_t slot;
  Vec3 force;  ///< [N]
};

/// Normal, area, inertia and stiffness of a pair at the centroid of its overlap. The inertia counts a quarter of its
/// tet's mass for each corner, so that all tets of a node together count no more than the node's mass.
struct PairMotion {
  Vec3 normal;     ///< normal of the common area, from a into b
  double area;     ///< common area [m²]
  double inertia;  ///< mass that resists relative motion [kg]
  double spring;   ///< stiffness of the common area along its normal [N/m]
};
/// Of a pair without a common area the area is 0. Local.
[[nodiscard]] PairMotion pair_motion(const PairOverlap& pair, std::span<const ContactTet> tets,
                                     std::span<const TouchingTet> touching);

/// Calls action(k, slot, weight) for the corners of a pair that are owned here: k is 0 to 3 for a's, 4 to 7 for b's,
/// and `weight` the corner's share of the velocity of a relative to b at the centroid of the overlap.
/// @param num_slots  number of slots of nodes that may be owned here; other nodes have higher numbers
template <class Action>
void for_each_owned_corner(const PairOverlap& pair, std::span<const ContactTet> tets, std::size_t num_slots,
                           const Action& action) {
  const ContactTet &a = tets[static_cast<std::size_t>(pair.a)], &b = tets[static_cast<std::size_t>(pair.b)];
  for (std::size_t k = 0; k < 8; ++k) {
    const std::int32_t number = k < 4 ? a.number[k] : b.number[k - 4];
    if (static_cast<std::size_t>(number) < num_slots) action(k, number, k < 4 ? pair.in_a[k] : -pair.in_b[k - 4]);
  }
}

/// Velocity of a relative to b at the centroid of their overlap [m/s]. Local.
/// @param velocity  which of the nodes' velocities
[[nodiscard]] Vec3 relative_velocity(const PairOverlap& pair, std::span<const ContactTet> tets,
                                     std::span<const OverlapNode> nodes, std::array<double, 3> OverlapNode::*velocity);

/// Constants of the pair forces in a step.
struct PairForceLaw {
  double damping_ratio;  ///< ζ [–]
  double friction;       ///< μ [–]
  double dt_s;
};

/// Forces of all pairs, summed in their order:
///
///   f = −Σ (p_A + p_B) ∂V(A ∩ B)/∂x,   the gradient of Σ V₀ κ q²/2 (VALIDATION E5),
///
/// and at the centroid of A ∩ B, distributed to the corners by its barycentric coordinates, a damper along the normal
/// of the common area, 2 ζ √(spring · inertia), that never pulls, and Coulomb friction across it. All keep momentum and
/// angular momentum. Friction stops the slip that is expected at the end of the step, within the friction cone. Since
/// pairs share nodes, it is found in Jacobi sweeps, with each node's mass divided among its pairs.
class PairForces {
public:
  /// @param num_slots  as in for_each_owned_corner
  PairForces(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs, std::size_t num_slots);
  /// Pressures and dampers. Local.
  void press(std::span<const TouchingTet> touching, std::span<const OverlapNode> nodes, const PairForceLaw& law);
  /// One friction sweep. It updates the expected velocities of owned nodes; those of ghosts must be exchanged before
  /// the next sweep. Local.
  void add_friction(std::span<OverlapNode> nodes, const PairForceLaw& law);
  /// Sums on owned nodes, by ascending slot. Local.
  [[nodiscard]] std::vector<OverlapForce> sums() const;

private:
  /// Forces on tet a at the centroid [N].
  struct AtCentroid {
    double pressure = 0;  ///< sum of both tets [Pa]
    double share = 0;     ///< inertia at the centroid that this pair alone may use [kg]
    double pressing = 0;
    Vec3 normal = Vec3::Zero(), damper = Vec3::Zero(), friction = Vec3::Zero();
  };

  std::span<const ContactTet> tets_;
  std::span<const PairOverlap> pairs_;
  std::size_t num_slots_;
  std::vector<AtCentroid> at_;  ///< parallel to pairs_
};

}  // namespace brisance::contact
