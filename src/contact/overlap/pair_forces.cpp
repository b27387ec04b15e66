#include "brisance/contact/overlap/pair_forces.hpp"

#include "contact/array_vec.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// Of what stops the approach of a pair's corners within the step, the most that a damper may do [–].
constexpr double kMostDamping = 0.5;

/// Friction and what damping adds to the pressure, on a [N].
Vec3 dissipative_force(const PairOverlap& pair, std::span<const ContactTet> tets, const TouchingTets& touching,
                       std::span<const OverlapNode> nodes, const PairForceLaw& law) {
  const PairMotion at = pair_motion(pair, tets, touching);
  if (!(at.area > 0)) return Vec3::Zero();
  const TouchingTet &a = touching.of(pair.a), &b = touching.of(pair.b);
  const double share = at.inertia / std::max(a.num_pairs, b.num_pairs);
  const double elastic = at.area * pair.sum(a.pressing.pressure(), b.pressing.pressure());
  const double damper =
      std::min(2 * law.damping_ratio * std::sqrt(at.spring * at.inertia), kMostDamping * share / law.dt_s);
  const double approach = relative_velocity(pair, tets, nodes, &OverlapNode::velocity).dot(at.normal);
  const double pressing = std::max(0.0, elastic + damper * approach);  // nothing sticks (VALIDATION E1)
  Vec3 force = (elastic - pressing) * at.normal;
  const Vec3 expected = relative_velocity(pair, tets, nodes, &OverlapNode::expected_velocity);
  const Vec3 slip = expected - expected.dot(at.normal) * at.normal;
  if (const double speed = slip.norm(); speed > 0)
    force -= std::min(law.friction * pressing, share * speed / law.dt_s) / speed * slip;
  return force;
}

}  // namespace

PairMotion pair_motion(const PairOverlap& pair, std::span<const ContactTet> tets, const TouchingTets& touching) {
  const Vec3 common = pair.overlap.area();
  const double area = common.norm();
  if (!(area > 0)) return {.normal = Vec3::Zero(), .area = 0, .inertia = 0, .spring = 0};
  const ContactTet &a = tets[static_cast<std::size_t>(pair.a)], &b = tets[static_cast<std::size_t>(pair.b)];
  double give = 0;  // velocity for each unit of impulse [1/kg]
  for (std::size_t k = 0; k < 4; ++k)
    give += 4 * (pair.in_a[k] * pair.in_a[k] / a.mass + pair.in_b[k] * pair.in_b[k] / b.mass);
  const double stiffness = pair.sum(touching.of(pair.a).pressing.stiffness / a.volume,
                                    touching.of(pair.b).pressing.stiffness / b.volume);
  return {.normal = common / area, .area = area, .inertia = 1 / give, .spring = stiffness * area * area};
}

Vec3 relative_velocity(const PairOverlap& pair, std::span<const ContactTet> tets, std::span<const OverlapNode> nodes,
                       std::array<double, 3> OverlapNode::*velocity) {
  const ContactTet &a = tets[static_cast<std::size_t>(pair.a)], &b = tets[static_cast<std::size_t>(pair.b)];
  Vec3 relative = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k)
    relative += pair.in_a[k] * vec(nodes[static_cast<std::size_t>(a.number[k])].*velocity) -
                pair.in_b[k] * vec(nodes[static_cast<std::size_t>(b.number[k])].*velocity);
  return relative;
}

std::vector<OverlapForce> pair_forces(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs,
                                      const TouchingTets& touching, std::span<const OverlapNode> nodes,
                                      std::size_t num_slots, const PairForceLaw& law) {
  std::vector<Vec3> by_slot(pairs.empty() ? 0 : num_slots, Vec3::Zero());
  std::vector<std::int32_t> slots;
  for (const PairOverlap& pair : pairs) {
    const ContactTet &a = tets[static_cast<std::size_t>(pair.a)], &b = tets[static_cast<std::size_t>(pair.b)];
    const double pressure = pair.sum(touching.of(pair.a).pressing.pressure(), touching.of(pair.b).pressing.pressure());
    const Vec3 dissipative = dissipative_force(pair, tets, touching, nodes, law);
    for (std::size_t k = 0; k < 8; ++k) {
      const std::int32_t number = k < 4 ? a.number[k] : b.number[k - 4];
      if (static_cast<std::size_t>(number) >= num_slots) continue;
      const double weight = k < 4 ? pair.in_a[k] : -pair.in_b[k - 4];
      by_slot[static_cast<std::size_t>(number)] += weight * dissipative - pressure * pair.overlap.gradient[k];
      slots.push_back(number);
    }
  }
  std::ranges::sort(slots);
  const auto repeated = std::ranges::unique(slots);
  slots.erase(repeated.begin(), repeated.end());
  std::vector<OverlapForce> forces;
  for (const std::int32_t slot : slots) forces.push_back({slot, by_slot[static_cast<std::size_t>(slot)]});
  return forces;
}

}  // namespace brisance::contact
