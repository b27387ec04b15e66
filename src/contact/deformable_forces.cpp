// What overlapping tets do to each other: pressure, damping, friction, and the account of both.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

void DeformableContact::add_forces(std::span<const dist::NodeMotion> motion, std::span<const double> inverse_mass,
                                   double dt_s, std::span<dist::NodeForce> forces) {
  if (!rubs_known_) find_rubs(inverse_mass);
  const auto first_push = [&](const Touching& tet) {
    return ShortPressures::first_push(tet.pressing.law, tet.pressing.pressed, tet.kick_class, since_);
  };
  if (!lines_push_) push(first_push, inverse_mass, forces);
  rub(motion, dt_s);
  for (const Loss& loss : losses_)
    for (int axis = 0; axis < 3; ++axis) forces[static_cast<std::size_t>(loss.slot)].force[axis] += loss.force[axis];
}

void DeformableContact::add_soft_pressures(double times, std::span<const double> inverse_mass,
                                           std::span<dist::NodeForce> forces) const {
  const auto pressure = [times](const Touching& tet) {
    return times * tet.pressing.law.soft_pressure(tet.pressing.pressed);
  };
  push(pressure, inverse_mass, forces);
}

template <class PressureOf>
void DeformableContact::push(const PressureOf& pressure_of, std::span<const double> inverse_mass,
                             std::span<dist::NodeForce> forces) const {
  for (const Contact& contact : contacts_) {
    const Touching &a = touching_[static_cast<std::size_t>(contact.touching_a)],
                   &b = touching_[static_cast<std::size_t>(contact.touching_b)];
    const double p = contact.sum(pressure_of(a), pressure_of(b));
    for (std::size_t k = 0; k < 8; ++k) {
      const Touching& tet = k < 4 ? a : b;
      if (tet.guest) continue;
      const auto slot = static_cast<std::size_t>(tet.slot[k % 4]);
      if (!(inverse_mass[slot] > 0)) continue;
      for (int axis = 0; axis < 3; ++axis) forces[slot].force[axis] -= p * contact.overlap.gradient[k][axis];
    }
  }
}

void DeformableContact::follow(std::span<const dist::NodeMotion> motion, std::span<const double> pressed) {
  std::size_t asked = 0;
  for (Touching& tet : touching_)
    if (!tet.guest) tet.pressing.pressed = pressed[asked++];
  if (comm_.size() > 1) exchange_sums(motion);
  lines_push_ = true;
}

// How the two move past each other at the centroid of what they share, and what answers there: a quarter of its tet's
// mass for each corner, so that all tets of a node together count no more than the node has, and of that the pair's
// share.
void DeformableContact::find_rubs(std::span<const double> inverse_mass) {
  rubs_known_ = true;
  rubs_.clear();
  for (const Loss& loss : losses_) loss_at_[static_cast<std::size_t>(loss.slot)] = -1;
  losses_.clear();
  loss_at_.resize(std::max(loss_at_.size(), inverse_mass.size()), -1);
  const auto node_of = [&](const Touching& tet, std::size_t corner) {
    if (tet.guest) return Rub::kGuest;
    const std::int32_t slot = tet.slot[corner];
    if (!(inverse_mass[static_cast<std::size_t>(slot)] > 0)) return Rub::kFirstGhost - slot;
    std::int32_t& at = loss_at_[static_cast<std::size_t>(slot)];
    if (at < 0) {
      at = static_cast<std::int32_t>(losses_.size());
      losses_.push_back({slot, Vec3::Zero(), Vec3::Zero()});
    }
    return at;
  };
  for (const Contact& contact : contacts_) {
    const Vec3 common_area = contact.overlap.area();
    const double area = common_area.norm();
    if (!(area > 0)) continue;
    const Touching &a = touching_[static_cast<std::size_t>(contact.touching_a)],
                   &b = touching_[static_cast<std::size_t>(contact.touching_b)];
    const std::array<double, 4>&in_a = contact.in_a, &in_b = contact.in_b;
    Rub& rub = rubs_.emplace_back();
    double give = 0;  // velocity for each unit of impulse [1/kg]
    for (std::size_t k = 0; k < 4; ++k) {
      give += 4 * (in_a[k] * in_a[k] / a.mass + in_b[k] * in_b[k] / b.mass);
      rub.weight[k] = in_a[k];
      rub.weight[4 + k] = -in_b[k];
      rub.node[k] = node_of(a, k);
      rub.node[4 + k] = node_of(b, k);
    }
    const double inertia = 1 / give;
    const double spring =
        contact.sum(a.pressing.law.stiffness / a.volume, b.pressing.law.stiffness / b.volume) * area * area;
    rub.a = contact.touching_a;
    rub.b = contact.touching_b;
    rub.counts_for_a = contact.counts_for_a;
    rub.counts_for_b = contact.counts_for_b;
    rub.normal = common_area / area;
    rub.area = area;
    rub.inertia = inertia / std::max(a.num_pairs, b.num_pairs);
    rub.damper = 2 * damping_ratio_ * std::sqrt(spring * inertia);
  }
}

void DeformableContact::rub(std::span<const dist::NodeMotion> motion, double dt_s) {
  for (Loss& loss : losses_) {
    loss.force = Vec3::Zero();
    loss.velocity = Vec3(motion[static_cast<std::size_t>(loss.slot)].velocity);
  }
  pressure_.clear();
  for (const Touching& tet : touching_) pressure_.push_back(tet.pressing.pressure());
  for (const Rub& rub : rubs_) {
    Vec3 relative = Vec3::Zero();
    for (std::size_t k = 0; k < 8; ++k) {
      const std::int32_t node = rub.node[k];
      if (node >= 0)
        relative += rub.weight[k] * losses_[static_cast<std::size_t>(node)].velocity;
      else if (node == Rub::kGuest)
        relative += rub.weight[k] * velocity(touching_[static_cast<std::size_t>(k < 4 ? rub.a : rub.b)], k % 4, motion);
      else
        relative += rub.weight[k] * Vec3(motion[static_cast<std::size_t>(Rub::kFirstGhost - node)].velocity);
    }
    const double elastic = rub.area * ((rub.counts_for_a ? pressure_[static_cast<std::size_t>(rub.a)] : 0) +
                                       (rub.counts_for_b ? pressure_[static_cast<std::size_t>(rub.b)] : 0));
    const double approach = relative.dot(rub.normal);
    const double damper = std::min(rub.damper, 0.5 * rub.inertia / dt_s);
    const double pressing = std::max(0.0, elastic + damper * approach);  // nothing sticks (VALIDATION E1)
    Vec3 force = (elastic - pressing) * rub.normal;                      // on A
    const Vec3 slip = relative - approach * rub.normal;
    if (const double speed = slip.norm(); speed > 0)
      force -= std::min(parameters_.friction * pressing, rub.inertia * speed / dt_s) / speed * slip;
    for (std::size_t k = 0; k < 8; ++k)
      if (rub.node[k] >= 0) losses_[static_cast<std::size_t>(rub.node[k])].force += rub.weight[k] * force;
  }
}

core::ExactSum DeformableContact::stored() const {
  core::ExactSum energy;
  for (const Touching& tet : touching_)
    if (!tet.guest && tet.is_home) energy.add(tet.volume * tet.pressing.law.energy_density(tet.pressing.pressed));
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
