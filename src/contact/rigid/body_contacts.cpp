// Contact between rigid bodies: a free one against every other that it overlaps. All results follow from states that
// are the same on all ranks, in the order of the bodies, so every rank finds the same bits.
#include "brisance/contact/rigid/rigid_contact.hpp"
#include "brisance/core/error.hpp"

#include "penalty_law.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::contact {
namespace {

Vec3 velocity_at(const BodyState& body, const Vec3& arm) { return body.velocity + body.angular_velocity.cross(arm); }

/// The pair's spring is slower than the fastest wave of the mesh by this factor: eight corners in contact at once stay
/// well within the step of the elements, and a body that strikes with speed v penetrates by about 10 h₀ v/c_p.
constexpr double kFrequencyShare = 0.1;

}  // namespace

void RigidColliders::find_body_contacts() {
  body_contacts_.clear();
  if (!has_free_body_ || body_wave_frequency_ == 0) return;
  const auto may_press = [&](std::size_t i, std::size_t j) {
    const bool moves = parameters_[i].motion == ColliderMotion::free || parameters_[j].motion == ColliderMotion::free;
    return i != j && moves && may_overlap(shapes_[i], shapes_[j]);
  };
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t j = 0; j < size(); ++j) {
      if (!may_press(i, j)) continue;
      // Two spheres have one contact; so have a sphere and a box or mesh, where the sphere is deepest.
      const bool i_has_one = shapes_[i].shape->has_one_contact(), j_has_one = shapes_[j].shape->has_one_contact();
      if (j_has_one && (!i_has_one || i > j)) continue;
      const double mass = 1 / (mobility_of(i) + mobility_of(j));
      const double frequency = kFrequencyShare * body_wave_frequency_;
      for (const InsidePoint& p : shapes_[i].shape->points_inside(shapes_[i], shapes_[j]))
        body_contacts_.push_back(
            {i, j, p.point, p.normal, p.depth, p.weight * mass, p.weight * mass * frequency * frequency});
    }
}

void RigidColliders::let_bodies_touch(double wave_frequency) {
  body_wave_frequency_ = wave_frequency;
  find_body_contacts();
  for (const BodyContact& contact : body_contacts_) {
    if (contact.depth > 1e-6 * reach(shapes_[contact.body]))
      throw core::Error(fmt::format("collider \"{}\" starts {:.3g} m inside collider \"{}\". Move one of them.",
                                    parameters_[contact.body].name, contact.depth, parameters_[contact.other].name));
  }
}

void RigidColliders::press_bodies(double dt_s, const Vec3& gravity) {
  for (BodyContact& contact : body_contacts_) {
    const std::size_t i = contact.body, j = contact.other;
    const ColliderParameters &a = parameters_[i], &b = parameters_[j];
    contact.velocity = velocity_at(states_[i], contact.point - states_[i].position);
    contact.other_velocity = velocity_at(states_[j], contact.point - states_[j].position);
    const Vec3 relative = contact.velocity - contact.other_velocity;
    const auto fall = [&](const ColliderParameters& c) {
      return c.motion == ColliderMotion::free ? gravity : Vec3(Vec3::Zero());
    };
    const Penetration penetration{contact.depth, contact.normal, relative, relative + dt_s * (fall(a) - fall(b)),
                                  contact.mass / dt_s};
    const double damping = 2 * std::max(a.damping_ratio, b.damping_ratio) * std::sqrt(contact.stiffness * contact.mass);
    const PenaltyForce pair =
        penalty_force({contact.stiffness, damping}, std::min(a.friction, b.friction), penetration);
    contact.force = pair.spring + pair.dissipative;
    contact.dissipative = pair.dissipative;
  }
}

Vec3 RigidColliders::force_of_bodies(std::size_t body, Vec3& torque) const {
  Vec3 force = Vec3::Zero();
  for (const BodyContact& contact : body_contacts_) {
    if (contact.body != body && contact.other != body) continue;
    const Vec3 pressing = contact.body == body ? contact.force : Vec3(-contact.force);
    force += pressing;
    torque += (contact.point - states_[body].position).cross(pressing);
  }
  return force;
}

void RigidColliders::add_work_of_bodies(double dt_s) {
  last_body_loss_ = last_body_supply_ = 0;
  for (const BodyContact& contact : body_contacts_) {
    const std::size_t i = contact.body, j = contact.other;
    // The arms at the start of the step, as for the torques.
    const Vec3 mean_i = 0.5 * (contact.velocity + velocity_at(states_[i], contact.point - before_[i].position));
    const Vec3 mean_j = 0.5 * (contact.other_velocity + velocity_at(states_[j], contact.point - before_[j].position));
    last_body_loss_ -= dt_s * contact.dissipative.dot(mean_i - mean_j);
    if (parameters_[i].motion == ColliderMotion::path) last_body_supply_ -= dt_s * contact.force.dot(mean_i);
    if (parameters_[j].motion == ColliderMotion::path) last_body_supply_ += dt_s * contact.force.dot(mean_j);
  }
  body_loss_ += last_body_loss_;
  body_supply_ += last_body_supply_;
}

double RigidColliders::stored_between_bodies() const {
  double energy = 0;
  for (const BodyContact& contact : body_contacts_) energy += 0.5 * contact.stiffness * contact.depth * contact.depth;
  return energy;
}

}  // namespace brisance::contact
