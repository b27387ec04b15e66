// What overlapping tets do to each other: pressure, damping, friction, and the account of both.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

Vec3 DeformableContact::velocity(const Tet& tet, std::size_t corner, std::span<const dist::NodeMotion> motion) const {
  if (tet.guest) return tet.velocity[corner];
  const double* v = motion[static_cast<std::size_t>(tet.skin.slot[corner])].velocity;
  return {v[0], v[1], v[2]};
}

void DeformableContact::add_forces(std::span<const dist::NodeMotion> motion, std::span<const double> inverse_mass,
                                   double dt_s, std::span<dist::NodeForce> forces) {
  for (const Loss& loss : losses_) loss_at_[static_cast<std::size_t>(loss.slot)] = -1;
  losses_.clear();
  loss_at_.resize(motion.size(), -1);
  for (const ContactOrder& next : order_)
    press(contacts_[static_cast<std::size_t>(next.contact)], motion, inverse_mass, dt_s, forces);
}

void DeformableContact::add_pressures(double times, std::span<const double> inverse_mass,
                                      std::span<dist::NodeForce> forces) const {
  for (const ContactOrder& next : order_) {
    const Contact& contact = contacts_[static_cast<std::size_t>(next.contact)];
    const Tet &a = tets_[static_cast<std::size_t>(contact.a)], &b = tets_[static_cast<std::size_t>(contact.b)];
    const double p = times * contact.sum(a.pressing.pressure, b.pressing.pressure);
    for (std::size_t k = 0; k < 8; ++k) {
      const Tet& tet = k < 4 ? a : b;
      if (tet.guest) continue;
      const auto slot = static_cast<std::size_t>(tet.skin.slot[k % 4]);
      if (!(inverse_mass[slot] > 0)) continue;
      for (int axis = 0; axis < 3; ++axis) forces[slot].force[axis] -= p * contact.overlap.gradient[k][axis];
    }
  }
}

void DeformableContact::follow(std::span<const dist::NodeMotion> motion, std::span<const double> pressures) {
  std::size_t asked = 0;
  for (const std::int32_t t : touching_)
    if (Tet& tet = tets_[static_cast<std::size_t>(t)]; !tet.guest) tet.pressing.pressure = pressures[asked++];
  if (comm_.size() > 1) exchange_sums(motion);
  for (const std::int32_t t : touching_) tets_[static_cast<std::size_t>(t)].kick = 0;  // lines push
}

void DeformableContact::press(const Contact& contact, std::span<const dist::NodeMotion> motion,
                              std::span<const double> inverse_mass, double dt_s, std::span<dist::NodeForce> forces) {
  const Tet &a = tets_[static_cast<std::size_t>(contact.a)], &b = tets_[static_cast<std::size_t>(contact.b)];
  const TetOverlap& overlap = contact.overlap;
  const double pressure = contact.sum(a.pressing.pressure, b.pressing.pressure);
  const Vec3 common_area = overlap.area();
  const double area = common_area.norm();

  // How the two move past each other at the centroid of what they share, and what answers there: a quarter of its tet's
  // mass for each corner, so that all tets of a node together count no more than the node has, and of that the pair's
  // share.
  const std::array<double, 4> in_a = placed_[static_cast<std::size_t>(contact.a)].coordinates(overlap.centroid);
  const std::array<double, 4> in_b = placed_[static_cast<std::size_t>(contact.b)].coordinates(overlap.centroid);
  Vec3 dissipative = Vec3::Zero();  // on A
  if (area > 0) {
    Vec3 relative = Vec3::Zero();
    double give = 0;  // velocity for each unit of impulse [1/kg]
    for (std::size_t k = 0; k < 4; ++k) {
      relative += in_a[k] * velocity(a, k, motion) - in_b[k] * velocity(b, k, motion);
      give += 4 * (in_a[k] * in_a[k] / a.skin.mass + in_b[k] * in_b[k] / b.skin.mass);
    }
    const double inertia = 1 / give, share = 1.0 / std::max(a.num_pairs, b.num_pairs);
    const Vec3 normal = common_area / area;  // out of A, into B
    const double elastic = pressure * area;
    const double spring =
        contact.sum(a.pressing.stiffness / a.skin.volume, b.pressing.stiffness / b.skin.volume) * area * area;
    const double damper = std::min(2 * damping_ratio_ * std::sqrt(spring * inertia), 0.5 * share * inertia / dt_s);
    const double approach = relative.dot(normal);
    const double pressing = std::max(0.0, elastic + damper * approach);  // nothing sticks (VALIDATION E1)
    dissipative = (elastic - pressing) * normal;
    const Vec3 slip = relative - approach * normal;
    if (const double speed = slip.norm(); speed > 0)
      dissipative -= std::min(parameters_.friction * pressing, share * inertia * speed / dt_s) / speed * slip;
  }

  const double kick = contact.sum(a.kick * a.pressing.pressure, b.kick * b.pressing.pressure);
  const auto act = [&](const Tet& tet, std::size_t first, const std::array<double, 4>& weight, double sign) {
    if (tet.guest) return;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto slot = static_cast<std::size_t>(tet.skin.slot[k]);
      if (!(inverse_mass[slot] > 0)) continue;
      const Vec3 loss = sign * weight[k] * dissipative, force = loss - kick * overlap.gradient[first + k];
      for (int axis = 0; axis < 3; ++axis) forces[slot].force[axis] += force[axis];
      std::int32_t& at = loss_at_[slot];
      if (at < 0) {
        at = static_cast<std::int32_t>(losses_.size());
        losses_.push_back({tet.skin.slot[k], Vec3::Zero(), velocity(tet, k, motion)});
      }
      losses_[static_cast<std::size_t>(at)].force += loss;
    }
  };
  act(a, 0, in_a, 1);
  act(b, 4, in_b, -1);
}

core::ExactSum DeformableContact::stored() const {
  core::ExactSum energy;
  for (const std::int32_t t : touching_)
    if (const Tet& tet = tets_[static_cast<std::size_t>(t)]; !tet.guest && tet.skin.is_home)
      energy.add(0.5 * tet.skin.volume * tet.pressing.pressure * tet.pressing.pressure / tet.pressing.stiffness);
  return energy;
}

core::ExactSum DeformableContact::dissipated(std::span<const dist::NodeMotion> motion, double dt_s) const {
  core::ExactSum lost;
  for (const Loss& loss : losses_) {
    const double* v = motion[static_cast<std::size_t>(loss.slot)].velocity;
    lost.add(-0.5 * dt_s * loss.force.dot(loss.velocity + Vec3(v[0], v[1], v[2])));
  }
  return lost;
}

}  // namespace brisance::contact
