// Overlap at the end of an implicit step: the same law as during an explicit one, with what its forces change by.
#include "brisance/contact/deformable_contact.hpp"

#include "deformable_tets.hpp"

#include <algorithm>
#include <cmath>

namespace brisance::contact {

namespace {

/// Resistance to slip of a pair that sticks, over what its pressure does in a step. Unlike a node's on a rigid body it
/// couples nodes, which no preconditioner knows of: a stiffer one costs iterations.
constexpr double kPairStick = 10;
/// Of p A²/V along a pair's normal. An overlap that grows as δᵐ has V'' = (1 − 1/m) A²/V: none for faces, two thirds
/// for corners. p counts as far as it comes from this pair, since faces that only just meet have a large A²/V.
constexpr double kCurvature = 1.0 / 3;

/// Two directions across a normal.
std::array<Vec3, 2> tangents(const Vec3& normal) {
  int least = 0;
  normal.cwiseAbs().minCoeff(&least);
  const Vec3 first = normal.cross(Vec3::Unit(least)).normalized();
  return {first, normal.cross(first)};
}

double limit_of(const std::map<TetPair, double>& limits, const TetPair& pair) {
  const auto found = limits.find(pair);
  return found == limits.end() ? 0 : found->second;
}

/// Brings entries of the same place together, in the order in which they came.
template <class Entry, class Place, class Add>
void merge(std::vector<Entry>& entries, const Place& place, const Add& add) {
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& x, const Entry& y) { return place(x) < place(y); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && place(entries[kept - 1]) == place(entries[i]))
      add(entries[kept - 1], entries[i]);
    else
      entries[kept++] = entries[i];
  }
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(kept), entries.end());
}

}  // namespace

/// Fills in what one pair after another adds.
struct DeformableContact::EndForces {
  const DeformableContact& contact;
  std::span<const dist::NodeMotion> motion;
  std::span<const double> inverse_mass;
  double dt_s;
  const PairLimits& limits;
  OverlapForces found{};
  std::unordered_map<std::int32_t, std::int32_t> row_of{};

  template <class Action>
  void for_each_owned(const Touching& tet, const Action& action) const {
    if (tet.guest) return;
    for (std::size_t k = 0; k < 4; ++k)
      if (inverse_mass[static_cast<std::size_t>(tet.slot[k])] > 0) action(k, tet.slot[k]);
  }

  // S changes with all corners of the tet and of what lies in it.
  void add_to_row_of(std::int32_t number, const Contact& pair) {
    const Touching& tet = contact.touching_[static_cast<std::size_t>(number)];
    if (!(tet.pressing.pressed > 0)) return;
    const auto place = row_of.try_emplace(number, static_cast<std::int32_t>(found.rows.size()));
    const std::int32_t row = place.first->second;
    if (place.second)
      found.rows.push_back({.key = {tet.id, tet.id, 0},
                            .is_counted = !tet.guest && tet.is_home,
                            .stiffness = tet.pressing.law.slope(tet.pressing.pressed) / tet.volume,
                            .resistance = 0});
    const auto add = [&](std::int32_t t, std::size_t first) {
      for_each_owned(contact.touching_[static_cast<std::size_t>(t)], [&](std::size_t k, std::int32_t slot) {
        found.terms.push_back({row, slot, pair.overlap.gradient[first + k]});
      });
    };
    add(pair.touching_a, 0);
    add(pair.touching_b, 4);
  }

  void add(const Contact& pair) {
    const Touching &a = contact.touching_[static_cast<std::size_t>(pair.touching_a)],
                   &b = contact.touching_[static_cast<std::size_t>(pair.touching_b)];
    add_to_row_of(pair.touching_a, pair);
    add_to_row_of(pair.touching_b, pair);
    const double pressure = a.pressing.pressure() + b.pressing.pressure();
    const auto push = [&](const Touching& tet, std::size_t first) {
      for_each_owned(tet, [&](std::size_t k, std::int32_t slot) {
        found.nodes.push_back({slot, -pressure * pair.overlap.gradient[first + k], Vec3::Zero(), Vec3::Zero()});
      });
    };
    push(a, 0);
    push(b, 4);
    const Vec3 common_area = pair.overlap.area();
    if (const double area = common_area.norm(); area > 0)
      add_at_centroid(pair, a, b, pressure, common_area / area, area);
  }

  // Damping and friction as rub() has them, but for what keeps an explicit step stable.
  void add_at_centroid(const Contact& pair, const Touching& a, const Touching& b, double pressure, const Vec3& normal,
                       double area) {
    const std::array<double, 4>&in_a = pair.in_a, &in_b = pair.in_b;
    Vec3 relative = Vec3::Zero();
    double give = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      relative += in_a[k] * contact.velocity(a, k, motion) - in_b[k] * contact.velocity(b, k, motion);
      give += 4 * (in_a[k] * in_a[k] / a.mass + in_b[k] * in_b[k] / b.mass);
    }
    const TetPair tets{a.id, b.id};
    const double inertia = 1 / give, share = 1.0 / std::max(a.num_pairs, b.num_pairs), elastic = pressure * area;
    const double spring = (a.pressing.law.stiffness / a.volume + b.pressing.law.stiffness / b.volume) * area * area;
    const double damping = limit_of(limits.damping, tets), approach = relative.dot(normal);
    const bool pulls = elastic + damping * approach < 0;
    const double pressing = pulls ? 0 : elastic + damping * approach;
    const bool is_counted = !a.guest && a.is_home;
    found.pairs.push_back({tets, 2 * contact.damping_ratio_ * std::sqrt(spring * inertia), pressing, is_counted});

    const Vec3 slip = relative - approach * normal;
    const double limit = limit_of(limits.friction, tets), speed = slip.norm();
    const double stick = kPairStick * (spring * dt_s + share * inertia / dt_s);
    const double resistance = limit < stick * speed ? limit / speed : (limit > 0 ? stick : 0);
    const Vec3 damper = (elastic - pressing) * normal, friction = -resistance * slip;
    const auto push = [&](const Touching& tet, const std::array<double, 4>& weight, double sign) {
      for_each_owned(tet, [&](std::size_t k, std::int32_t slot) {
        const double w = sign * weight[k];
        found.nodes.push_back({slot, Vec3::Zero(), w * damper, w * friction});
      });
    };
    push(a, in_a, 1);
    push(b, in_b, -1);

    const auto add_row = [&](std::int64_t axis, const Vec3& direction, double stiffness, double resists) {
      if (!(stiffness > 0 || resists > 0)) return;
      const auto row = static_cast<std::int32_t>(found.rows.size());
      found.rows.push_back({{a.id, b.id, axis}, is_counted, stiffness, resists});
      const auto terms = [&](const Touching& tet, const std::array<double, 4>& weight, double sign) {
        for_each_owned(tet, [&](std::size_t k, std::int32_t slot) {
          found.terms.push_back({row, slot, sign * weight[k] * direction});
        });
      };
      terms(a, in_a, 1);
      terms(b, in_b, -1);
    };
    add_row(0, normal, kCurvature * std::min(elastic * area / pair.overlap.volume, spring), pulls ? 0 : damping);
    const auto across = tangents(normal);
    add_row(1, across[0], 0, resistance);
    add_row(2, across[1], 0, resistance);
  }
};

OverlapForces DeformableContact::end_forces(std::span<const dist::NodeMotion> motion,
                                            std::span<const double> inverse_mass, double dt_s,
                                            const PairLimits& limits) const {
  EndForces forces{*this, motion, inverse_mass, dt_s, limits};
  for (const Contact& pair : contacts_) forces.add(pair);
  OverlapForces& found = forces.found;
  merge(
      found.nodes, [](const OverlapForces::OfNode& n) { return n.slot; },
      [](OverlapForces::OfNode& to, const OverlapForces::OfNode& more) {
        to.spring += more.spring;
        to.damper += more.damper;
        to.friction += more.friction;
      });
  merge(
      found.terms, [](const OverlapForces::Term& t) { return std::pair(t.row, t.slot); },
      [](OverlapForces::Term& to, const OverlapForces::Term& more) { to.gradient += more.gradient; });
  return std::move(found);
}

}  // namespace brisance::contact
