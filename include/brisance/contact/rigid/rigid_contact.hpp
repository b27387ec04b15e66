/// Contact of a breakable object's nodes with rigid bodies: the bodies, the penalty law and its energy account.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/rigid/body_contacts.hpp"
#include "brisance/contact/rigid/body_state.hpp"
#include "brisance/contact/rigid/node_contact.hpp"
#include "brisance/contact/shapes/rigid_shape.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/element_block.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace brisance::contact {

/// Node data that contact reads, by node slot, as plain spans: contact does not depend on the mesh.
struct ContactNodes {
  std::span<const dist::NodeMotion> motion;
  std::span<const double> mass;            ///< lumped mass [kg], positive for every owned node
  std::span<const double> wave_frequency;  ///< c_p/h₀ of the node's material and initial mesh [1/s]
  std::span<const std::int32_t> owned;     ///< slots this rank owns, in any order
};

/// Contact of a node at the end of an implicit step, whose velocities are `node_velocity` and `body_velocity`, and its
/// terms in the step's equations.
struct EndContact : NodeContact {
  Vec3 normal = Vec3::UnitZ();      ///< outward
  double damping = 0;               ///< c [N s/m]
  double friction = 0;              ///< friction over slip: min(μN / slip, resistance of a node that sticks) [N s/m]
  double friction_coefficient = 0;  ///< μ [–]

  [[nodiscard]] double pressing() const { return force().dot(normal); }  ///< N [N]
  /// Decrease of the force per increase of the node's velocity, when its position changes by `position_per_velocity`
  /// times that [N s/m]; symmetric, no eigenvalue negative.
  [[nodiscard]] Mat3 resistance(double position_per_velocity) const {
    const Mat3 across = normal * normal.transpose();
    return (position_per_velocity * stiffness + damping) * across + friction * (Mat3::Identity() - across);
  }
};

/// Largest friction force of a node on a body [N]; 0 for pairs that are not listed.
using FrictionLimits = std::map<std::pair<std::int32_t, std::int32_t>, double>;

/// Work of contact in a step, for the energy ledger. Exact sums, so that totals do not depend on the rank count: call
/// ExactSum::reduce on each before `value` where a run has more than one rank. All in joule.
struct ContactWork {
  core::ExactSum on_nodes;  ///< dt f·(v_old + v_new)/2 of the nodes: exactly their change of kinetic energy by contact
  core::ExactSum on_bodies;   ///< the same for the reactions, at the contact points
  core::ExactSum dissipated;  ///< minus the relative work of damping and friction
  core::ExactSum supplied;    ///< work that keeps bodies on their prescribed paths against the nodes
};

/// For checkpoints (core/named_state.hpp).
template <class Visit>
void describe(Visit& visit, ContactWork& work) {
  visit("contact_work_on_nodes", work.on_nodes);
  visit("contact_work_on_bodies", work.on_bodies);
  visit("contact_dissipated", work.dissipated);
  visit("contact_supplied", work.supplied);
}

/// Upper bounds of the terms of contact in the linearised motion x″ + D x′ + Λ² x; they add to those of the elements.
struct ContactRates {
  double stiffness = 0;  ///< Λ², largest eigenvalue of M⁻¹K [1/s²]
  double damping = 0;    ///< D, largest eigenvalue of M⁻¹C [1/s]
};

/// Frequency ω whose step limit 2/ω is that of symplectic Euler with damping at the old velocity,
/// dt² Λ² + 2 dt D ≤ 4:  ω = ½ (D + √(D² + 4Λ²)); for one contact √(k/m) (ζ + √(1 + ζ²)). [1/s]
[[nodiscard]] double step_frequency(const ContactRates& rates);

/// The rigid bodies of a scene, replicated bit for bit on every rank.
///
/// Order of calls in a step: `add_forces`, `advance` (bodies), the nodes' own integration, then, if wanted, `add_work`.
/// With sub-cycled nodes: then `press_again` and `book_short_step` at each of their sub-steps, and
/// `finish_short_steps`.
class RigidColliders {
public:
  /// Bodies at `time`. Throws core::Error naming the collider and the key of a value that cannot be used.
  explicit RigidColliders(std::vector<ColliderParameters> parameters, double time_s = 0);

  /// From now on bodies are in contact with each other, too: see BodyContacts::start. Local.
  void let_bodies_touch(double wave_frequency) { between_bodies_.start(view(), wave_frequency); }
  [[nodiscard]] const BodyContacts& between_bodies() const { return between_bodies_; }

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] const ColliderParameters& parameters(std::size_t body) const { return parameters_[body]; }
  [[nodiscard]] const RigidShape& shape(std::size_t body) const { return *shapes_[body].shape; }
  [[nodiscard]] std::span<const BodyState> states() const { return states_; }

  /// Adds the contact force of every owned node to `forces[slot].force` [N] and stores it in `contacts()`.
  ///
  ///   N = max(0, k d + c d′),  k = stiffness_scale m (c_p/h₀)² or the given one,  c = 2 ζ √(k m)
  ///   friction = min(μ N, what stops the slip within this step), against the slip expected at the end of the step
  ///
  /// d is the depth beyond the contact offset offsets[slot]; the offset shrinks to the depth where that is smaller, and
  /// is 0 outside. Bodies act on a node in their order. `forces` must already hold all other forces but gravity, so
  /// that friction can hold a node at rest. Local; does not throw.
  ///
  /// If a node is sub-cycled, its force is multiplied by its `shares.kick`, and its contacts, with those that may begin
  /// within dt_s, are in short_contacts(), not in contacts(): a spring that acts once in a coarse step would excite the
  /// small elements around the node at every coarse step, and their damping would dissipate energy without a source.
  void add_forces(const ContactNodes& nodes, double dt_s, const Vec3& gravity, std::span<double> offsets,
                  std::span<dist::NodeForce> forces, const core::StepSharesOf& shares_of = {});

  /// Contacts of sub-cycled nodes, grouped by node in the order of `owned`.
  [[nodiscard]] std::span<const ShortContact> short_contacts() const { return short_contacts_; }
  /// Force of a short contact on its node at a later sub-step; the contact stores it [N]. To be called after `advance`.
  /// Local; does not throw.
  Vec3 press_again(std::size_t short_contact, const ShortStep& step);
  /// To be called after the node's sub-step: adds the contact's share of add_work, and stores the reaction for
  /// finish_short_steps. Local.
  void book_short_step(std::size_t short_contact, const Vec3& velocity_after, double step_s, ContactWork& work);
  /// Gives free bodies the reactions of press_again. Collective if there is a free body, else local.
  void finish_short_steps(const core::Comm& comm);

  /// Adds the contact forces for nodes at the end of the step, with the bodies as `advance` left them. Neither
  /// contacts() nor contact offsets change. The forces are stored for finish_look_ahead and add_work, for an integrator
  /// that uses the mean of the forces at both ends of the step. Local; does not throw.
  void look_ahead(const ContactNodes& nodes, double dt_s, const Vec3& gravity, std::span<const double> offsets,
                  std::span<dist::NodeForce> forces);
  /// Applies the mean of the reactions at both ends of the step to the bodies, as nodes have it. Does nothing without a
  /// preceding look_ahead. Collective if there is a free body, else local.
  void finish_look_ahead(const core::Comm& comm, double dt_s);

  /// Contacts of owned nodes at the positions `nodes` at the end of an implicit step, with the bodies as `advance` left
  /// them, in the order of `nodes.owned`, then of the bodies. Spring and damper as in add_forces. Friction is the
  /// smaller of the value in `limits` and a resistance to slip of `dt_s` times a thousand springs. A node that was
  /// outside when the step began, by its motion `before`, has no damper yet, as in an explicit step: with a force that
  /// jumps at contact there would be no equilibrium. Changes nothing. Local; does not throw.
  [[nodiscard]] std::vector<EndContact> end_contacts(const ContactNodes& nodes,
                                                     std::span<const dist::NodeMotion> before, double dt_s,
                                                     std::span<const double> offsets,
                                                     const FrictionLimits& limits) const;
  /// Stores `found` as the contacts of the step, lets contact offsets shrink, and adds the step's work.
  /// @param nodes  state at the end of the step
  /// Returns the work that the springs have done in it [J]. Local; does not throw.
  core::ExactSum finish_implicit_step(const ContactNodes& nodes, std::span<const EndContact> found, double dt_s,
                                      std::span<double> offsets, ContactWork& work);

  /// Contacts found by the last `add_forces`, grouped by node in the order of its `owned`.
  [[nodiscard]] std::span<const NodeContact> contacts() const { return contacts_; }

  /// Moves all bodies to the end of the step: prescribed ones to their pose at `time_s`, free ones by symplectic Euler
  /// under gravity and the reactions of all ranks. Collective if there is a free body (one reduction), else local.
  void advance(const core::Comm& comm, double time_s, double dt_s, const Vec3& gravity);

  /// Adds this rank's share of the finished step; `motion` holds the nodes' velocities after it. Call after `advance`
  /// and before the next cut. Local; does not throw.
  void add_work(std::span<const dist::NodeMotion> motion, double dt_s, ContactWork& work) const;
  /// The same with each contact's forces over a time of its own, seconds_of(the node's shares), to shift the account to
  /// the time of the positions (sim's HalfStep). With present shares: before a node's second sub-step.
  void add_work_over(const std::function<double(const core::StepShares&)>& seconds_of,
                     std::span<const dist::NodeMotion> motion, ContactWork& work) const;

  /// Σ ½ k d² over this rank's owned nodes: a function of positions alone [J]. Local; does not throw.
  [[nodiscard]] core::ExactSum stored_energy(const ContactNodes& nodes, std::span<const double> offsets) const;

  /// Kinetic energy of a free body with the velocities shifted by so many times the last step's change (−1: back to
  /// before it); 0 for others [J]. Symplectic Euler's velocities are those of the middle of the step that led to the
  /// positions.
  [[nodiscard]] double kinetic_energy_shifted(std::size_t body, double steps) const;

  /// Upper bounds that hold for every node: bodies that overlap may touch the same node, and a light free body reacts
  /// to all nodes that touch it (as of the last step). Replicated inputs give the same value on every rank.
  /// @param largest_wave_frequency  over all nodes of all ranks [1/s]
  /// @param smallest_mass  over all nodes of all ranks [kg]; used where a collider's stiffness is given in N/m
  [[nodiscard]] ContactRates rates(double largest_wave_frequency, double smallest_mass) const;

  /// Largest depth of a point in any body; 0 outside [m].
  [[nodiscard]] double depth(const Vec3& point) const;
  /// Depth of a point in one body beyond its contact offset; 0 outside [m].
  [[nodiscard]] double depth_in(std::size_t body, const Vec3& point, double offset) const;

  // -- for contact of particles (particle_contact.hpp)
  /// Distance and normal of a body's surface for a point that is inside it or at most `reach` outside; nothing
  /// elsewhere.
  [[nodiscard]] std::optional<SurfaceDistance> surface_near(std::size_t body, const Vec3& point, double reach) const;
  /// Largest velocity change of a free body, at the point of application, per unit impulse; 0 for others [1/kg].
  [[nodiscard]] double mobility_of(std::size_t body) const { return mass_properties_[body].mobility; }
  /// To be called between add_forces and advance: applies this force at `point` and the couple to a free body over the
  /// step. Does nothing for other bodies. Local.
  void push(std::size_t body, const Vec3& force, const Vec3& couple, const Vec3& point);
  /// Removes the contacts of nodes that are gone. `gone`: by slot, not 0 for those nodes. Local.
  void forget_nodes(std::span<const std::uint8_t> gone);

  /// All states as numbers, and back, for checkpoints: a restored run continues with the same bits.
  [[nodiscard]] std::vector<double> save() const;
  /// Throws core::Error if `numbers` does not come from a scene with as many colliders and the same meshes.
  void restore(std::span<const double> numbers);
  /// After `restore`, with the bodies `before` of the restored scene, as many as now: where place or motion of a body
  /// differs between the scenes, the new scene's value replaces the restored one. Local.
  void change_from(std::span<const ColliderParameters> before, double time_s);

private:
  /// Reactions of one free body's nodes, exact and thus free of any order.
  struct Reaction {
    static constexpr int kForce = 0, kTorque = 3, kMass = 6, kStiffness = 7, kDamping = 8;
    /// Mean of what sub-steps still to come add in the first half of the step.
    static constexpr int kLateForce = 9, kLateTorque = 12, kSums = 15;
    std::array<core::ExactSum, kSums> sums;
  };

  void place();
  [[nodiscard]] BodiesView view() const { return {parameters_, mass_properties_, states_, shapes_}; }
  /// Is the node inside a body's bounds, or so near to them that it may be inside after `reach_s`?
  [[nodiscard]] bool near_some_body(const dist::NodeMotion& node, double reach_s = 0) const;
  void touch(const ContactNodes& nodes, std::int32_t slot, double dt_s, const Vec3& gravity, double& offset,
             dist::NodeForce& force, const core::StepSharesOf& shares_of);
  /// As contact::distance_inside; for a fixed body beside fixed ones as RigidShape::distance_to_free_side.
  [[nodiscard]] SurfaceDistance distance_in_body(std::size_t body, const Vec3& point) const;
  void add_reaction(const NodeContact& contact, double mass, double damping);
  void move_short_contacts();
  /// Impulse of this rank on one body: linear, then angular about the body's centre [N s, N m s], or a force and torque
  /// that a time multiplies later.
  using Impulse = std::array<core::ExactSum, 6>;
  /// Applies the impulses of all ranks, one per body in their order, times `factor`, to free bodies. Collective.
  void give_impulses(const core::Comm& comm, std::span<const Impulse> by_body, double factor);
  void add_work_of(const NodeContact& contact, const Vec3& velocity_after, double dt_s, ContactWork& work) const;

  std::vector<ColliderParameters> parameters_;
  std::vector<MassProperties> mass_properties_;  ///< by body
  std::vector<BodyState> states_;
  bool has_free_body_ = false;
  BodyContacts between_bodies_;
  // what follows from the states
  std::vector<PlacedShape> shapes_;
  std::vector<std::array<double, 4>> half_spaces_;  // normal and offset
  std::vector<Box> bounds_;                         // of the others
  double largest_body_speed_ = 0;                   // largest speed of any point of any body [m/s]
  // the step in progress, or the last
  std::vector<BodyState> before_;  // states at its begin
  std::vector<NodeContact> contacts_;
  std::vector<ShortContact> short_contacts_;
  std::vector<Impulse> late_impulses_;       // of short contacts after their first sub-step, by body
  std::vector<Reaction> reactions_;          // one per body; used for free ones
  std::vector<Impulse> pushes_;              // forces and torques of push(), one per body; empty: none
  std::vector<NodeContact> contacts_ahead_;  // at the end of the step, from look_ahead
  std::vector<Reaction> reactions_ahead_;
  std::vector<SurfaceDistance> surface_;  // scratch: distances of one node from every body
  std::vector<std::int32_t> near_;        // scratch: slots that passed the bounding test
};

/// Number of contacts that press on a node, those of sub-cycled nodes included. Local.
[[nodiscard]] std::size_t num_pressing(const RigidColliders& colliders);

/// Velocity of a body at a point [m/s]. Local.
[[nodiscard]] Vec3 velocity_of(const RigidColliders& colliders, std::size_t body, const Vec3& point);

/// Coefficient of restitution of a body, from its damping ratio [–]. Local.
[[nodiscard]] double restitution_of(const RigidColliders& colliders, std::size_t body);

/// Kinetic energy of a free body, 0 for others [J]. Local.
[[nodiscard]] double kinetic_energy(const RigidColliders& colliders, std::size_t body);

/// step_frequency of RigidColliders::rates [1/s]. A step dt is stable for elements and contact together if
/// dt/dt_elements + dt ω/2 ≤ 1, and without damping if (dt/dt_elements)² + (dt ω/2)² ≤ 1. Local.
[[nodiscard]] double max_frequency(const RigidColliders& colliders, double largest_wave_frequency,
                                   double smallest_mass);

/// The body that needs the shortest step, the first of equal ones. There must be a body. Local.
[[nodiscard]] std::size_t stiffest(const RigidColliders& colliders, double largest_wave_frequency,
                                   double smallest_mass);

/// One end of an edge on which a node is born.
struct EdgeEnd {
  Vec3 position = Vec3::Zero();  ///< [m]
  double offset = 0;             ///< its contact offset [m]
};

/// Contact offset of a node made by a cut at `position` = (1−t) a + t b: its depth in a body beyond the interpolation
/// of its parents' effective depths, the largest over all bodies, never negative [m]. With it a new node adds no
/// contact energy. Local; does not throw.
[[nodiscard]] double offset_at_birth(const RigidColliders& colliders, const Vec3& position, double t, const EdgeEnd& a,
                                     const EdgeEnd& b);

}  // namespace brisance::contact
