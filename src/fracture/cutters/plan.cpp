/// One node's crack: classify the link against the plane, keep the pieces well shaped by snapping, divide the star.
#include "brisance/fracture/cutters/plan.hpp"

#include "brisance/elements/rest_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace brisance::fracture {

namespace {

/// A half plane ahead of a front in place of a whole plane: which side of it a direction lies on.
class HalfPlane {
public:
  HalfPlane(const PlanFront& front, const Vec3& normal) : normal_(normal), ahead_(front.tangent.cross(normal)) {
    if (ahead_.dot(front.growth) < 0) ahead_ = -ahead_;
    lip_ahead_ = -front.growth.dot(ahead_);
    lip_up_ = -front.growth.dot(normal_);
  }
  [[nodiscard]] bool is_behind(const Vec3& arm) const { return arm.dot(ahead_) < 0; }
  /// Ahead of the front the side by the plane; behind it, the sense of rotation towards the crack faces, where the
  /// sides end.
  [[nodiscard]] int side(const Vec3& arm) const {
    const double p = arm.dot(ahead_), d = arm.dot(normal_);
    const double turn = p >= 0 ? d : lip_up_ * p - lip_ahead_ * d;
    return turn > 0 ? 1 : -1;
  }

private:
  Vec3 normal_, ahead_;
  double lip_ahead_ = 0, lip_up_ = 0;  ///< the crack faces' direction, in the plane of `ahead_` and `normal_`
};

/// Link nodes with their signed distance from the plane, and the side they count to (0: on it).
struct Sides {
  std::vector<double> distance;  ///< [m]
  std::vector<double> length;    ///< distance from the split node [m]
  std::vector<int> side;         ///< −1, 0, +1
};

int link_index(const Neighbourhood& hood, GlobalNode id) {
  const auto found = std::lower_bound(hood.link.begin(), hood.link.end(), id,
                                      [](const LinkNode& n, GlobalNode value) { return n.id < value; });
  return found != hood.link.end() && found->id == id ? static_cast<int>(found - hood.link.begin()) : -1;
}

std::optional<HalfPlane> half_plane(const Neighbourhood& hood, const Parameters& p) {
  if (!p.suppress_back_cracking || !hood.front) return std::nullopt;
  return HalfPlane(*hood.front, hood.normal);
}

/// Vector from the split node to the present centre of a star element.
Vec3 arm_to_middle(const Neighbourhood& hood, const PlanElement& e) {
  Vec3 arm = Vec3::Zero();
  for (GlobalNode c : e.corners)
    if (const int i = link_index(hood, c); i >= 0) arm += 0.25 * (hood.link[i].position - hood.node.position);
  return arm;
}

bool is_on_front(const Neighbourhood& hood, GlobalNode id) {
  const auto& list = hood.front->neighbours;
  return std::find(list.begin(), list.end(), id) != list.end();
}

/// Drops the plane behind the front: link nodes there take the side of their elements (both crack faces have nodes at
/// the same place), and those of the front lie on the plane.
void keep_ahead(const Neighbourhood& hood, const HalfPlane& half, Sides& s) {
  std::vector<Vec3> around(hood.link.size(), Vec3::Zero());
  for (const PlanElement& e : hood.star) {
    const Vec3 arm = arm_to_middle(hood, e);
    for (GlobalNode c : e.corners)
      if (const int i = link_index(hood, c); i >= 0) around[i] += arm;
  }
  constexpr double kLeastShare = 0.1;  // of its length: an edge to such a node is cut nowhere near it
  for (std::size_t i = 0; i < hood.link.size(); ++i) {
    if (is_on_front(hood, hood.link[i].id)) {
      s.side[i] = 0;
    } else if (half.is_behind(hood.link[i].position - hood.node.position)) {
      s.side[i] = half.side(around[i]);
      s.distance[i] = s.side[i] * std::max(s.side[i] * s.distance[i], kLeastShare * s.length[i]);
    }
  }
}

Sides classify(const Neighbourhood& hood, const Parameters& p) {
  Sides s;
  const double near = std::max(p.snap_fraction * hood.edge_length, p.snap_distance_m);
  for (const LinkNode& n : hood.link) {
    const Vec3 arm = n.position - hood.node.position;
    const double distance = arm.dot(hood.normal), length = arm.norm();
    const bool snapped = std::abs(distance) < near || std::abs(distance) < std::sin(p.snap_angle_rad) * length;
    s.distance.push_back(distance);
    s.length.push_back(length);
    s.side.push_back(snapped ? 0 : (distance > 0 ? 1 : -1));
  }
  if (const auto half = half_plane(hood, p)) keep_ahead(hood, *half, s);
  return s;
}

/// A link edge that crosses the plane; a and b index the link, a < b.
struct Crossing {
  int a, b;
  double t;
};

std::vector<Crossing> crossings(const Neighbourhood& hood, const Sides& s) {
  std::vector<Crossing> result;
  for (const PlanElement& e : hood.star) {
    std::array<int, 4> index;
    for (int i = 0; i < 4; ++i) index[i] = link_index(hood, e.corners[i]);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (index[i] >= 0 && index[i] < index[j] && s.side[index[i]] * s.side[index[j]] < 0)
          result.push_back({index[i], index[j], s.distance[index[i]] / (s.distance[index[i]] - s.distance[index[j]])});
  }
  auto key = [](const Crossing& c) { return std::pair(c.a, c.b); };
  std::sort(result.begin(), result.end(), [&](auto& x, auto& y) { return key(x) < key(y); });
  result.erase(std::unique(result.begin(), result.end(), [&](auto& x, auto& y) { return key(x) == key(y); }),
               result.end());
  return result;
}

/// The elements of star and surroundings after bisecting every crossing edge in order, with their parents.
struct VirtualCut {
  std::vector<PlanElement> elements;  ///< new nodes and children under provisional ids
  std::size_t num_star = 0;           ///< elements [0, num_star) come from the star
  std::vector<EdgeCut> edges;
  int num_children = 0;
};

VirtualCut bisect(const Neighbourhood& hood, const std::vector<Crossing>& crossing) {
  VirtualCut v;
  v.elements = hood.star;
  v.num_star = hood.star.size();
  v.elements.insert(v.elements.end(), hood.around.begin(), hood.around.end());
  for (std::size_t k = 0; k < crossing.size(); ++k) {
    const LinkNode &a = hood.link[crossing[k].a], &b = hood.link[crossing[k].b];
    const double t = crossing[k].t;
    const GlobalNode created(provisional_id(static_cast<std::int64_t>(k)));
    const Vec3 rest = (1 - t) * a.rest + t * b.rest;
    EdgeCut cut{a.id, b.id, t, {}};
    std::vector<PlanElement> children;
    for (PlanElement& e : v.elements) {
      const auto ia = std::find(e.corners.begin(), e.corners.end(), a.id) - e.corners.begin();
      const auto ib = std::find(e.corners.begin(), e.corners.end(), b.id) - e.corners.begin();
      if (ia == 4 || ib == 4) continue;
      PlanElement child = e;
      child.id = GlobalElement(provisional_id(v.num_children++));
      child.corners[ia] = created;
      child.rest[ia] = rest;
      e.corners[ib] = created;
      e.rest[ib] = rest;
      cut.children.emplace_back(e.id, child.id);
      children.push_back(child);
    }
    v.elements.insert(v.elements.end(), children.begin(), children.end());
    v.edges.push_back(std::move(cut));
  }
  return v;
}

/// Index of the crossing that made the new element furthest below its floor, or −1.
int worst_crossing(const VirtualCut& v, const std::vector<Crossing>& crossing, double altitude_floor) {
  double worst = altitude_floor;
  int blamed = -1;
  for (const PlanElement& e : v.elements) {
    int nearest = -1;
    double nearest_end = std::numeric_limits<double>::infinity();
    for (GlobalNode c : e.corners) {
      if (c.valid()) continue;
      const int k = static_cast<int>(-1 - c.value);
      const double end = std::min(crossing[k].t, 1 - crossing[k].t);
      if (end < nearest_end) {
        nearest_end = end;
        nearest = k;
      }
    }
    if (nearest < 0) continue;
    const double altitude = elements::smallest_altitude(e.rest[0], e.rest[1], e.rest[2], e.rest[3]);
    if (altitude < worst * e.uncut_altitude) {
      worst = altitude / e.uncut_altitude;
      blamed = nearest;
    }
  }
  return blamed;
}

/// Ids in the order that they will have when assigned: new elements come after all existing ones, in order of creation.
std::int64_t final_order(GlobalElement e) {
  return e.valid() ? e.value : std::numeric_limits<std::int64_t>::max() / 2 - e.value;
}

bool contains(const PlanElement& e, GlobalNode n) {
  return std::find(e.corners.begin(), e.corners.end(), n) != e.corners.end();
}

/// +1 or −1: the side of a star element of the cut mesh; decided by the mean distance where all corners were snapped.
int side_of(const Neighbourhood& hood, const std::optional<HalfPlane>& half, const Sides& s, const PlanElement& e) {
  double sum = 0;
  for (GlobalNode c : e.corners) {
    const int i = c.valid() ? link_index(hood, c) : -1;
    if (i < 0) continue;
    if (s.side[i] != 0) return s.side[i];
    sum += s.distance[i];
  }
  if (half) return half->side(arm_to_middle(hood, e));
  return sum > 0 ? 1 : -1;
}

/// Has a face through the node between two parts of its star a direction behind the front by over 10°?
bool has_faces_behind(const Neighbourhood& hood, const VirtualCut& v, const std::vector<const PlanElement*>& star,
                      const std::vector<int>& part_of) {
  constexpr double kBack = -0.17364817766693033;  // −sin 10°
  const auto arm = [&](GlobalNode n) -> Vec3 {
    if (n.valid()) return hood.link[link_index(hood, n)].position - hood.node.position;
    const EdgeCut& cut = v.edges[static_cast<std::size_t>(-1 - n.value)];
    return (1 - cut.t) * hood.link[link_index(hood, cut.a)].position +
           cut.t * hood.link[link_index(hood, cut.b)].position - hood.node.position;
  };
  struct Face {
    GlobalNode low, high;
    int part;
  };
  std::vector<Face> faces;
  for (std::size_t e = 0; e < star.size(); ++e)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const GlobalNode a = star[e]->corners[i], b = star[e]->corners[j];
        if (a != hood.node.id && b != hood.node.id) faces.push_back({std::min(a, b), std::max(a, b), part_of[e]});
      }
  std::sort(faces.begin(), faces.end(),
            [](const Face& x, const Face& y) { return std::tie(x.low, x.high) < std::tie(y.low, y.high); });
  for (std::size_t i = 1; i < faces.size(); ++i) {
    const Face &x = faces[i - 1], &y = faces[i];
    if (x.low != y.low || x.high != y.high || x.part == y.part) continue;
    Vec3 into = arm(x.low) + arm(x.high);
    // A face at a front edge is measured by its direction from that edge: where a front bends its neighbours lie
    // behind.
    for (const GlobalNode end : {x.low, x.high})
      if (end.valid() && is_on_front(hood, end)) {
        const Vec3 along = arm(end).normalized();
        into -= into.dot(along) * along;
      }
    if (into.dot(hood.front->growth) < kBack * into.norm()) return true;
  }
  return false;
}

/// The star after the cut, in ascending final id, divided into the parts that become separate nodes.
void divide_star(const Neighbourhood& hood, const std::optional<HalfPlane>& half, const Sides& s, const VirtualCut& v,
                 Plan& plan) {
  std::vector<const PlanElement*> star;
  for (const PlanElement& e : v.elements)
    if (contains(e, hood.node.id)) star.push_back(&e);
  std::sort(star.begin(), star.end(), [](auto* x, auto* y) { return final_order(x->id) < final_order(y->id); });

  std::vector<int> part_of(star.size(), -1);
  int num_parts = 0;
  for (int side : {1, -1}) {
    std::vector<std::size_t> members;
    std::vector<std::array<GlobalNode, 4>> corners;
    for (std::size_t i = 0; i < star.size(); ++i)
      if (side_of(hood, half, s, *star[i]) == side) {
        members.push_back(i);
        corners.push_back(star[i]->corners);
      }
    if (members.empty()) return;  // verdict stays one_sided
    const auto parts = face_connected_parts(hood.node.id, corners);
    for (std::size_t k = 0; k < members.size(); ++k) part_of[members[k]] = num_parts + parts[k];
    num_parts += 1 + *std::max_element(parts.begin(), parts.end());
  }
  // The part with the lowest element id keeps the node; the others get copies in order of their first element.
  std::vector<int> copy_of(num_parts, -1);
  int next = 0;
  for (std::size_t i = 0; i < star.size(); ++i) {
    int& copy = copy_of[part_of[i]];
    if (copy < 0) copy = next++;
    if (copy > 0)
      plan.assignments.emplace_back(star[i]->id,
                                    GlobalNode(provisional_id(static_cast<std::int64_t>(v.edges.size()) + copy - 1)));
  }
  plan.num_copies = num_parts - 1;
  plan.verdict = Verdict::cut;
  if (hood.front) plan.cuts_back = has_faces_behind(hood, v, star, part_of);
}

}  // namespace

std::vector<std::pair<GlobalNode, GlobalNode>> crossing_edges(const Neighbourhood& hood, const Parameters& parameters) {
  std::vector<std::pair<GlobalNode, GlobalNode>> edges;
  for (const Crossing& c : crossings(hood, classify(hood, parameters)))
    edges.emplace_back(hood.link[c.a].id, hood.link[c.b].id);
  return edges;
}

Plan plan_crack(const Neighbourhood& hood, const Parameters& p) {
  Plan plan;
  const std::optional<HalfPlane> half = half_plane(hood, p);
  Sides sides = classify(hood, p);
  std::vector<Crossing> crossing = crossings(hood, sides);
  // Snapped nodes stay snapped: a node too far off the plane decides the verdict.
  const auto is_off_plane = [&](std::size_t i) {
    return sides.side[i] == 0 && !(half && is_on_front(hood, hood.link[i].id)) &&
           std::abs(sides.distance[i]) > std::sin(p.max_plane_deviation_rad) * sides.length[i];
  };
  for (std::size_t i = 0; i < hood.link.size(); ++i)
    if (is_off_plane(i)) {
      plan.verdict = Verdict::off_plane;
      return plan;
    }
  VirtualCut v = bisect(hood, crossing);
  for (int k; (k = worst_crossing(v, crossing, p.altitude_floor)) >= 0;) {
    // Drop this intersection: its nearer end counts as lying on the plane.
    const Crossing& c = crossing[k];
    const int snapped = std::abs(sides.distance[c.a]) < std::abs(sides.distance[c.b]) ? c.a : c.b;
    sides.side[snapped] = 0;
    ++plan.num_snapped_for_quality;
    if (is_off_plane(static_cast<std::size_t>(snapped))) {
      plan.verdict = Verdict::off_plane;
      return plan;
    }
    crossing = crossings(hood, sides);
    v = bisect(hood, crossing);
  }
  auto has = [&](int side) { return std::find(sides.side.begin(), sides.side.end(), side) != sides.side.end(); };
  if (!has(1) || !has(-1)) return plan;
  divide_star(hood, half, sides, v, plan);
  if (plan.verdict != Verdict::cut) return plan;

  for (std::size_t i = 0; i < hood.link.size(); ++i)
    if (sides.side[i] == 0) {
      const GlobalNode id = hood.link[i].id;
      const bool was_reached = hood.front && is_on_front(hood, id);
      plan.front.emplace_back(id, was_reached ? 0 : (hood.link[i].rest - hood.node.rest).norm());
    }
  for (std::size_t k = 0; k < crossing.size(); ++k) {
    const double t = crossing[k].t;
    const Vec3 rest = (1 - t) * hood.link[crossing[k].a].rest + t * hood.link[crossing[k].b].rest;
    plan.front.emplace_back(GlobalNode(provisional_id(static_cast<std::int64_t>(k))), (rest - hood.node.rest).norm());
  }
  plan.edges = std::move(v.edges);
  plan.num_children = v.num_children;
  return plan;
}

}  // namespace brisance::fracture
