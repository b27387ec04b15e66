// One pass over the owned nodes: a bounding test for all, the penalty law for the few that lie inside a body.
#include "brisance/contact/rigid_contact.hpp"

#include "penalty_law.hpp"
#include "rigid_body.hpp"

#include <algorithm>

namespace brisance::contact {
namespace {

Vec3 vec(const double (&xyz)[4]) { return {xyz[0], xyz[1], xyz[2]}; }

}  // namespace

bool RigidColliders::near_some_body(const dist::NodeMotion& node) const {
  const auto& x = node.position;
  bool near = false;
  for (const auto& h : half_spaces_) {
    const double scale = 1e-12 * (std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]));
    near |= h[0] * x[0] + h[1] * x[1] + h[2] * x[2] - scale < h[3];
  }
  for (const Bounds& b : bounds_)
    near |= (x[0] > b.low[0]) & (x[0] < b.high[0]) & (x[1] > b.low[1]) & (x[1] < b.high[1]) & (x[2] > b.low[2]) &
            (x[2] < b.high[2]);
  return near;
}

void RigidColliders::add_forces(const ContactNodes& nodes, double dt_s, const Vec3& gravity, std::span<double> forgiven,
                                std::span<dist::NodeForce> forces) {
  contacts_.clear();
  contacts_ahead_.clear();
  reactions_ahead_.clear();
  for (Reaction& reaction : reactions_) reaction = Reaction{};

  // Branch-free compaction: most nodes are near nothing, and the loop is bound by memory.
  near_.resize(nodes.owned.size());
  std::size_t num_near = 0;
  for (const std::int32_t slot : nodes.owned) {
    near_[num_near] = slot;
    const bool near = near_some_body(nodes.motion[slot]);
    num_near += near;
    if (!near) forgiven[slot] = 0;
  }
  for (std::size_t i = 0; i < num_near; ++i) {
    const std::int32_t slot = near_[i];
    touch(nodes, slot, dt_s, gravity, forgiven[slot], forces[slot]);
  }
}

void RigidColliders::look_ahead(const ContactNodes& nodes, double dt_s, const Vec3& gravity,
                                std::span<const double> forgiven, std::span<dist::NodeForce> forces) {
  if (size() == 0) return;
  RigidColliders there = *this;  // few bodies; its contacts and what it forgives are its own
  std::vector<double> still_forgiven(forgiven.begin(), forgiven.end());
  there.add_forces(nodes, dt_s, gravity, still_forgiven, forces);
  contacts_ahead_ = std::move(there.contacts_);
  reactions_ahead_ = std::move(there.reactions_);
}

void RigidColliders::finish_look_ahead(const core::Comm& comm, double dt_s) {
  if (reactions_ahead_.empty() || !has_free_body_) return;
  std::vector<core::ExactSum> more;  // force and torque of each free body, at the end less those at the start
  for (std::size_t i = 0; i < size(); ++i) {
    if (parameters_[i].motion != ColliderMotion::free) continue;
    for (int k = Reaction::kForce; k < Reaction::kMass; ++k) {
      more.push_back(reactions_ahead_[i].sums[k]);
      more.back().subtract(reactions_[i].sums[k]);
    }
  }
  core::ExactSum::reduce(comm, more);
  std::size_t next = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (parameters_[i].motion != ColliderMotion::free) continue;
    const auto vector = [&](std::size_t k) { return Vec3(more[k].value(), more[k + 1].value(), more[k + 2].value()); };
    give_impulse(parameters_[i], 0.5 * dt_s * vector(next), 0.5 * dt_s * vector(next + 3), states_[i]);
    next += 6;
  }
}

void RigidColliders::touch(const ContactNodes& nodes, std::int32_t slot, double dt_s, const Vec3& gravity,
                           double& forgiven, dist::NodeForce& force) {
  const Vec3 position = vec(nodes.motion[slot].position), velocity = vec(nodes.motion[slot].velocity);
  const double mass = nodes.mass[slot];
  double deepest = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    surface_[i] = distance_inside(shapes_[i], position);
    deepest = std::max(deepest, -surface_[i].distance);
  }
  forgiven = std::min(forgiven, deepest);

  for (std::size_t i = 0; i < size(); ++i) {
    const double depth = -surface_[i].distance - forgiven;
    if (!(depth > 0)) continue;
    const ColliderParameters& law = parameters_[i];
    const BodyState& body = states_[i];
    NodeContact contact{slot, static_cast<std::int32_t>(i), depth};
    contact.arm = position - body.position;
    contact.node_velocity = velocity;
    contact.body_velocity = body.velocity + body.angular_velocity.cross(contact.arm);

    // What the node will do against the body's surface if this contact has no friction; both fall alike if both are
    // free.
    const Vec3 acceleration = vec(force.force) / mass + (law.motion == ColliderMotion::free ? Vec3::Zero() : gravity);
    const Vec3 relative = velocity - contact.body_velocity;
    // All nodes on a free body stop their slip at once, so each leaves the others their share.
    const double share = 1 / (1 + body.contact_mass * mobility(law));
    const Penetration penetration{depth, surface_[i].normal, relative, relative + dt_s * acceleration,
                                  share * mass / dt_s};
    const PenaltySpring spring = penalty_spring(law, mass, nodes.wave_frequency[slot]);
    const PenaltyForce pair = penalty_force(spring, law.friction, penetration);

    contact.stiffness = spring.stiffness;
    contact.spring = pair.spring;
    contact.dissipative = pair.dissipative;
    const Vec3 total = pair.spring + pair.dissipative;
    for (int k = 0; k < 3; ++k) force.force[k] += total[k];
    if (law.motion == ColliderMotion::free) add_reaction(contact, mass, spring.damping);
    contacts_.push_back(contact);
  }
}

void RigidColliders::add_reaction(const NodeContact& contact, double mass, double damping) {
  auto& sums = reactions_[static_cast<std::size_t>(contact.body)].sums;
  const Vec3 force = -(contact.spring + contact.dissipative);
  const Vec3 torque = contact.arm.cross(force);
  for (int k = 0; k < 3; ++k) {
    sums[Reaction::kForce + k].add(force[k]);
    sums[Reaction::kTorque + k].add(torque[k]);
  }
  sums[Reaction::kMass].add(mass);
  sums[Reaction::kStiffness].add(contact.stiffness);
  sums[Reaction::kDamping].add(damping);
}

}  // namespace brisance::contact
