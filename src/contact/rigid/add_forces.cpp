// One pass over the owned nodes: a bounding test for all, the penalty law for the few that lie inside a body.
#include "brisance/contact/rigid/rigid_contact.hpp"

#include "contact/restitution.hpp"
#include "penalty_law.hpp"
#include "rigid_body.hpp"

#include <algorithm>
#include <limits>

namespace brisance::contact {
namespace {

/// Coarse steps after which a sub-cycled node would be inside a body at its speed, for it to be tested at each
/// sub-step: forces may accelerate it.
constexpr double kStepsAhead = 2;

Vec3 vec(const double (&xyz)[4]) { return {xyz[0], xyz[1], xyz[2]}; }

}  // namespace

bool RigidColliders::near_some_body(const dist::NodeMotion& node, double reach_s) const {
  const auto &x = node.position, &v = node.velocity;
  const double reach = reach_s * (std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]) + largest_body_speed_);
  bool near = false;
  for (const auto& h : half_spaces_) {
    const double scale = 1e-12 * (std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]));
    near |= h[0] * x[0] + h[1] * x[1] + h[2] * x[2] - scale < h[3] + reach;
  }
  for (const Box& b : bounds_)
    near |= (x[0] > b.low[0] - reach) & (x[0] < b.high[0] + reach) & (x[1] > b.low[1] - reach) &
            (x[1] < b.high[1] + reach) & (x[2] > b.low[2] - reach) & (x[2] < b.high[2] + reach);
  return near;
}

void RigidColliders::add_forces(const ContactNodes& nodes, double dt_s, const Vec3& gravity, std::span<double> offsets,
                                std::span<dist::NodeForce> forces, const core::StepSharesOf& shares_of) {
  contacts_.clear();
  short_contacts_.clear();
  contacts_ahead_.clear();
  reactions_ahead_.clear();
  for (Reaction& reaction : reactions_) reaction = Reaction{};
  pushes_.clear();

  const double reach_s = shares_of ? kStepsAhead * dt_s : 0;
  // Branch-free compaction: most nodes are near no body, and the loop is bound by memory bandwidth.
  near_.resize(nodes.owned.size());
  std::size_t num_near = 0;
  for (const std::int32_t slot : nodes.owned) {
    near_[num_near] = slot;
    const bool near = near_some_body(nodes.motion[slot], reach_s);
    num_near += near;
    if (!near) offsets[slot] = 0;
  }
  for (std::size_t i = 0; i < num_near; ++i) {
    const std::int32_t slot = near_[i];
    touch(nodes, slot, dt_s, gravity, offsets[slot], forces[slot], shares_of);
  }
}

void RigidColliders::look_ahead(const ContactNodes& nodes, double dt_s, const Vec3& gravity,
                                std::span<const double> offsets, std::span<dist::NodeForce> forces) {
  if (size() == 0) return;
  RigidColliders there = *this;  // cheap, since bodies are few; the copy changes no contacts or offsets of this
  std::vector<double> still_offset(offsets.begin(), offsets.end());
  there.add_forces(nodes, dt_s, gravity, still_offset, forces);
  contacts_ahead_ = std::move(there.contacts_);
  reactions_ahead_ = std::move(there.reactions_);
}

void RigidColliders::finish_look_ahead(const core::Comm& comm, double dt_s) {
  if (reactions_ahead_.empty() || !has_free_body_) return;
  std::vector<Impulse> more(size());  // forces and torques at the end minus those at the start
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t k = Reaction::kForce; k < Reaction::kMass; ++k) {
      more[i][k] = reactions_ahead_[i].sums[k];
      more[i][k].subtract(reactions_[i].sums[k]);
    }
  give_impulses(comm, more, 0.5 * dt_s);
}

void RigidColliders::give_impulses(const core::Comm& comm, std::span<const Impulse> by_body, double factor) {
  std::vector<core::ExactSum> sums;
  for (std::size_t i = 0; i < size(); ++i)
    if (parameters_[i].motion == ColliderMotion::free) sums.insert(sums.end(), by_body[i].begin(), by_body[i].end());
  core::ExactSum::reduce(comm, sums);
  std::size_t next = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (parameters_[i].motion != ColliderMotion::free) continue;
    const auto vector = [&](std::size_t k) { return Vec3(sums[k].value(), sums[k + 1].value(), sums[k + 2].value()); };
    give_impulse(mass_properties_[i], factor * vector(next), factor * vector(next + 3), states_[i]);
    next += std::tuple_size_v<Impulse>;
  }
}

void RigidColliders::touch(const ContactNodes& nodes, std::int32_t slot, double dt_s, const Vec3& gravity,
                           double& offset, dist::NodeForce& force, const core::StepSharesOf& shares_of) {
  const Vec3 position = vec(nodes.motion[slot].position), velocity = vec(nodes.motion[slot].velocity);
  const double mass = nodes.mass[slot];
  double nearest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size(); ++i) {
    surface_[i] = distance_in_body(i, position);
    nearest = std::max(nearest, -surface_[i].distance);
  }
  offset = std::min(offset, std::max(0.0, nearest));
  const double reach = shares_of ? kStepsAhead * dt_s * (velocity.norm() + largest_body_speed_) : 0;
  if (!(nearest - offset > -reach)) return;
  const core::StepShares shares = shares_of ? shares_of(slot) : core::StepShares();

  for (std::size_t i = 0; i < size(); ++i) {
    const double depth = -surface_[i].distance - offset;
    const bool has_short_steps = shares.are_short();
    if (!(depth > 0) && !has_short_steps) continue;
    const ColliderParameters& law = parameters_[i];
    const BodyState& body = states_[i];
    NodeContact contact;
    contact.node = slot;
    contact.body = static_cast<std::int32_t>(i);
    contact.depth = depth;
    contact.arm = position - body.position;
    contact.node_velocity = velocity;
    contact.body_velocity = body.velocity + body.angular_velocity.cross(contact.arm);
    contact.shares = shares;
    if (!(depth > 0) && -depth > kStepsAhead * dt_s * (velocity - contact.body_velocity).norm()) continue;

    // Relative motion of node and body without friction from this contact; if both are free, both fall alike.
    const Vec3 acceleration = vec(force.force) / mass + (law.motion == ColliderMotion::free ? Vec3::Zero() : gravity);
    const Vec3 relative = velocity - contact.body_velocity;
    const double step_s = shares.now * dt_s;
    // All nodes on a free body stop their slip at once, so each uses only its share of the body's mobility.
    const double slip_mass = mass / (1 + body.contact_mass * mobility_of(i));
    const PenaltySpring spring = penalty_spring(law, mass, nodes.wave_frequency[slot]);
    contact.stiffness = spring.stiffness;
    if (depth > 0) {
      const Penetration penetration{depth, surface_[i].normal, relative, relative + step_s * acceleration,
                                    slip_mass / step_s};
      const PenaltyForce pair = penalty_force(spring, law.friction, penetration);
      contact.spring = pair.spring;
      contact.dissipative = pair.dissipative;
      const Vec3 kick = shares.kick * contact.force();
      for (int k = 0; k < 3; ++k) force.force[k] += kick[k];
      if (law.motion == ColliderMotion::free) add_reaction(contact, mass, spring.damping);
    }
    if (!has_short_steps) {
      contacts_.push_back(contact);
      continue;
    }
    contact.depth = std::max(0.0, depth);
    short_contacts_.push_back({.pressing = contact,
                               .normal = surface_[i].normal,
                               .start = position,
                               .body_moves = Vec3::Zero(),
                               .depth_at_start = depth,
                               .damping = spring.damping,
                               .slip_mass = slip_mass});
  }
}

SurfaceDistance RigidColliders::distance_in_body(std::size_t body, const Vec3& point) const {
  SurfaceDistance nearest = distance_inside(shapes_[body], point);
  if (!(nearest.distance < 0) || parameters_[body].motion != ColliderMotion::fixed || size() == 1) return nearest;
  const auto is_in_other = [&](const Vec3& image) {
    for (std::size_t other = 0; other < size(); ++other)
      if (other != body && parameters_[other].motion == ColliderMotion::fixed &&
          distance_inside(shapes_[other], image).distance < 0)
        return true;
    return false;
  };
  return shapes_[body].shape->distance_to_free_side(shapes_[body], point, is_in_other).value_or(nearest);
}

void RigidColliders::add_reaction(const NodeContact& contact, double mass, double damping) {
  auto& sums = reactions_[static_cast<std::size_t>(contact.body)].sums;
  const Vec3 force = -contact.shares.kick * contact.force();
  const Vec3 torque = contact.arm.cross(force);
  for (int k = 0; k < 3; ++k) {
    sums[Reaction::kForce + k].add(force[k]);
    sums[Reaction::kTorque + k].add(torque[k]);
  }
  // The body's velocity is that of the middle of the step: half a step after the positions. Impulses of sub-steps
  // within that half come when the step ends; without them here, the body would move as if they were half a step late.
  const double late = 0.5 * (1 - contact.shares.now);
  if (late > 0)
    for (int k = 0; k < 3; ++k) {
      sums[Reaction::kLateForce + k].add(-late * contact.force()[k]);
      sums[Reaction::kLateTorque + k].add(-late * contact.arm.cross(contact.force())[k]);
    }
  sums[Reaction::kMass].add(mass);
  sums[Reaction::kStiffness].add(contact.stiffness);
  sums[Reaction::kDamping].add(damping);
}

std::optional<SurfaceDistance> RigidColliders::surface_near(std::size_t body, const Vec3& point, double reach) const {
  const PlacedShape& shape = shapes_[body];
  if (is_bounded(shape)) {
    const Box box = bounds(shape);
    for (int k = 0; k < 3; ++k)
      if (point[k] < box.low[k] - reach || point[k] > box.high[k] + reach) return std::nullopt;
  }
  const SurfaceDistance surface = signed_distance(shape, point);
  if (surface.distance > reach) return std::nullopt;
  return surface;
}

Vec3 velocity_of(const RigidColliders& colliders, std::size_t body, const Vec3& point) {
  const BodyState& state = colliders.states()[body];
  return state.velocity + state.angular_velocity.cross(point - state.position);
}

double restitution_of(const RigidColliders& colliders, std::size_t body) {
  constexpr double kNoBounce = 0.999;  // the law holds for damping ratios below 1
  return restitution(std::min(colliders.parameters(body).damping_ratio, kNoBounce));
}

void RigidColliders::push(std::size_t body, const Vec3& force, const Vec3& couple, const Vec3& point) {
  if (parameters_[body].motion != ColliderMotion::free) return;
  pushes_.resize(size());
  const Vec3 torque = couple + (point - states_[body].position).cross(force);
  for (int k = 0; k < 3; ++k) {
    pushes_[body][static_cast<std::size_t>(k)].add(force[k]);
    pushes_[body][3 + static_cast<std::size_t>(k)].add(torque[k]);
  }
}

void RigidColliders::forget_nodes(std::span<const std::uint8_t> gone) {
  const auto is_gone = [&](const NodeContact& c) { return gone[static_cast<std::size_t>(c.node)] != 0; };
  std::erase_if(contacts_, is_gone);
  std::erase_if(contacts_ahead_, is_gone);
  std::erase_if(short_contacts_, [&](const ShortContact& c) { return is_gone(c.pressing); });
}

}  // namespace brisance::contact
