// Contacts of sub-cycled nodes, which take several sub-steps while bodies, and the run, take one step.
#include "brisance/contact/rigid/rigid_contact.hpp"

#include "penalty_law.hpp"

#include <algorithm>

namespace brisance::contact {

std::size_t num_pressing(const RigidColliders& colliders) {
  const auto presses = [](const ShortContact& c) { return c.pressing.depth > 0; };
  return colliders.contacts().size() +
         static_cast<std::size_t>(std::ranges::count_if(colliders.short_contacts(), presses));
}

void RigidColliders::move_short_contacts() {
  for (ShortContact& contact : short_contacts_) {
    const auto body = static_cast<std::size_t>(contact.pressing.body);
    const BodyState &from = before_[body], &to = states_[body];
    const Vec3& arm = contact.pressing.arm;
    contact.body_moves = (to.position - from.position) + (to.orientation * (from.orientation.conjugate() * arm) - arm);
  }
}

Vec3 RigidColliders::press_again(std::size_t short_contact, const ShortStep& step) {
  ShortContact& contact = short_contacts_[short_contact];
  NodeContact& now = contact.pressing;
  const BodyState& body = states_[static_cast<std::size_t>(now.body)];
  const Vec3 moved = step.position - contact.start - step.elapsed * contact.body_moves;
  const double depth = contact.depth_at_start - contact.normal.dot(moved);
  now.node_velocity = step.velocity;
  now.body_velocity = body.velocity + body.angular_velocity.cross(now.arm);
  now.depth = std::max(0.0, depth);
  now.spring = now.dissipative = Vec3::Zero();
  if (!(depth > 0)) return Vec3::Zero();
  const Penetration penetration{depth, contact.normal, step.velocity - now.body_velocity,
                                step.expected_velocity - now.body_velocity, contact.slip_mass / step.step_s};
  const double friction = parameters_[static_cast<std::size_t>(now.body)].friction;
  const PenaltyForce pair = penalty_force({now.stiffness, contact.damping}, friction, penetration);
  now.spring = pair.spring;
  now.dissipative = pair.dissipative;
  return now.force();
}

void RigidColliders::book_short_step(std::size_t short_contact, const Vec3& velocity_after, double step_s,
                                     ContactWork& work) {
  const NodeContact& contact = short_contacts_[short_contact].pressing;
  if (!(contact.depth > 0)) return;
  add_work_of(contact, velocity_after, step_s, work);
  const auto body = static_cast<std::size_t>(contact.body);
  if (parameters_[body].motion != ColliderMotion::free) return;
  late_impulses_.resize(size());
  const Vec3 impulse = -step_s * contact.force(), turning = contact.arm.cross(impulse);
  for (std::size_t k = 0; k < 3; ++k) {
    late_impulses_[body][k].add(impulse[static_cast<int>(k)]);
    late_impulses_[body][3 + k].add(turning[static_cast<int>(k)]);
  }
}

void RigidColliders::finish_short_steps(const core::Comm& comm) {
  if (!has_free_body_) return;
  late_impulses_.resize(size());
  // The half-step shift of a body's energy (kinetic_energy_shifted) is that of the first kicks: before_ moves along.
  const std::vector<BodyState> moved = states_;
  give_impulses(comm, late_impulses_, 1);
  for (std::size_t i = 0; i < before_.size(); ++i) {
    before_[i].velocity += states_[i].velocity - moved[i].velocity;
    before_[i].angular_momentum += states_[i].angular_momentum - moved[i].angular_momentum;
  }
  late_impulses_.clear();
}

}  // namespace brisance::contact
