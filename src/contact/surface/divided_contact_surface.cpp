// The surface of meshes whose elements cracks divide without cutting them.
#include "brisance/contact/fields.hpp"
#include "brisance/contact/surface/contact_surface.hpp"
#include "brisance/contact/surface/divided_surface.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/mesh_fields.hpp"

#include "contact/array_vec.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace brisance::contact {

namespace {

constexpr std::size_t kEdge = 2;  ///< nodes of a point on an edge

constexpr std::size_t kMostFound = 16384;  ///< elements whose surface is cached

constexpr ContactFacet kNoFacet{.key = -1, .node = {}, .deepest_m = 0, .edge_m = 0, .body = 0, .id = {}, .rest = {}};

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Is this a node, or a point on an edge, of which `n` is the only or lower node? It is then a point of contact.
bool is_point_of(const DividedCorner& corner, LocalNode n) { return at(corner.count) <= kEdge && corner.node[0] == n; }

bool is_lowest_corner(const dist::Mesh& mesh, LocalElement e, LocalNode n) {
  return std::ranges::all_of(mesh.corners(e), [&](LocalNode m) { return !(mesh.node_id[m] < mesh.node_id[n]); });
}

double edge_around(const dist::Mesh& mesh, const DividedCorner& corner) {
  double edge_m = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < at(corner.count); ++k)
    edge_m = std::min(edge_m, mesh.field(dist::kUncutEdgeLength)[corner.node[k]]);
  return edge_m;
}

}  // namespace

/// What the elements of an owned node's star have around it.
struct ContactSurface::Around {
  struct Point {
    DividedCorner corner;
    std::vector<AroundWithArea> facets;
  };
  double rest_area_m2 = 0;
  std::map<std::int32_t, Point> points;  ///< by number
  std::vector<ContactFacet> facets;      ///< of elements of which the node is the lowest corner
};

bool is_same_facet(const ContactFacet& a, const ContactFacet& b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (a.id[k] != b.id[k] || (!a.id[k].valid() && a.node[k] != b.node[k])) return false;
  return a.key == b.key && a.deepest_m == b.deepest_m;
}

std::span<const std::int32_t> ContactSurface::points_of(std::int32_t slot) const {
  const auto share = shares_.find(slot);
  if (share == shares_.end()) return {};
  return share->second.points;
}

std::int32_t ContactSurface::number(const dist::Mesh& mesh, const DividedCorner& corner) {
  if (corner.count == 1) return numbering_.number(mesh, corner.node[0]);
  EmbeddedPoint point{.number = -1, .count = corner.count, .node = {}, .weight = corner.weight, .id = {-1, -1, -1, -1}};
  for (std::size_t k = 0; k < at(corner.count); ++k) {
    point.node[k] = numbering_.number(mesh, corner.node[k]);
    point.id[k] = mesh.node_id[corner.node[k]].value;
  }
  return numbering_.embed(point);
}

void ContactSurface::take_corner(const core::Comm& comm, const EmbeddedPoint& sent,
                                 std::span<const std::int32_t> owners, ContactFacet& facet, std::size_t corner) {
  EmbeddedPoint point = sent;
  for (std::size_t i = 0; i < at(point.count); ++i)
    if (owners[i] != comm.rank())
      point.node[i] = numbering_.number(GlobalNode(point.id[i]), owners[i], LocalNode(sent.node[i]));
  facet.id[corner] = point.count == 1 ? GlobalNode(point.id[0]) : GlobalNode();
  facet.node[corner] = point.count == 1 ? point.node[0] : numbering_.embed(point);
}

Vec3 ContactSurface::position_at(const dist::Mesh& mesh, const ContactFacet& facet, std::size_t corner) const {
  const auto place = [&](std::int32_t node, std::int64_t id) {
    const LocalNode n = numbering_.is_own(node) ? LocalNode(node) : mesh.find(GlobalNode(id));
    return Vec3(mesh.motion[n].position);
  };
  const EmbeddedPoint* point = numbering_.embedded(facet.node[corner]);
  if (point == nullptr) return place(facet.node[corner], facet.id[corner].value);
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < at(point->count); ++i) sum += point->weight[i] * place(point->node[i], point->id[i]);
  return sum;
}

void ContactSurface::take_in_divided(const dist::Mesh& mesh, LocalNode n, Outgoing& outgoing) {
  const bool is_here = mesh.is_used(n) && mesh.is_owned(n);
  if (const auto old = shares_.find(n.value); old != shares_.end() && (!is_here || old->second.id != mesh.node_id[n])) {
    retire(old->second, outgoing);
    shares_.erase(old);
  }
  if (!is_here) return;
  const Around around = surface_around(mesh, n);
  if (around.rest_area_m2 == 0) {
    if (const auto old = shares_.find(n.value); old != shares_.end()) {
      retire(old->second, outgoing);
      shares_.erase(old);
    }
    return;
  }
  NodeShare& share = shares_[n.value];
  share.id = mesh.node_id[n];
  share.rest_area_m2 = around.rest_area_m2;
  renew_points(mesh, n, around, share);
  renew_facets(n, around.facets, share, outgoing);
}

ContactSurface::Around ContactSurface::surface_around(const dist::Mesh& mesh, LocalNode n) {
  std::vector<LocalElement> star;
  for (const std::int32_t slot : mesh.star(n)) star.emplace_back(slot);
  std::ranges::sort(star, {}, [&](LocalElement e) { return mesh.element_id[e]; });
  Around around;
  for (const LocalElement e : star) {
    ElementSurface& surface = surface_of(mesh, e);
    const bool is_home = is_lowest_corner(mesh, e, n);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      const DividedTriangle& triangle = surface.triangles[t];
      const bool has_point = std::ranges::any_of(triangle.corner, [&](auto& c) { return is_point_of(c, n); });
      for (const DividedCorner& corner : triangle.corner)
        around.rest_area_m2 += corner.weight_at(n) * triangle.rest_area / 3;
      if (!is_home && !has_point) continue;
      ContactFacet& facet = surface.facets[t];
      if (facet.is_gone()) facet = facet_of(mesh, e, triangle);
      if (is_home) around.facets.push_back(facet);
      for (std::size_t k = 0; k < 3; ++k) {
        if (!is_point_of(triangle.corner[k], n)) continue;
        Around::Point& point = around.points[facet.node[k]];
        point.corner = triangle.corner[k];
        point.facets.push_back(
            {{.key = facet.key, .corners = {facet.node[(k + 1) % 3], facet.node[(k + 2) % 3]}}, triangle.rest_area});
      }
    }
  }
  return around;
}

ContactSurface::ElementSurface& ContactSurface::surface_of(const dist::Mesh& mesh, LocalElement e) {
  if (found_.size() > kMostFound) found_.clear();
  const auto [place, is_new] = found_.try_emplace(e.value);
  if (is_new) {
    find_surface(mesh, e, place->second.triangles);
    place->second.facets.resize(place->second.triangles.size(), kNoFacet);
  }
  return place->second;
}

ContactFacet ContactSurface::facet_of(const dist::Mesh& mesh, LocalElement e, const DividedTriangle& triangle) {
  ContactFacet facet{.key = triangle.key,
                     .node = {},
                     .deepest_m = 0,
                     .edge_m = std::numeric_limits<double>::infinity(),
                     .body = mesh.field(kBody)[e],
                     .id = {},
                     .rest = {}};
  for (std::size_t k = 0; k < 3; ++k) {
    const DividedCorner& corner = triangle.corner[k];
    facet.node[k] = number(mesh, corner);
    if (corner.count == 1) facet.id[k] = mesh.node_id[corner.node[0]];
    facet.rest[k] = numbers(corner.rest(mesh));
    facet.edge_m = std::min(facet.edge_m, edge_around(mesh, corner));
  }
  facet.deepest_m = std::clamp(triangle.behind_m, kLeastDeepestShare * facet.edge_m, kDeepestShare * facet.edge_m);
  return facet;
}

/// Points that stay keep their places.
void ContactSurface::renew_points(const dist::Mesh& mesh, LocalNode n, const Around& around, NodeShare& share) {
  std::erase_if(share.points, [&](std::int32_t p) {
    ContactPoint& point = points_[at(p)];
    if (around.points.contains(point.node)) return false;
    point.around.clear();
    point_of_[at(point.node)] = -1;
    return true;
  });
  for (const auto& [number_here, found] : around.points) {
    if (at(number_here) >= point_of_.size()) point_of_.resize(at(number_here) + 1, -1);
    std::int32_t& place = point_of_[at(number_here)];
    if (place < 0) {
      place = static_cast<std::int32_t>(points_.size());
      share.points.push_back(place);
      const double edge_m = edge_around(mesh, found.corner);
      points_.push_back({.id = mesh.node_id[n],
                         .node = number_here,
                         .deepest_m = kDeepestShare * edge_m,
                         .edge_m = edge_m,
                         .body = mesh.field(kBody)[LocalElement(mesh.star(n).front())],
                         .rest = found.corner.rest(mesh),
                         .around = {},
                         .other = found.corner.count == 1 ? GlobalNode() : mesh.node_id[found.corner.node[1]],
                         .slot = n.value});
    }
    ContactPoint& point = points_[at(place)];
    point.around.clear();
    point.rest_area = 0;
    for (const AroundWithArea& facet : found.facets) {
      point.around.push_back(facet.around);
      point.rest_area += facet.area / 3;
    }
  }
}

void ContactSurface::renew_facets(LocalNode n, std::vector<ContactFacet> wanted, NodeShare& share, Outgoing& outgoing) {
  keep_wanted(share.facets, wanted, outgoing);
  for (const ContactFacet& facet : wanted) new_facets_.emplace_back(n.value, facet);
}

void ContactSurface::retire(const NodeShare& share, Outgoing& outgoing) {
  for (const std::int32_t f : share.facets) {
    withdraw(facets_[at(f)].key, outgoing);
    remove_facet(f);
  }
  for (const std::int32_t p : share.points) {
    ContactPoint& point = points_[at(p)];
    point.around.clear();
    point_of_[at(point.node)] = -1;
  }
}

}  // namespace brisance::contact
