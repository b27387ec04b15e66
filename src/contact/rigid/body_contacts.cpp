// Contact between rigid bodies: a free one against every other that it overlaps.
#include "brisance/contact/rigid/body_contacts.hpp"

#include "brisance/core/error.hpp"

#include "penalty_law.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace brisance::contact {
namespace {

Vec3 velocity_at(const BodyState& body, const Vec3& arm) { return body.velocity + body.angular_velocity.cross(arm); }

bool is_free(const ColliderParameters& body) { return body.motion == ColliderMotion::free; }

/// The pair's spring is slower than the fastest wave of the mesh by this factor: eight corners in contact at once stay
/// well within the step of the elements, and a body that strikes with speed v penetrates by about 10 h₀ v/c_p.
constexpr double kFrequencyShare = 0.1;

}  // namespace

void BodyContacts::find(const BodiesView& bodies) {
  contacts_.clear();
  if (account_.wave_frequency == 0 || std::ranges::none_of(bodies.parameters, is_free)) return;
  const auto& shapes = bodies.shapes;
  const auto may_press = [&](std::size_t i, std::size_t j) {
    const bool moves = is_free(bodies.parameters[i]) || is_free(bodies.parameters[j]);
    return i != j && moves && may_overlap(shapes[i], shapes[j]);
  };
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      if (!may_press(i, j)) continue;
      // Two spheres have one contact; so have a sphere and a box or mesh, where the sphere is deepest.
      const bool i_has_one = shapes[i].shape->has_one_contact(), j_has_one = shapes[j].shape->has_one_contact();
      if (j_has_one && (!i_has_one || i > j)) continue;
      const double mass = 1 / (bodies.mass[i].mobility + bodies.mass[j].mobility);
      const double frequency = kFrequencyShare * account_.wave_frequency;
      for (const InsidePoint& p : shapes[i].shape->points_inside(shapes[i], shapes[j]))
        contacts_.push_back(
            {i, j, p.point, p.normal, p.depth, p.weight * mass, p.weight * mass * frequency * frequency});
    }
}

void BodyContacts::start(const BodiesView& bodies, double wave_frequency) {
  account_.wave_frequency = wave_frequency;
  find(bodies);
  for (const BodyContact& contact : contacts_) {
    if (contact.depth > 1e-6 * reach(bodies.shapes[contact.body]))
      throw core::Error(fmt::format("collider \"{}\" starts {:.3g} m inside collider \"{}\". Move one of them.",
                                    bodies.parameters[contact.body].name, contact.depth,
                                    bodies.parameters[contact.other].name));
  }
}

void BodyContacts::press(const BodiesView& bodies, double dt_s, const Vec3& gravity) {
  for (BodyContact& contact : contacts_) {
    const std::size_t i = contact.body, j = contact.other;
    const ColliderParameters &a = bodies.parameters[i], &b = bodies.parameters[j];
    contact.velocity = velocity_at(bodies.states[i], contact.point - bodies.states[i].position);
    contact.other_velocity = velocity_at(bodies.states[j], contact.point - bodies.states[j].position);
    const Vec3 relative = contact.velocity - contact.other_velocity;
    const auto fall = [&](const ColliderParameters& c) { return is_free(c) ? gravity : Vec3(Vec3::Zero()); };
    const Penetration penetration{contact.depth, contact.normal, relative, relative + dt_s * (fall(a) - fall(b)),
                                  contact.mass / dt_s};
    const double damping = 2 * std::max(a.damping_ratio, b.damping_ratio) * std::sqrt(contact.stiffness * contact.mass);
    const PenaltyForce pair =
        penalty_force({contact.stiffness, damping}, std::min(a.friction, b.friction), penetration);
    contact.force = pair.spring + pair.dissipative;
    contact.dissipative = pair.dissipative;
  }
}

Vec3 BodyContacts::force_on(std::size_t body, const Vec3& centre, Vec3& torque) const {
  Vec3 force = Vec3::Zero();
  for (const BodyContact& contact : contacts_) {
    if (contact.body != body && contact.other != body) continue;
    const Vec3 pressing = contact.body == body ? contact.force : Vec3(-contact.force);
    force += pressing;
    torque += (contact.point - centre).cross(pressing);
  }
  return force;
}

void BodyContacts::add_work(const BodiesView& bodies, std::span<const BodyState> before, double dt_s) {
  account_.last_loss = account_.last_supply = 0;
  for (const BodyContact& contact : contacts_) {
    const std::size_t i = contact.body, j = contact.other;
    // The arms at the start of the step, as for the torques.
    const Vec3 mean_i = 0.5 * (contact.velocity + velocity_at(bodies.states[i], contact.point - before[i].position));
    const Vec3 mean_j =
        0.5 * (contact.other_velocity + velocity_at(bodies.states[j], contact.point - before[j].position));
    account_.last_loss -= dt_s * contact.dissipative.dot(mean_i - mean_j);
    if (bodies.parameters[i].motion == ColliderMotion::path) account_.last_supply -= dt_s * contact.force.dot(mean_i);
    if (bodies.parameters[j].motion == ColliderMotion::path) account_.last_supply += dt_s * contact.force.dot(mean_j);
  }
  account_.loss += account_.last_loss;
  account_.supply += account_.last_supply;
}

BodyContacts::Energies BodyContacts::energies(double shift_steps) const {
  double stored = 0;
  for (const BodyContact& contact : contacts_) stored += 0.5 * contact.stiffness * contact.depth * contact.depth;
  return {stored, account_.loss + shift_steps * account_.last_loss,
          account_.supply + shift_steps * account_.last_supply};
}

}  // namespace brisance::contact
