/// Contact of a breakable object's nodes with rigid bodies: the bodies, the penalty law and its energy account.
#pragma once

#include "brisance/contact/parameters.hpp"
#include "brisance/contact/rigid/node_contact.hpp"
#include "brisance/contact/shapes/collider_shapes.hpp"
#include "brisance/core/comm.hpp"
#include "brisance/core/exact_sum.hpp"
#include "brisance/core/types.hpp"
#include "brisance/dist/element_block.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace brisance::contact {

/// All that moves of a rigid body; the same bits on every rank.
struct BodyState {
  Vec3 position = Vec3::Zero();  ///< centre of mass; of a plane, a point on it [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< in the world frame [rad/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< free bodies: about their own centre, in the world frame [kg m²/s]
  // Sums over the nodes that touched a free body in the last step: they bound the next step and share out friction.
  double contact_mass = 0;       ///< [kg]
  double contact_stiffness = 0;  ///< [N/m]
  double contact_damping = 0;    ///< [N s/m]
};

/// Node data that contact reads, by node slot, as plain spans, so that it knows no mesh.
struct ContactNodes {
  std::span<const dist::NodeMotion> motion;
  std::span<const double> mass;            ///< lumped mass [kg], positive for every owned node
  std::span<const double> wave_frequency;  ///< c_p/h₀ of the node's material and initial mesh [1/s]
  std::span<const std::int32_t> owned;     ///< slots this rank owns, in any order
};

/// One owned node pressing on one body at the end of an implicit step, and what that adds to the step's equations.
struct EndContact {
  std::int32_t node = 0;
  std::int32_t body = 0;
  Vec3 normal = Vec3::UnitZ();        ///< outward
  double stiffness = 0;               ///< k [N/m]
  double damping = 0;                 ///< c [N s/m]
  double friction = 0;                ///< resistance to slip, min(μN / slip, what holds a node that sticks) [N s/m]
  Vec3 spring = Vec3::Zero();         ///< k d n [N]
  Vec3 dissipative = Vec3::Zero();    ///< damping and friction [N]; the node feels spring + dissipative
  Vec3 body_velocity = Vec3::Zero();  ///< of the body at the node [m/s]
  double friction_coefficient = 0;    ///< μ [–]

  [[nodiscard]] double pressing() const { return (spring + dissipative).dot(normal); }  ///< N [N]
  /// What the force loses for each m/s that the node is faster, at a place that follows by `position_per_velocity`
  /// [N s/m]; symmetric, no eigenvalue negative.
  [[nodiscard]] Mat3 resistance(double position_per_velocity) const {
    const Mat3 across = normal * normal.transpose();
    return (position_per_velocity * stiffness + damping) * across + friction * (Mat3::Identity() - across);
  }
};

/// Largest friction of a node on a body [N]; those that are not named have none.
using FrictionLimits = std::map<std::pair<std::int32_t, std::int32_t>, double>;

/// One point of a body inside another during the step in progress; `force` acts on `body`, its opposite on `other`.
struct BodyContact {
  std::size_t body = 0, other = 0;
  Vec3 point = Vec3::Zero();   ///< [m]
  Vec3 normal = Vec3::Zero();  ///< outward from `other`
  double depth = 0;            ///< [m], positive
  double mass = 0;             ///< that the pair answers with at the point, at least, times the point's weight [kg]
  double stiffness = 0;        ///< [N/m]
  Vec3 force = Vec3::Zero(), dissipative = Vec3::Zero();        ///< all of it; its damping and friction alone [N]
  Vec3 velocity = Vec3::Zero(), other_velocity = Vec3::Zero();  ///< of the bodies at the point, before the step [m/s]
};

/// Where the energy of a step went, for the ledger. Exact sums, so that totals do not depend on the rank count: call
/// ExactSum::reduce on each before `value` where a run has more than one rank. All in joule.
struct ContactWork {
  core::ExactSum on_nodes;  ///< dt f·(v_old + v_new)/2 of the nodes: exactly their change of kinetic energy by contact
  core::ExactSum on_bodies;   ///< the same of the reactions, at the contact points
  core::ExactSum dissipated;  ///< minus the relative work of damping and friction
  core::ExactSum supplied;    ///< by bodies on a prescribed path: what holds them to it works against the nodes
};

/// For checkpoints (core/named_state.hpp).
template <class Visit>
void describe(Visit& visit, ContactWork& work) {
  visit("contact_work_on_nodes", work.on_nodes);
  visit("contact_work_on_bodies", work.on_bodies);
  visit("contact_dissipated", work.dissipated);
  visit("contact_supplied", work.supplied);
}

/// Bounds on what contact adds to the linearised motion x″ + D x′ + Λ² x: they add to those of the elements.
struct ContactRates {
  double stiffness = 0;  ///< Λ², largest eigenvalue of M⁻¹K [1/s²]
  double damping = 0;    ///< D, largest eigenvalue of M⁻¹C [1/s]
};

/// Frequency ω whose step limit 2/ω is that of symplectic Euler with damping at the old velocity,
/// dt² Λ² + 2 dt D ≤ 4:  ω = ½ (D + √(D² + 4Λ²)); for one contact √(k/m) (ζ + √(1 + ζ²)). [1/s]
[[nodiscard]] double step_frequency(const ContactRates& rates);

/// The rigid bodies of a scene, replicated bit for bit on every rank.
///
/// A step is: `add_forces`, `advance` (bodies), the nodes' own integration, then, if wanted, `add_work`; where nodes
/// take shorter steps than the run, then `press_again` and `book_short_step` at each of theirs, and
/// `finish_short_steps`.
class RigidColliders {
public:
  /// Bodies at `time`. Throws core::Error naming the collider and the key of a value that cannot be used.
  explicit RigidColliders(std::vector<ColliderParameters> parameters, double time_s = 0);

  /// From now on bodies also press on each other where at least one of a pair is free: a sphere with its deepest point,
  /// a box with its corners, a mesh with its samples (rigid_mesh.hpp), by the same law as nodes with k = m (ω/10)², m
  /// the least mass the pair answers with times the sample's weight, the larger damping ratio and the smaller friction
  /// of the two. `wave_frequency` ω: c_p/h₀, the largest of the mesh
  /// [1/s]. Throws core::Error if a free body is inside another to begin with. Local.
  void let_bodies_touch(double wave_frequency);

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] const ColliderParameters& parameters(std::size_t body) const { return parameters_[body]; }
  [[nodiscard]] std::span<const BodyState> states() const { return states_; }

  /// Adds the contact force of every owned node to `forces[slot].force` [N] and remembers it in `contacts()`.
  ///
  ///   N = max(0, k d + c d′),  k = stiffness_scale m (c_p/h₀)² or the given one,  c = 2 ζ √(k m)
  ///   friction = min(μ N, what stops the slip within this step), against the slip expected at the end of the step
  ///
  /// d is the depth beyond the contact offset offsets[slot], which shrinks to the depth itself where that is smaller,
  /// and is 0 outside. Bodies act on a node in their order. `forces` must already hold all other forces but gravity, so
  /// that friction can hold a node at rest. Local; does not throw.
  ///
  /// Where a node's own step is shorter than dt_s, its force counts by its `shares.kick`, and what presses or may come
  /// to press within dt_s is in short_contacts(), not in contacts(): a spring that acts once in a coarse step would
  /// shake the small elements around its node at every one, and what they damp of that would come out of nothing.
  void add_forces(const ContactNodes& nodes, double dt_s, const Vec3& gravity, std::span<double> offsets,
                  std::span<dist::NodeForce> forces, const core::StepSharesOf& shares_of = {});

  /// Of nodes that take shorter steps than the run, grouped by node in the order of `owned`.
  [[nodiscard]] std::span<const ShortContact> short_contacts() const { return short_contacts_; }
  /// The force of a short contact on its node at a later one of the node's steps, remembered in it [N]. After
  /// `advance`. Local; does not throw.
  Vec3 press_again(std::size_t short_contact, const ShortStep& step);
  /// After the node has taken it: its share of add_work, and the reaction for finish_short_steps. Local.
  void book_short_step(std::size_t short_contact, const Vec3& velocity_after, double step_s, ContactWork& work);
  /// Free bodies take the reactions of what was pressed again. Collective if there is a free body, else local.
  void finish_short_steps(const core::Comm& comm);
  [[nodiscard]] std::size_t num_pressing() const;  ///< of contacts() and short_contacts()

  /// Adds the contact forces of nodes that are elsewhere, at the end of the step: the bodies are as `advance` left
  /// them. Neither contacts() nor contact offsets change; the forces are remembered for
  /// finish_look_ahead and add_work, for an integrator that uses the mean of forces at both ends of the step. Local;
  /// does not throw.
  void look_ahead(const ContactNodes& nodes, double dt_s, const Vec3& gravity, std::span<const double> offsets,
                  std::span<dist::NodeForce> forces);
  /// Bodies answer to the mean of the reactions at both ends of the step, as the nodes do. Nothing where there was no
  /// look ahead. Collective if there is a free body, else local.
  void finish_look_ahead(const core::Comm& comm, double dt_s);

  /// Contacts of owned nodes that are where `nodes` says when an implicit step ends, the bodies being as `advance` left
  /// them; in the order of `nodes.owned`, bodies in theirs. Spring and damper as in add_forces; friction is the smaller
  /// of what `limits` gives the node and body and a resistance of `dt_s` times a thousand springs against the slip
  /// there. The damper of a node that was outside when the step began, by its motion `before`, is still free, as it is
  /// for an explicit step: a force that jumps where the node touches has no place at which it balances others. Changes
  /// nothing. Local; does not throw.
  [[nodiscard]] std::vector<EndContact> end_contacts(const ContactNodes& nodes,
                                                     std::span<const dist::NodeMotion> before, double dt_s,
                                                     std::span<const double> offsets,
                                                     const FrictionLimits& limits) const;
  /// Takes these for the contacts of the step, lets contact offsets shrink, and adds up the step's
  /// work.
  /// @param nodes  as they are at its end
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
  /// The same of so long a time after the step, at the step's forces and the shares that nodes have now: what leads the
  /// account on to the positions' time (sim's HalfStep). Local; does not throw.
  void add_half_shift(std::span<const dist::NodeMotion> motion, double shift_s, ContactWork& work) const;
  /// What a lead of `from_s` at the last shares lacks of one of `to_s` at those of now, the kick of a step of dt_s
  /// having made up for a part. Before a node's second short step. Local; does not throw.
  void add_change_of_lead(std::span<const dist::NodeMotion> motion, double from_s, double to_s, double dt_s,
                          ContactWork& work) const;

  /// Σ ½ k d² over this rank's owned nodes: a function of positions alone [J]. Local; does not throw.
  [[nodiscard]] core::ExactSum stored_energy(const ContactNodes& nodes, std::span<const double> offsets) const;

  /// What bodies exchanged among themselves: Σ ½ k d² now, and since the start what damping and friction took and what
  /// paths supplied [J]. The same on every rank.
  struct BodyEnergies {
    double stored = 0, dissipated = 0, supplied = 0;
  };
  [[nodiscard]] BodyEnergies energies_between_bodies() const {
    return {stored_between_bodies(), body_loss_, body_supply_};
  }
  /// Losses and supply shifted by so many lengths of the last step; see kinetic_energy_shifted.
  [[nodiscard]] BodyEnergies energies_between_bodies_led_on(double steps) const {
    return {stored_between_bodies(), body_loss_ + steps * last_body_loss_, body_supply_ + steps * last_body_supply_};
  }

  /// Kinetic energy of a free body, 0 for others [J].
  [[nodiscard]] double kinetic_energy(std::size_t body) const;
  /// The same with the velocities shifted by so many times the last step's change (−1: back to before it). Symplectic
  /// Euler's velocities are those of the middle of the step that led to the positions.
  [[nodiscard]] double kinetic_energy_shifted(std::size_t body, double steps) const;

  /// Upper bounds that hold for every node: those bodies that overlap may touch the same node, and a light free body
  /// answers to all nodes touching it (as of the last step). Replicated inputs give the same value on every rank.
  /// @param largest_wave_frequency  over all nodes of all ranks [1/s]
  /// @param smallest_mass  over all nodes of all ranks [kg]; counts where a collider's stiffness is given in N/m
  [[nodiscard]] ContactRates rates(double largest_wave_frequency, double smallest_mass) const;
  /// step_frequency(rates(…)) [1/s]. Elements and contact together keep dt if dt/dt_elements + dt ω/2 ≤ 1, and without
  /// damping if (dt/dt_elements)² + (dt ω/2)² ≤ 1. Local.
  [[nodiscard]] double max_frequency(double largest_wave_frequency, double smallest_mass) const;
  /// The body that asks for the shortest step, the first of equal ones; there is one.
  [[nodiscard]] std::size_t stiffest(double largest_wave_frequency, double smallest_mass) const;

  /// How deep a point lies inside the bodies at most; 0 outside [m].
  [[nodiscard]] double depth(const Vec3& point) const;
  /// How deep it lies inside one body, beyond its contact offset; 0 outside [m].
  [[nodiscard]] double depth_in(std::size_t body, const Vec3& point, double offset) const;

  // -- for what is no node (particle_contact.hpp)
  /// A body's surface as a point sees it that is inside the body or no farther out than `reach`; nothing elsewhere.
  [[nodiscard]] std::optional<SurfaceDistance> surface_near(std::size_t body, const Vec3& point, double reach) const;
  /// Of the body at a point [m/s].
  [[nodiscard]] Vec3 velocity_of(std::size_t body, const Vec3& point) const {
    return states_[body].velocity + states_[body].angular_velocity.cross(point - states_[body].position);
  }
  /// How much a unit impulse changes a free body's velocity where it acts, at most; 0 for others [1/kg].
  [[nodiscard]] double mobility_of(std::size_t body) const;
  /// Of a blow on the body, by its damping ratio [–].
  [[nodiscard]] double restitution_of(std::size_t body) const;
  /// Between add_forces and advance: a free body also feels this force at `point`, and the couple, over the step. Of
  /// others nothing. Local.
  void push(std::size_t body, const Vec3& force, const Vec3& couple, const Vec3& point);
  /// The nodes of these slots are gone, and with them what they did in the last step. `gone`: not 0 for each. Local.
  void forget_nodes(std::span<const std::uint8_t> gone);

  /// All states as numbers, and back, for checkpoints: a restored run continues with the same bits.
  [[nodiscard]] std::vector<double> save() const;
  /// Throws core::Error if `numbers` does not come from a scene with as many colliders and the same meshes.
  void restore(std::span<const double> numbers);
  /// After `restore`, of the bodies of another scene, as many: what these say of a body's place and motion, and those
  /// did not, holds from now on; the rest goes on. Local.
  void change_from(std::span<const ColliderParameters> before, double time_s);

private:
  /// Reactions of one free body's nodes, exact and thus free of any order.
  struct Reaction {
    static constexpr int kForce = 0, kTorque = 3, kMass = 6, kStiffness = 7, kDamping = 8, kSums = 9;
    std::array<core::ExactSum, kSums> sums;
  };

  void place();
  void find_body_contacts();
  void press_bodies(double dt_s, const Vec3& gravity);
  /// Sum over the contacts of one body; adds the torque about its centre [N, N m].
  [[nodiscard]] Vec3 force_of_bodies(std::size_t body, Vec3& torque) const;
  void add_work_of_bodies(double dt_s);
  [[nodiscard]] double stored_between_bodies() const;
  /// Is it inside one's bounds, or so little outside that it may be inside after `reach_s`?
  [[nodiscard]] bool near_some_body(const dist::NodeMotion& node, double reach_s = 0) const;
  void touch(const ContactNodes& nodes, std::int32_t slot, double dt_s, const Vec3& gravity, double& offset,
             dist::NodeForce& force, const core::StepSharesOf& shares_of);
  void add_reaction(const NodeContact& contact, double mass, double damping);
  void move_short_contacts();
  /// Of one body and this rank: linear, then angular about the body's centre [N s, N m s], or what becomes so when it
  /// is multiplied by a time.
  using Impulse = std::array<core::ExactSum, 6>;
  /// Free bodies take the impulses of all ranks, one each, in their order, times `factor`. Collective.
  void give_impulses(const core::Comm& comm, std::span<const Impulse> by_body, double factor);
  void add_work_of(const NodeContact& contact, const Vec3& velocity_after, double dt_s, ContactWork& work) const;
  /// Of all contacts of the step, short ones included, each for as long as `seconds_of(its shares)`.
  void add_work_of_all(std::span<const dist::NodeMotion> motion, const auto& seconds_of, ContactWork& work) const;

  std::vector<ColliderParameters> parameters_;
  std::vector<BodyState> states_;
  bool has_free_body_ = false;
  double body_wave_frequency_ = 0;                    ///< 0: bodies do not touch each other [1/s]
  double body_loss_ = 0, body_supply_ = 0;            ///< see BodyEnergies [J]
  double last_body_loss_ = 0, last_body_supply_ = 0;  ///< in the last step [J]
  // what follows from the states
  std::vector<PlacedShape> shapes_;
  std::vector<std::array<double, 4>> half_spaces_;  // planes: normal and offset
  std::vector<Bounds> bounds_;                      // spheres, boxes and meshes
  double largest_body_speed_ = 0;                   // of any point of any body, at most [m/s]
  std::vector<BodyContact> body_contacts_;          // at the current poses
  // the step in progress, or the last
  std::vector<BodyState> before_;  // the states it began with
  std::vector<NodeContact> contacts_;
  std::vector<ShortContact> short_contacts_;
  std::vector<Impulse> late_impulses_;       // of short contacts after their first step, by body
  std::vector<Reaction> reactions_;          // one per body; used for free ones
  std::vector<Impulse> pushes_;              // forces and torques of push(), one per body; empty: none
  std::vector<NodeContact> contacts_ahead_;  // at the end of the step, where an integrator looked there
  std::vector<Reaction> reactions_ahead_;
  std::vector<SurfaceDistance> surface_;  // scratch: one node against every body
  std::vector<std::int32_t> near_;        // scratch: slots that passed the bounding test
};

/// One end of an edge on which a node is born.
struct EdgeEnd {
  Vec3 position = Vec3::Zero();  ///< [m]
  double offset = 0;             ///< its own offset [m]
};

/// Contact offset of a node born at `position` = (1−t) a + t b: its depth in a body beyond what
/// interpolation of its parents' effective depths gives, the largest over all bodies, never negative [m]. With it no
/// birth adds contact energy. Local; does not throw.
[[nodiscard]] double offset_at_birth(const RigidColliders& colliders, const Vec3& position, double t, const EdgeEnd& a,
                                     const EdgeEnd& b);

}  // namespace brisance::contact
