/// Dynamics of rigid bodies under gravity, with contacts among them and with obstacles, by the Bullet library.
///
/// It runs on one thread in a fixed order, so the same calls give the same bits on one kind of processor. Everything is
/// local. Lengths are scaled internally, as Bullet's tolerances are made for bodies of about unit size.
#pragma once

#include "brisance/rigid/body.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace brisance::rigid {

/// Parameters of a world; lengths and times are in SI units, not in Bullet's scale.
struct WorldParameters {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s²]
  double length_m = 1;        ///< typical size of the bodies, from which the internal scale follows [m]
  double friction = 0.5;      ///< Coulomb coefficient of all contacts
  double restitution = 0.1;   ///< coefficient of restitution of all contacts: 0 no bounce, 1 elastic
  /// Conserves the angular momentum of bodies without contact to rounding while they tumble, which Bullet's own
  /// integrator damps. Bodies in contact then rotate by at most a quarter of a radian in a step.
  bool keeps_angular_momentum = false;
  /// Shrinks hulls by at least the collision margin that Bullet adds around them, so that even bodies smaller than the
  /// margin collide at their own size.
  bool has_tight_hulls = false;
  /// Initial overlap becomes a contact offset for each pair of bodies, obstacles but planes included, which decays
  /// after they separate. Otherwise it becomes a contact offset for each pair of hulls, between bodies alone. Of many
  /// overlapping hulls Bullet detects only a few at a time.
  bool offsets_whole_bodies = false;
  /// Bodies that overlap initially may continue to approach at their initial speed, which decays by 1/e in this time
  /// [s]. 0: contact stops them at once, along the normals of their hulls, which are not meaningful where these
  /// overlap.
  double parting_time_s = 0;
  /// A body inside a fixed or kinematic obstacle cannot go deeper, and is moved out gradually: contacts alone do not
  /// stop a small spinning body, since its contact point may be moving outward.
  bool lifts_sunk_bodies = false;
  int iterations = 10;  ///< iterations of the contact solver in each step
  /// Resistance to rolling and spinning: largest torque over the normal force [m].
  double rolling_lever_m = 0;
  double resting_speed_m_s = 0;  ///< bodies slower than this, and than 0.1 rad/s, for two seconds are put to rest
                                 ///< [m/s]; 0: 0.05 length_m a second
};

/// Role of a body.
struct BodyRole {
  bool is_kinematic = false;  ///< kinematic: moves as World::move_to says, unaffected by contact
  bool is_small = false;      ///< no contact with other small pieces
};

/// Number of a body, from 0 in the order of adding; numbers are not used again. Fixed obstacles have the numbers −1,
/// −2, …
using BodyNumber = std::int32_t;
[[nodiscard]] inline bool is_fixed(BodyNumber body) { return body < 0; }

/// Impulse of one contact (a pair of bodies) on one of them in the last step.
struct ContactImpulse {
  BodyNumber body, other;  ///< `other` may be a fixed obstacle
  Vec3 point;              ///< mean of the contact's points, weighted by impulse, in the world [m]
  Vec3 direction;          ///< direction of the impulse on the body, unit
  double impulse;          ///< its part normal to the contact [N s]
};

/// Owns all bodies. Functions with a BodyNumber need a number of a present body.
class World {
public:
  /// Throws core::Error if a parameter is out of range.
  explicit World(const WorldParameters& parameters);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Adds a fixed, kinematic or free obstacle. Throws core::Error if its size is invalid, its mass is negative, or a
  /// plane has a mass.
  BodyNumber add_obstacle(const Obstacle& obstacle);

  /// Adds a free or kinematic body. Throws core::Error if mass or inertia are not positive, or if there is no hull.
  BodyNumber add_body(const BodyShape& shape, const Motion& motion, const BodyRole& role = {});
  void remove_body(BodyNumber body);
  /// Pose of a kinematic body or obstacle at the end of the next step; its velocity follows. It stays there until the
  /// next call.
  void move_to(BodyNumber body, const Motion& pose);
  /// Makes a kinematic body free, with this motion.
  void release(BodyNumber body, const Motion& motion);
  /// Whether the body is free and not put to rest.
  [[nodiscard]] bool is_awake(BodyNumber body) const;
  /// Motion of a body or obstacle that is not fixed.
  [[nodiscard]] Motion motion(BodyNumber body) const;

  /// Takes one step of this length [s], by symplectic Euler with Bullet's contact solver.
  void step(double step_s);

  /// The motion of all bodies at one moment, and the return to it. Bodies may be added or removed in between; the
  /// others get exactly the motion that they had.
  struct State;
  [[nodiscard]] std::shared_ptr<const State> state() const;
  void return_to(const State& state);

  /// Contact impulses of the last step of at least `smallest_impulse` [N s], sorted by (body, other). A contact of two
  /// bodies that are not fixed is listed for each of them.
  [[nodiscard]] std::vector<ContactImpulse> contact_impulses(double smallest_impulse) const;

  /// Largest overlap of the hulls of two bodies, or of a body and an obstacle, at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> it_;
};

}  // namespace brisance::rigid
