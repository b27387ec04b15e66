// The energy account of contact: energy stored in the springs, and the work of a step.
#include "brisance/contact/rigid/rigid_contact.hpp"

#include "penalty_law.hpp"

#include <algorithm>

namespace brisance::contact {

void RigidColliders::add_work(std::span<const dist::NodeMotion> motion, double dt_s, ContactWork& work) const {
  add_work_over([&](const core::StepShares& shares) { return shares.kick * dt_s; }, motion, work);
}

void RigidColliders::add_work_over(const std::function<double(const core::StepShares&)>& seconds_of,
                                   std::span<const dist::NodeMotion> motion, ContactWork& work) const {
  const bool looked_ahead = !reactions_ahead_.empty();
  const auto add = [&](const NodeContact& contact) {
    const double seconds = seconds_of(contact.shares) * (looked_ahead ? 0.5 : 1);
    add_work_of(contact, Vec3(motion[static_cast<std::size_t>(contact.node)].velocity), seconds, work);
  };
  for (const NodeContact& contact : contacts_) add(contact);
  for (const ShortContact& contact : short_contacts_) add(contact.pressing);
  if (looked_ahead)
    for (const NodeContact& contact : contacts_ahead_) add(contact);
}

void RigidColliders::add_work_of(const NodeContact& contact, const Vec3& velocity_after, double dt_s,
                                 ContactWork& work) const {
  const BodyState& body = states_[static_cast<std::size_t>(contact.body)];
  const Vec3 body_velocity = body.velocity + body.angular_velocity.cross(contact.arm);
  const Vec3 node_mean = 0.5 * (contact.node_velocity + velocity_after);
  const Vec3 body_mean = 0.5 * (contact.body_velocity + body_velocity);
  const Vec3 force = contact.spring + contact.dissipative;
  work.on_nodes.add(dt_s * force.dot(node_mean));
  work.on_bodies.add(-dt_s * force.dot(body_mean));
  if (parameters_[static_cast<std::size_t>(contact.body)].motion == ColliderMotion::path)
    work.supplied.add(dt_s * force.dot(body_mean));
  work.dissipated.add(-dt_s * contact.dissipative.dot(node_mean - body_mean));
}

core::ExactSum RigidColliders::stored_energy(const ContactNodes& nodes, std::span<const double> offsets) const {
  core::ExactSum energy;
  for (const std::int32_t slot : nodes.owned) {
    const dist::NodeMotion& node = nodes.motion[slot];
    if (!near_some_body(node)) continue;
    const Vec3 position(node.position[0], node.position[1], node.position[2]);
    const double offset = std::min(offsets[slot], depth(position));
    for (std::size_t i = 0; i < size(); ++i) {
      const double beyond = -distance_in_body(i, position).distance - offset;
      if (!(beyond > 0)) continue;
      const PenaltySpring spring = penalty_spring(parameters_[i], nodes.mass[slot], nodes.wave_frequency[slot]);
      energy.add(0.5 * spring.stiffness * beyond * beyond);
    }
  }
  return energy;
}

}  // namespace brisance::contact
