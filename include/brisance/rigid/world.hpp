/// Rigid bodies under gravity that touch each other and obstacles, moved by Bullet.
///
/// One thread and a fixed order: the same calls give the same bits on one kind of processor. Lengths are scaled inside,
/// because Bullet's tolerances are made for bodies of about a unit.
#pragma once

#include "brisance/rigid/body.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace brisance::rigid {

struct WorldParameters {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s²]
  double length_m = 1;        ///< typical size of the bodies
  double friction = 0.5;      ///< Coulomb coefficient of every contact
  double restitution = 0.1;   ///< of every contact: 0 no bounce, 1 all of it
  /// Angular momentum of what flies is kept to rounding, as its axes tumble (Bullet's own rule damps them); what
  /// touches others turns by no more than a quarter of a radian in a step.
  bool keeps_angular_momentum = false;
  /// A hull is pulled in by no less than the rounding that Bullet adds: bodies smaller than that have their own size.
  bool has_tight_hulls = false;
  /// Overlap at birth is taken as contact offset body by body, obstacles but planes included, and fades where they
  /// part; else it is taken as contact offset hull by hull between bodies alone. Of many hulls that overlap, Bullet
  /// sees a few at a time.
  bool forgives_whole_bodies = false;
  /// Bodies that overlap at birth may move into each other as fast as they did then; in this time that falls to 1/e
  /// [s]. 0: contact stops them at once, along the normals of their hulls, which say little where these overlap.
  double parting_time_s = 0;
  /// A body that is inside an obstacle that is fixed or led goes no deeper, and is lifted out: contacts alone do not
  /// stop a small one that spins, since where it touches it may be on its way out.
  bool lifts_what_sank = false;
  int iterations = 10;  ///< of the solver of contacts, in each step
  /// Resistance to rolling and to spinning on a spot, as a lever of the normal force [m].
  double rolling_lever_m = 0;
  double resting_speed_m_s = 0;  ///< slower for two seconds is at rest, and so is spin below a tenth of a radian a
                                 ///< second; 0: 0.05 lengths a second
};

/// How a body takes part.
struct BodyRole {
  bool is_led = false;    ///< moves as World::lead says, whatever it meets
  bool is_small = false;  ///< passes through other small pieces
};

/// A body by the order of its adding; numbers are not used again. Fixed obstacles count down from −1.
using BodyNumber = std::int32_t;
[[nodiscard]] inline bool is_fixed(BodyNumber body) { return body < 0; }

/// What one contact did to a body in the last step.
struct ContactImpulse {
  BodyNumber body, other;  ///< `other` may be fixed
  Vec3 point;              ///< mean of the contact's points, weighted by impulse, in the world [m]
  Vec3 direction;          ///< in which the body was pushed, unit
  double impulse;          ///< normal to the contact [N s]
};

class World {
public:
  /// Throws core::Error if a parameter is out of range.
  explicit World(const WorldParameters& parameters);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Throws core::Error if its size makes no sense, its mass is negative, or a plane has one.
  BodyNumber add_obstacle(const Obstacle& obstacle);

  /// Throws core::Error if mass or inertia are not positive or there is no hull.
  BodyNumber add_body(const BodyShape& shape, const Motion& motion, const BodyRole& role = {});
  void remove_body(BodyNumber body);
  /// Where a led body or obstacle is when the next step ends; its velocity follows. It stays there until the next call.
  void lead(BodyNumber body, const Motion& pose);
  /// A led body is free from now on, with this motion.
  void release(BodyNumber body, const Motion& motion);
  /// Moves on its own and is not at rest; what is fixed or led never does.
  [[nodiscard]] bool is_awake(BodyNumber body) const;
  /// Of what is not fixed.
  [[nodiscard]] Motion motion(BodyNumber body) const;

  /// One step of semi-implicit Euler with contacts [s].
  void step(double step_s);

  /// How all bodies move at one moment; bodies may be exchanged before a return to it, the others return exactly.
  struct State;
  [[nodiscard]] std::shared_ptr<const State> state() const;
  void return_to(const State& state);

  /// Contacts of the last step by (body, other), each named once for every body in it, those of at least
  /// `smallest_impulse` [N s].
  [[nodiscard]] std::vector<ContactImpulse> contact_impulses(double smallest_impulse) const;

  /// How far the hulls of any two bodies, or of a body and an obstacle, overlapped at the start of the last step [m].
  [[nodiscard]] double deepest_overlap() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> it_;
};

}  // namespace brisance::rigid
