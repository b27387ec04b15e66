#include "curved_middles.hpp"

#include "brisance/elements/rest_shape.hpp"

#include "divided_tet.hpp"

#include <algorithm>

namespace brisance::dist {

namespace {

// As shares of the child's altitude and volume with straight edges.
constexpr double kLeastAltitude = 0.5, kLeastVolume = 0.2;

Vec3 normal_of_face(const Mesh& mesh, BoundaryFace face) {
  const auto& order = mesh::kFaceCorners[face.opposite];
  const auto corners = mesh.corners(face.element);
  const Vec3 &a = mesh.rest[corners[order[0]]], &b = mesh.rest[corners[order[1]]], &c = mesh.rest[corners[order[2]]];
  return (b - a).cross(c - a).normalized();
}

/// A boundary face at an edge from a node to one of higher id.
struct Side {
  GlobalNode high;
  GlobalElement tet;
  BoundaryFace face;
  LocalNode end;

  [[nodiscard]] auto order() const { return std::tie(high, tet, face.opposite); }
};

/// The boundary faces at the edges from an owned node to nodes of higher id: sorted by the other end, then by tet.
std::vector<Side> sides_up_from(const Mesh& mesh, LocalNode low) {
  std::vector<Side> sides;
  for (const std::int32_t slot : mesh.star(low)) {
    const LocalElement e(slot);
    if (!mesh.surface().touches_boundary(e)) continue;
    const auto corners = mesh.corners(e);
    for (int k = 0; k < 4; ++k) {
      if (corners[k] == low || !mesh.surface().is_boundary(e, k)) continue;
      for (int c = 0; c < 4; ++c)
        if (c != k && mesh.node_id[low] < mesh.node_id[corners[c]])
          sides.push_back({mesh.node_id[corners[c]], mesh.element_id[e], {e, k}, corners[c]});
    }
  }
  std::ranges::sort(sides, {}, &Side::order);
  return sides;
}

/// Change of a tet's velocity field, linear between its corners, along a displacement.
Vec3 velocity_along(const Mesh& mesh, LocalElement e, const Vec3& way) {
  const auto n = mesh.corners(e);
  const auto shape = elements::rest_shape(mesh.rest[n[0]], mesh.rest[n[1]], mesh.rest[n[2]], mesh.rest[n[3]]);
  const Vec3 first(mesh.motion[n[0]].velocity);
  Vec3 change = Vec3::Zero();
  for (int k = 0; k < 3; ++k) change += shape.gradient[k].dot(way) * (Vec3(mesh.motion[n[k + 1]].velocity) - first);
  return change;
}

/// Finds the displacements of the middles of this rank's own edges; returns these edges, ascending. Edges at which more
/// than two boundary faces meet stay straight: the body touches itself there.
std::vector<std::int32_t> find_own_ways(const Mesh& mesh, int times_before, const WayOfMiddle& way_of_middle,
                                        Middles& middles, std::int64_t& num_asked) {
  std::vector<std::int32_t> found;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode low(i);
    if (!mesh.is_owned(low)) continue;
    const std::vector<Side> sides = sides_up_from(mesh, low);
    for (std::size_t first = 0, last = 0; first < sides.size(); first = last) {
      while (last < sides.size() && sides[last].high == sides[first].high) ++last;
      if (last - first != 2) continue;
      const Side &one = sides[first], &other = sides[first + 1];
      ++num_asked;
      const auto way = way_of_middle(
          GlobalElement(one.tet.value >> (3 * times_before)),
          {{mesh.rest[low], mesh.rest[one.end]}, {normal_of_face(mesh, one.face), normal_of_face(mesh, other.face)}});
      if (!way) continue;
      found.push_back(middles.find(low, one.end));
      middles.set_way(found.back(), {*way, velocity_along(mesh, one.face.element, *way)});
    }
  }
  std::ranges::sort(found);
  return found;
}

/// A held tet with displaced middles.
struct CurvedTet {
  LocalElement tet;
  std::array<std::int32_t, 6> edges;
};

std::vector<CurvedTet> curved_tets(const Mesh& mesh, const Middles& middles) {
  std::vector<CurvedTet> curved;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    CurvedTet tet{LocalElement(i), {}};
    if (!mesh.is_held(tet.tet)) continue;
    const auto corners = mesh.corners(tet.tet);
    bool any = false;
    for (int k = 0; k < 6; ++k) {
      tet.edges[k] = middles.find(corners[kEdges[k][0]], corners[kEdges[k][1]]);
      any = any || middles.way(tet.edges[k]) != nullptr;
    }
    if (any) curved.push_back(tet);
  }
  return curved;
}

/// Are the tet's children about as well shaped as with straight edges?
bool is_sound(const Mesh& mesh, const Middles& middles, const CurvedTet& tet) {
  const auto corners = mesh.corners(tet.tet);
  const Places straight =
      straight_places({mesh.rest[corners[0]], mesh.rest[corners[1]], mesh.rest[corners[2]], mesh.rest[corners[3]]});
  Places curved = straight;
  for (int k = 0; k < 6; ++k) curved[4 + k] = middles.place(tet.edges[k]);
  return std::ranges::all_of(children_of(straight), [&](const std::array<int, 4>& child) {
    const auto shape = [&](const Places& at) {
      return elements::rest_shape(at[child[0]], at[child[1]], at[child[2]], at[child[3]]);
    };
    const auto before = shape(straight), after = shape(curved);
    return after.volume >= kLeastVolume * before.volume &&
           after.smallest_altitude >= kLeastAltitude * before.smallest_altitude;
  });
}

/// Own edges whose middles are displaced too far for one of the tets around them, ascending. All of those tets are
/// held.
std::vector<std::int32_t> too_far(const Mesh& mesh, const Middles& middles, const std::vector<CurvedTet>& tets) {
  std::vector<std::int32_t> found;
  for (const CurvedTet& tet : tets) {
    if (is_sound(mesh, middles, tet)) continue;
    for (const std::int32_t edge : tet.edges)
      if (const Way* way = middles.way(edge); way != nullptr && way->share() > 0 && middles.is_own(edge))
        found.push_back(edge);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

RefinementReport curve_middles(const Mesh& mesh, int times_before, const WayOfMiddle& way_of_middle, Middles& middles) {
  RefinementReport report;
  const std::vector<std::int32_t> own = find_own_ways(mesh, times_before, way_of_middle, middles, report.boundary);
  middles.tell(own);
  const std::vector<CurvedTet> tets = curved_tets(mesh, middles);
  while (true) {  // each iteration halves some displacements, so there are few
    const std::vector<std::int32_t> stopped = too_far(mesh, middles, tets);
    if (!mesh.comm().any(!stopped.empty())) break;
    for (const std::int32_t edge : stopped) {
      Way shorter = *middles.way(edge);
      ++shorter.halvings;
      middles.set_way(edge, shorter);
    }
    middles.tell(stopped);
  }
  for (const std::int32_t edge : own) {
    const Way& way = *middles.way(edge);
    ++(way.share() > 0 ? report.moved : report.held);
    if (way.share() > 0 && way.share() < 1) ++report.half_way;
    report.farthest_m = std::max(report.farthest_m, way.share() * way.by.norm());
  }
  const auto sums = mesh.comm().sum(std::array{report.boundary, report.moved, report.half_way, report.held});
  return {sums[0], sums[1], sums[2], sums[3], mesh.comm().max(report.farthest_m)};
}

}  // namespace brisance::dist
