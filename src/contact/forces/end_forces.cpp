// Overlap at the end of an implicit step: the same law as during an explicit one, with the derivatives of its forces.
#include "brisance/contact/forces/end_forces.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace brisance::contact {

namespace {

/// Resistance to slip of a pair that sticks, over that of its pressure in a step. Unlike that of a node on a rigid body
/// it couples nodes, which no preconditioner contains: a stiffer one costs iterations.
constexpr double kPairStick = 10;
/// Stiffness along a pair's normal over p A²/V. An overlap that grows as δᵐ has V'' = (1 − 1/m) A²/V: 0 for faces, two
/// thirds for corners. The part of p from this pair alone counts, since faces that only just meet have a large A²/V.
constexpr double kCurvature = 1.0 / 3;

/// Two unit vectors perpendicular to a normal and to each other.
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

/// Adds up entries of the same place, in their order.
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

/// Adds the terms of one pair after another.
struct EndForces {
  const ContactTets& all;
  std::span<const TouchingTet> touching;
  std::span<const OverlapNode> nodes;
  PairForceLaw law;
  const PairLimits& limits;
  OverlapForces found{};
  std::unordered_map<std::int32_t, std::int32_t> row_of{};

  [[nodiscard]] const ContactTet& tet(std::int32_t place) const { return all.tets()[static_cast<std::size_t>(place)]; }

  [[nodiscard]] const TouchingTet& state(std::int32_t place) const { return touching[static_cast<std::size_t>(place)]; }
  template <class Action>
  void for_each_owned(const PairOverlap& pair, const Action& action) const {
    for_each_owned_corner(pair, all.tets(), all.first_foreign(), action);
  }

  // S depends on all corners of the tet and of the tets that overlap it.
  void add_to_row_of(std::int32_t place, const PairOverlap& pair) {
    const Pressing& pressing = state(place).pressing;
    if (!(pressing.pressed > 0)) return;
    const auto [entry, is_new] = row_of.try_emplace(place, static_cast<std::int32_t>(found.rows.size()));
    const std::int32_t row = entry->second;
    if (is_new)
      found.rows.push_back({.key = {tet(place).id, tet(place).id, 0},
                            .is_counted = tet(place).is_home,
                            .stiffness = pressing.stiffness / tet(place).volume,
                            .resistance = 0});
    for_each_owned(pair, [&](std::size_t k, std::int32_t slot, double) {
      found.terms.push_back({row, slot, pair.overlap.gradient[k]});
    });
  }

  void add(const PairOverlap& pair) {
    add_to_row_of(pair.a, pair);
    add_to_row_of(pair.b, pair);
    const double pressure = state(pair.a).pressing.pressure() + state(pair.b).pressing.pressure();
    for_each_owned(pair, [&](std::size_t k, std::int32_t slot, double) {
      found.nodes.push_back({slot, -pressure * pair.overlap.gradient[k], Vec3::Zero(), Vec3::Zero()});
    });
    if (const PairMotion at = pair_motion(pair, all.tets(), touching); at.area > 0) add_at_centroid(pair, pressure, at);
  }

  // Damping and friction as in explicit steps, without the limits that keep those stable.
  void add_at_centroid(const PairOverlap& pair, double pressure, const PairMotion& at) {
    const Vec3 relative = relative_velocity(pair, all.tets(), nodes, &OverlapNode::velocity);
    const TetPair tets{tet(pair.a).id, tet(pair.b).id};
    const double share = 1.0 / std::max(state(pair.a).num_pairs, state(pair.b).num_pairs);
    const double elastic = pressure * at.area;
    const double damping = limit_of(limits.damping, tets), approach = relative.dot(at.normal);
    const bool pulls = elastic + damping * approach < 0;
    const double pressing = pulls ? 0 : elastic + damping * approach;
    found.pairs.push_back({.tets = tets,
                           .damping = 2 * law.damping_ratio * std::sqrt(at.spring * at.inertia),
                           .pressing = pressing,
                           .is_counted = tet(pair.a).is_home});

    const Vec3 slip = relative - approach * at.normal;
    const double limit = limit_of(limits.friction, tets), speed = slip.norm();
    const double stick = kPairStick * (at.spring * law.dt_s + share * at.inertia / law.dt_s);
    const double resistance = limit < stick * speed ? limit / speed : (limit > 0 ? stick : 0);
    const Vec3 damper = (elastic - pressing) * at.normal, friction = -resistance * slip;
    for_each_owned(pair, [&](std::size_t, std::int32_t slot, double weight) {
      found.nodes.push_back({slot, Vec3::Zero(), weight * damper, weight * friction});
    });

    const double curvature = kCurvature * std::min(elastic * at.area / pair.overlap.volume, at.spring);
    add_row(pair, 0, at.normal, {curvature, pulls ? 0 : damping});
    const auto across = tangents(at.normal);
    add_row(pair, 1, across[0], {0, resistance});
    add_row(pair, 2, across[1], {0, resistance});
  }

  struct Opposes {
    double stiffness, resistance;
  };
  void add_row(const PairOverlap& pair, std::int64_t axis, const Vec3& direction, const Opposes& opposes) {
    if (!(opposes.stiffness > 0 || opposes.resistance > 0)) return;
    const auto row = static_cast<std::int32_t>(found.rows.size());
    found.rows.push_back({.key = {tet(pair.a).id, tet(pair.b).id, axis},
                          .is_counted = tet(pair.a).is_home,
                          .stiffness = opposes.stiffness,
                          .resistance = opposes.resistance});
    for_each_owned(pair, [&](std::size_t, std::int32_t slot, double weight) {
      found.terms.push_back({row, slot, weight * direction});
    });
  }
};

}  // namespace

OverlapForces end_forces(const ContactTets& tets, std::span<const PairOverlap> pairs,
                         std::span<const TouchingTet> touching, std::span<const OverlapNode> nodes,
                         const PairForceLaw& law, const PairLimits& limits) {
  EndForces forces{.all = tets, .touching = touching, .nodes = nodes, .law = law, .limits = limits};
  for (const PairOverlap& pair : pairs) forces.add(pair);
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
