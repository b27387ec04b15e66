/// Dynamics of rigid bodies under gravity with contacts among them and with obstacles, by Bullet.
///
/// One thread and a fixed order: the same calls give the same bits on one kind of processor. Lengths are scaled
/// internally, because Bullet's tolerances are made for bodies of about unit size.
#pragma once

#include "brisance/rigid/body.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace brisance::rigid {

struct WorldParameters {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s²]
  double length_m = 1;        ///< typical size of the bodies [m]
  double friction = 0.5;      ///< Coulomb coefficient of all contacts
  double restitution = 0.1;   ///< coefficient of restitution of all contacts: 0 no bounce, 1 elastic
  /// Conserves the angular momentum of bodies without contact to rounding, as their axes tumble (Bullet's own rule
  /// damps them); bodies in contact rotate by at most a quarter of a radian in a step.
  bool keeps_angular_momentum = false;
  /// Hulls are shrunk by at least the margin that Bullet adds: bodies smaller than the margin keep their own size.
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
  /// Resistance to rolling and spinning, as a lever of the normal force [m].
  double rolling_lever_m = 0;
  double resting_speed_m_s = 0;  ///< bodies slower than this for two seconds, and spinning below 0.1 rad/s, are
                                 ///< put to rest [m/s]; 0: 0.05 lengths a second
};

/// Role of a body.
struct BodyRole {
  bool is_kinematic = false;  ///< kinematic: moves as World::move_to says, unaffected by contact
  bool is_small = false;      ///< no contact with other small pieces
};

/// Number of a body in the order of adding; numbers are not used again. Fixed obstacles count down from −1.
using BodyNumber = std::int32_t;
[[nodiscard]] inline bool is_fixed(BodyNumber body) { return body < 0; }

/// Impulse of one contact on a body in the last step.
struct ContactImpulse {
  BodyNumber body, other;  ///< `other` may be a fixed obstacle
  Vec3 point;              ///< mean of the contact's points, weighted by impulse, in the world [m]
  Vec3 direction;          ///< direction of the impulse on the body, unit
  double impulse;          ///< normal to the contact [N s]
};

class World {
public:
  /// Throws core::Error if a parameter is out of range.
  explicit World(const WorldParameters& parameters);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Throws core::Error if its size is invalid, its mass is negative, or a plane has a mass.
  BodyNumber add_obstacle(const Obstacle& obstacle);

  /// Throws core::Error if mass or inertia are not positive, or if there is no hull.
  BodyNumber add_body(const BodyShape& shape, const Motion& motion, const BodyRole& role = {});
  void remove_body(BodyNumber body);
  /// Pose of a kinematic body or obstacle at the end of the next step; its velocity follows. It stays there until the
  /// next call.
  void move_to(BodyNumber body, const Motion& pose);
  /// Makes a kinematic body free, with this motion.
  void release(BodyNumber body, const Motion& motion);
  /// Is the body free and not at rest? Never true for fixed and kinematic ones.
  [[nodiscard]] bool is_awake(BodyNumber body) const;
  /// Motion of a body or obstacle that is not fixed.
  [[nodiscard]] Motion motion(BodyNumber body) const;

  /// One step of semi-implicit Euler with contacts [s].
  void step(double step_s);

  /// The motion of all bodies at one moment. Bodies may be added or removed before a return to it; the others return
  /// exactly.
  struct State;
  [[nodiscard]] std::shared_ptr<const State> state() const;
  void return_to(const State& state);

  /// Contact impulses of the last step sorted by (body, other), each listed once for every body of it, those of at
  /// least `smallest_impulse` [N s].
  [[nodiscard]] std::vector<ContactImpulse> contact_impulses(double smallest_impulse) const;

  /// Largest overlap of the hulls of two bodies, or of a body and an obstacle, at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> it_;
};

}  // namespace brisance::rigid
