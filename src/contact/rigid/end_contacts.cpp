// Contact at the end of an implicit step: the same law as during an explicit one, with the derivatives of its forces.
#include "brisance/contact/rigid/rigid_contact.hpp"

#include "penalty_law.hpp"

#include <algorithm>

namespace brisance::contact {

namespace {

constexpr double kStick = 1000;  ///< resistance to slip of a sticking node over its spring's in a step

}  // namespace

std::vector<EndContact> RigidColliders::end_contacts(const ContactNodes& nodes,
                                                     std::span<const dist::NodeMotion> before, double dt_s,
                                                     std::span<const double> offsets,
                                                     const FrictionLimits& limits) const {
  std::vector<EndContact> found;
  std::vector<SurfaceDistance> surface(size());
  for (const std::int32_t slot : nodes.owned) {
    const dist::NodeMotion& node = nodes.motion[static_cast<std::size_t>(slot)];
    if (!near_some_body(node)) continue;
    const Vec3 position(node.position), velocity(node.velocity);
    double deepest = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      surface[i] = distance_in_body(i, position);
      deepest = std::max(deepest, -surface[i].distance);
    }
    const double offset = std::min(offsets[static_cast<std::size_t>(slot)], deepest);
    const double mass = nodes.mass[static_cast<std::size_t>(slot)];
    for (std::size_t i = 0; i < size(); ++i) {
      const double depth = -surface[i].distance - offset;
      if (!(depth > 0)) continue;
      const BodyState& body = states_[i];
      const PenaltySpring spring =
          penalty_spring(parameters_[i], mass, nodes.wave_frequency[static_cast<std::size_t>(slot)]);
      EndContact contact;
      contact.node = slot;
      contact.body = static_cast<std::int32_t>(i);
      contact.depth = depth;
      contact.normal = surface[i].normal;
      contact.arm = position - body.position;
      contact.node_velocity = velocity;
      contact.body_velocity = body.velocity + body.angular_velocity.cross(contact.arm);
      const Vec3 relative = velocity - contact.body_velocity;
      const double leaving = relative.dot(contact.normal);
      const Vec3 begun = Vec3(before[static_cast<std::size_t>(slot)].position) + dt_s * contact.body_velocity;
      const bool was_inside = -distance_in_body(i, begun).distance > offset;
      const double damping = was_inside ? spring.damping : 0;
      const double pressing = spring.stiffness * depth - damping * leaving;
      if (!(pressing > 0)) continue;  // the damper would pull
      const Vec3 slip = relative - leaving * contact.normal;
      const double stick = kStick * (spring.stiffness * dt_s + mass / dt_s), speed = slip.norm();
      const auto named = limits.find({slot, static_cast<std::int32_t>(i)});
      const double limit = named == limits.end() ? 0 : named->second;
      contact.friction_coefficient = parameters_[i].friction;
      contact.stiffness = spring.stiffness;
      contact.damping = damping;
      contact.friction = limit < stick * speed ? limit / speed : (limit > 0 ? stick : 0);
      contact.spring = spring.stiffness * depth * contact.normal;
      contact.dissipative = -damping * leaving * contact.normal - contact.friction * slip;
      found.push_back(contact);
    }
  }
  return found;
}

core::ExactSum RigidColliders::finish_implicit_step(const ContactNodes& nodes, std::span<const EndContact> found,
                                                    double dt_s, std::span<double> offsets, ContactWork& work) {
  contacts_.clear();
  contacts_ahead_.clear();
  reactions_ahead_.clear();
  core::ExactSum of_springs;
  for (const std::int32_t slot : nodes.owned) {
    double& offset = offsets[static_cast<std::size_t>(slot)];
    if (offset > 0) offset = std::min(offset, depth(Vec3(nodes.motion[static_cast<std::size_t>(slot)].position)));
  }
  for (const EndContact& end : found) {
    NodeContact& contact = contacts_.emplace_back(static_cast<const NodeContact&>(end));
    contact.node_velocity = Vec3(nodes.motion[static_cast<std::size_t>(end.node)].velocity);
    add_work_of(contact, contact.node_velocity, dt_s, work);
    of_springs.add(dt_s * end.spring.dot(contact.node_velocity - end.body_velocity));
  }
  return of_springs;
}

}  // namespace brisance::contact
