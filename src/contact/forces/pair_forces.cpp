#include "brisance/contact/forces/pair_forces.hpp"

#include "contact/array_vec.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// Largest damping force, over the one that stops the approach of a pair's corners within the step [–].
constexpr double kMostDamping = 0.5;

/// Effective mass at the centroid, with each node's mass divided among its pairs [kg].
double share_of_mass(const PairOverlap& pair, std::span<const ContactTet> tets, std::span<const OverlapNode> nodes) {
  double give = 0;  // velocity per unit of impulse [1/kg]
  const auto add = [&](const ContactTet& tet, const std::array<double, 4>& weight) {
    for (std::size_t k = 0; k < 4; ++k) {
      const OverlapNode& node = nodes[static_cast<std::size_t>(tet.number[k])];
      give += weight[k] * weight[k] * node.num_pairs / node.mass;
    }
  };
  add(tets[static_cast<std::size_t>(pair.a)], pair.in_a);
  add(tets[static_cast<std::size_t>(pair.b)], pair.in_b);
  return 1 / give;
}

}  // namespace

PairMotion pair_motion(const PairOverlap& pair, std::span<const ContactTet> tets,
                       std::span<const TouchingTet> touching) {
  const Vec3 common = pair.overlap.area();
  const double area = common.norm();
  if (!(area > 0)) return {.normal = Vec3::Zero(), .area = 0, .inertia = 0, .spring = 0};
  const ContactTet &a = tets[static_cast<std::size_t>(pair.a)], &b = tets[static_cast<std::size_t>(pair.b)];
  double give = 0;  // velocity per unit of impulse [1/kg]
  for (std::size_t k = 0; k < 4; ++k)
    give += 4 * (pair.in_a[k] * pair.in_a[k] / a.mass + pair.in_b[k] * pair.in_b[k] / b.mass);
  const double stiffness = pair.sum(touching[static_cast<std::size_t>(pair.a)].pressing.stiffness / a.volume,
                                    touching[static_cast<std::size_t>(pair.b)].pressing.stiffness / b.volume);
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

PairForces::PairForces(std::span<const ContactTet> tets, std::span<const PairOverlap> pairs, std::size_t num_slots)
    : tets_(tets), pairs_(pairs), num_slots_(num_slots), at_(pairs.size()) {}

void PairForces::press(std::span<const TouchingTet> touching, std::span<const OverlapNode> nodes,
                       const PairForceLaw& law) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const PairOverlap& pair = pairs_[i];
    AtCentroid& at = at_[i];
    at.pressure = pair.sum(touching[static_cast<std::size_t>(pair.a)].pressing.pressure(),
                           touching[static_cast<std::size_t>(pair.b)].pressing.pressure());
    const PairMotion motion = pair_motion(pair, tets_, touching);
    if (!(motion.area > 0)) continue;
    at.normal = motion.normal;
    at.share = share_of_mass(pair, tets_, nodes);
    const double elastic = motion.area * at.pressure;
    const double damper =
        std::min(2 * law.damping_ratio * std::sqrt(motion.spring * motion.inertia), kMostDamping * at.share / law.dt_s);
    const double approach = relative_velocity(pair, tets_, nodes, &OverlapNode::velocity).dot(at.normal);
    at.pressing = std::max(0.0, elastic + damper * approach);  // no adhesion (VALIDATION E1)
    at.damper = (elastic - at.pressing) * at.normal;
  }
}

void PairForces::add_friction(std::span<OverlapNode> nodes, const PairForceLaw& law) {
  std::vector<Vec3> change(pairs_.size(), Vec3::Zero());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    AtCentroid& at = at_[i];
    if (!(at.pressing > 0)) continue;
    const Vec3 expected = relative_velocity(pairs_[i], tets_, nodes, &OverlapNode::expected_velocity);
    const Vec3 slip = expected - expected.dot(at.normal) * at.normal;
    Vec3 friction = at.friction - at.share / law.dt_s * slip;
    const double size = friction.norm(), most = law.friction * at.pressing;
    if (size > most) friction *= most / size;
    change[i] = friction - at.friction;
    at.friction = friction;
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    for_each_owned_corner(pairs_[i], tets_, num_slots_, [&](std::size_t, std::int32_t number, double weight) {
      OverlapNode& node = nodes[static_cast<std::size_t>(number)];
      for (std::size_t k = 0; k < 3; ++k)
        node.expected_velocity[k] += law.dt_s * weight / node.mass * change[i][static_cast<Eigen::Index>(k)];
    });
}

std::vector<OverlapForce> PairForces::sums() const {
  std::vector<Vec3> by_slot(pairs_.empty() ? 0 : num_slots_, Vec3::Zero());
  std::vector<std::int32_t> slots;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Vec3 at_centroid = at_[i].damper + at_[i].friction;
    for_each_owned_corner(pairs_[i], tets_, num_slots_, [&](std::size_t k, std::int32_t number, double weight) {
      by_slot[static_cast<std::size_t>(number)] +=
          weight * at_centroid - at_[i].pressure * pairs_[i].overlap.gradient[k];
      slots.push_back(number);
    });
  }
  std::ranges::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::vector<OverlapForce> forces;
  for (const std::int32_t slot : slots) forces.push_back({slot, by_slot[static_cast<std::size_t>(slot)]});
  return forces;
}

}  // namespace brisance::contact
