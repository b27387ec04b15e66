#include "brisance/contact/surface/contact_surface.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/dist/division.hpp"
#include "brisance/dist/home_elements.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/la/sparse_exchange.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "contact/array_vec.hpp"

#include <algorithm>
#include <limits>

namespace brisance::contact {

namespace {

/// Spare slots for nodes of later cuts, over the present number, and at least.
constexpr double kSpareShare = 0.25;
constexpr std::int32_t kLeastSpare = 4096;

constexpr std::int64_t kGone = -1;

std::array<LocalNode, 3> face_nodes(const dist::Mesh& mesh, LocalElement e, int opposite) {
  const auto& order = mesh::kFaceCorners[static_cast<std::size_t>(opposite)];
  return {mesh.corner(e, order[0]), mesh.corner(e, order[1]), mesh.corner(e, order[2])};
}

/// Height of a corner over the opposite face, at rest [m].
double altitude(const dist::Mesh& mesh, LocalElement e, int corner) {
  const std::array<LocalNode, 3> nodes = face_nodes(mesh, e, corner);
  const Vec3 &a = mesh.rest[nodes[0]], &b = mesh.rest[nodes[1]], &c = mesh.rest[nodes[2]];
  const Vec3 doubled_area = (b - a).cross(c - a);
  return std::abs(doubled_area.dot(mesh.rest[mesh.corner(e, corner)] - a)) / doubled_area.norm();
}

}  // namespace

/// A facet in a message to another rank; without a valid body if the facet is gone.
struct ContactSurface::FacetRecord {
  std::int64_t key, body;
  std::array<EmbeddedPoint, 3> corner;  ///< a node: one of weight 1; their numbers are slots at these owners
  std::array<std::array<std::int32_t, 4>, 3> owner;
  std::array<std::array<double, 3>, 3> rest;
  double edge_m, deepest_m;
  bool is_gone;
};

ContactSurface::ContactSurface(const dist::Mesh& mesh, double mean_edge_m, double allowance_m)
    : is_divided_(mesh.find_field(dist::kDivision) != nullptr), cells_(allowance_m, kDeepestShare * mean_edge_m) {
  const std::int32_t slots = mesh.num_node_slots();
  numbering_ = SurfaceNumbering(static_cast<std::size_t>(slots) +
                                static_cast<std::size_t>(std::max<double>(kLeastSpare, kSpareShare * slots)));
  point_of_.assign(numbering_.first_foreign(), -1);
  if (mesh.comm().size() > 1) cells_.exchange(mesh, numbering_.first_foreign());
  Outgoing outgoing;
  for (std::int32_t i = 1; i < slots; ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) take_in(mesh, n, outgoing);
  found_.clear();
  list_boundary_nodes();
  add_new_facets(mesh, outgoing);
  exchange(mesh.comm(), outgoing);
}

void ContactSurface::take_in_cuts(const dist::Mesh& mesh, std::span<const std::int32_t> touched) {
  cells_.take_in_cuts(mesh, touched);
  Outgoing outgoing;
  for (const std::int32_t slot : touched) take_in(mesh, LocalNode(slot), outgoing);
  found_.clear();
  if (!touched.empty()) list_boundary_nodes();
  add_new_facets(mesh, outgoing);
  exchange(mesh.comm(), outgoing);
}

void ContactSurface::list_boundary_nodes() {
  boundary_nodes_.clear();
  for (const auto& [slot, share] : shares_) boundary_nodes_.push_back({slot, share.rest_area_m2});
  if (is_divided_) return;
  for (const ContactPoint& point : points_)
    if (!point.around.empty()) boundary_nodes_.push_back({point.node, point.rest_area});
}

ContactSurface::Wear ContactSurface::wear(const dist::Mesh& mesh) const {
  constexpr std::size_t kFewGone = 1000;
  const bool is_full = static_cast<std::size_t>(mesh.num_node_slots()) > numbering_.first_foreign();
  const bool has_holes = num_gone_ > kFewGone && 2 * num_gone_ > facets_.size();
  return {.is_outdated = is_full || has_holes ? 1.0 : 0.0, .moved = cells_.largest_displacements(mesh)};
}

void ContactSurface::exchange_cells(const dist::Mesh& mesh) {
  cells_.exchange(mesh, numbering_.first_foreign());
  Outgoing outgoing;
  for (const std::int32_t f : own_facets()) {
    const ContactFacet& facet = facets_[static_cast<std::size_t>(f)];
    const std::vector<int>& wanted = ranks_near(mesh, facet);
    const auto sent = sent_.find(facet.key);
    if (sent == sent_.end() ? wanted.empty() : wanted == sent->second) continue;
    withdraw(facet.key, outgoing);
    offer(mesh, facet, outgoing);
  }
  exchange(mesh.comm(), outgoing);
}

std::vector<std::int32_t> ContactSurface::own_facets() const {
  std::vector<std::int32_t> list;
  for (const ContactPoint& point : points_) list.insert(list.end(), point.facets.begin(), point.facets.end());
  for (const auto& [slot, share] : shares_) list.insert(list.end(), share.facets.begin(), share.facets.end());
  return list;
}

/// Updates the boundary around an owned node.
void ContactSurface::take_in(const dist::Mesh& mesh, LocalNode n, Outgoing& outgoing) {
  if (is_divided_) {
    take_in_divided(mesh, n, outgoing);
    return;
  }
  std::int32_t& number_of_point = point_of_[static_cast<std::size_t>(n.value)];
  const bool is_here = mesh.is_used(n) && mesh.is_owned(n);
  if (number_of_point >= 0 && (!is_here || points_[static_cast<std::size_t>(number_of_point)].id != mesh.node_id[n])) {
    retire(number_of_point, outgoing);
    number_of_point = -1;
  }
  if (!is_here) return;
  std::vector<AroundWithArea> around = boundary_around(mesh, n);
  if (around.empty() && number_of_point < 0) return;
  if (number_of_point < 0) {
    number_of_point = static_cast<std::int32_t>(points_.size());
    points_.push_back({.id = mesh.node_id[n],
                       .node = n.value,
                       .deepest_m = kDeepestShare * mesh.field(dist::kUncutEdgeLength)[n],
                       .edge_m = mesh.field(dist::kUncutEdgeLength)[n],
                       .body = mesh.field(kBody)[LocalElement(mesh.star(n).front())],
                       .rest = mesh.rest[n],
                       .around = {},
                       .slot = n.value});
  }
  ContactPoint& point = points_[static_cast<std::size_t>(number_of_point)];
  point.around.clear();
  point.rest_area = 0;
  for (const AroundWithArea& facet : around) {
    point.around.push_back(facet.around);
    point.rest_area += facet.area / 3;
  }
  remove_old_facets(mesh, number_of_point, outgoing);
}

/// Removes a node that has left the mesh; its slot may have a new node by now.
void ContactSurface::retire(std::int32_t number_of_point, Outgoing& outgoing) {
  ContactPoint& point = points_[static_cast<std::size_t>(number_of_point)];
  for (const std::int32_t f : point.facets) {
    withdraw(facets_[static_cast<std::size_t>(f)].key, outgoing);
    remove_facet(f);
  }
  point.around.clear();
  point.facets.clear();
}

/// Facets around a node, by ascending key, so that sums have the same order on all ranks.
std::vector<ContactSurface::AroundWithArea> ContactSurface::boundary_around(const dist::Mesh& mesh, LocalNode n) {
  std::vector<AroundWithArea> around;
  for (const std::int32_t slot : mesh.star(n)) {
    const LocalElement e(slot);
    if (!mesh.surface().touches_boundary(e)) continue;
    for (int k = 0; k < 4; ++k) {
      if (mesh.corner(e, k) == n || !mesh.surface().is_boundary(e, k)) continue;
      const std::array<LocalNode, 3> nodes = face_nodes(mesh, e, k);
      const auto j = static_cast<std::size_t>(std::ranges::find(nodes, n) - nodes.begin());
      const Vec3 &a = mesh.rest[nodes[0]], &b = mesh.rest[nodes[1]], &c = mesh.rest[nodes[2]];
      around.push_back(
          {{.key = 4 * mesh.element_id[e].value + k,
            .corners = {numbering_.number(mesh, nodes[(j + 1) % 3]), numbering_.number(mesh, nodes[(j + 2) % 3])}},
           0.5 * (b - a).cross(c - a).norm()});
    }
  }
  std::ranges::sort(around, {}, [](const AroundWithArea& facet) { return facet.around.key; });
  return around;
}

ContactFacet ContactSurface::facet_at(const dist::Mesh& mesh, LocalElement e, int opposite) {
  ContactFacet facet{.key = 4 * mesh.element_id[e].value + opposite,
                     .node = {},
                     .deepest_m = 0,
                     .edge_m = std::numeric_limits<double>::infinity(),
                     .body = mesh.field(kBody)[e],
                     .id = {},
                     .rest = {}};
  const std::array<LocalNode, 3> nodes = face_nodes(mesh, e, opposite);
  for (std::size_t k = 0; k < 3; ++k) {
    facet.id[k] = mesh.node_id[nodes[k]];
    facet.node[k] = numbering_.number(mesh, nodes[k]);
    facet.rest[k] = numbers(mesh.rest[nodes[k]]);
    facet.edge_m = std::min(facet.edge_m, mesh.field(dist::kUncutEdgeLength)[nodes[k]]);
  }
  facet.deepest_m =
      std::clamp(altitude(mesh, e, opposite), kLeastDeepestShare * facet.edge_m, kDeepestShare * facet.edge_m);
  return facet;
}

// Removes those facets of this rank that are gone and of which the point has the lowest id. Facets that stay keep their
// places. New ones are added after all removals, since the lowest node of an element's face may have changed.
void ContactSurface::remove_old_facets(const dist::Mesh& mesh, std::int32_t point, Outgoing& outgoing) {
  const LocalNode n(points_[static_cast<std::size_t>(point)].node);
  std::vector<ContactFacet> wanted;
  for (const std::int32_t slot : mesh.star(n)) {
    const LocalElement e(slot);
    for (int k = 0; k < 4; ++k) {
      if (mesh.corner(e, k) == n || !mesh.surface().has(e, k)) continue;
      const std::array<LocalNode, 3> nodes = face_nodes(mesh, e, k);
      const bool is_lowest =
          std::ranges::all_of(nodes, [&](LocalNode m) { return !(mesh.node_id[m] < mesh.node_id[n]); });
      if (is_lowest) wanted.push_back(facet_at(mesh, e, k));
    }
  }
  keep_wanted(points_[static_cast<std::size_t>(point)].facets, wanted, outgoing);
  for (const ContactFacet& facet : wanted) new_facets_.emplace_back(point, facet);
}

void ContactSurface::keep_wanted(std::vector<std::int32_t>& held, std::vector<ContactFacet>& wanted,
                                 Outgoing& outgoing) {
  std::erase_if(held, [&](std::int32_t f) {
    const ContactFacet& facet = facets_[static_cast<std::size_t>(f)];
    const auto stays = std::ranges::find_if(wanted, [&](const ContactFacet& w) { return is_same_facet(w, facet); });
    if (stays != wanted.end()) {
      wanted.erase(stays);
      return false;
    }
    withdraw(facet.key, outgoing);
    remove_facet(f);
    return true;
  });
}

void ContactSurface::add_new_facets(const dist::Mesh& mesh, Outgoing& outgoing) {
  for (const auto& [point, facet] : new_facets_) {
    auto& held = is_divided_ ? shares_.at(point).facets : points_[static_cast<std::size_t>(point)].facets;
    held.push_back(add_facet(facet));
    offer(mesh, facet, outgoing);
  }
  new_facets_.clear();
}

std::int32_t ContactSurface::add_facet(const ContactFacet& facet) {
  const auto number_of_facet = static_cast<std::int32_t>(facets_.size());
  facets_.push_back(facet);
  facet_of_key_[facet.key] = number_of_facet;
  if (facets_of_.size() < numbering_.size()) facets_of_.resize(numbering_.size());
  for (const std::int32_t node : facet.node) facets_of_[static_cast<std::size_t>(node)].push_back(number_of_facet);
  return number_of_facet;
}

void ContactSurface::remove_facet(std::int32_t number_of_facet) {
  ContactFacet& facet = facets_[static_cast<std::size_t>(number_of_facet)];
  for (const std::int32_t node : facet.node) std::erase(facets_of_[static_cast<std::size_t>(node)], number_of_facet);
  // Another rank may have sent it again before its previous owner withdraws it.
  if (const auto found = facet_of_key_.find(facet.key);
      found != facet_of_key_.end() && found->second == number_of_facet)
    facet_of_key_.erase(found);
  facet.key = kGone;
  ++num_gone_;
}

const std::vector<int>& ContactSurface::ranks_near(const dist::Mesh& mesh, const ContactFacet& facet) {
  near_.clear();
  if (cells_.is_empty()) return near_;
  const auto at = [&](std::size_t k) { return position_at(mesh, facet, k); };
  Vec3 low = at(0), high = low;
  for (std::size_t k = 1; k < 3; ++k) {
    low = low.cwiseMin(at(k));
    high = high.cwiseMax(at(k));
  }
  cells_.find_near(low, high, facet.deepest_m, near_);
  return near_;
}

void ContactSurface::offer(const dist::Mesh& mesh, const ContactFacet& facet, Outgoing& outgoing) {
  const std::vector<int> ranks = ranks_near(mesh, facet);
  if (ranks.empty()) return;
  FacetRecord record{.key = facet.key,
                     .body = facet.body,
                     .corner = {},
                     .owner = {},
                     .rest = facet.rest,
                     .edge_m = facet.edge_m,
                     .deepest_m = facet.deepest_m,
                     .is_gone = false};
  for (std::size_t k = 0; k < 3; ++k) {
    const EmbeddedPoint* point = numbering_.embedded(facet.node[k]);
    EmbeddedPoint& corner = record.corner[k];
    corner = point != nullptr ? *point
                              : EmbeddedPoint{.number = -1,
                                              .count = 1,
                                              .node = {facet.node[k]},
                                              .weight = {1},
                                              .id = {facet.id[k].value, -1, -1, -1}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(corner.count); ++i) {
      const bool is_own = numbering_.is_own(corner.node[i]);
      record.owner[k][i] = is_own ? mesh.comm().rank() : numbering_.link(corner.node[i]).owner;
      if (!is_own) corner.node[i] = numbering_.link(corner.node[i]).remote_slot.value;
    }
  }
  for (const int rank : ranks) outgoing[rank].push_back(record);
  sent_[facet.key] = ranks;
}

void ContactSurface::withdraw(std::int64_t key, Outgoing& outgoing) {
  const auto sent = sent_.find(key);
  if (sent == sent_.end()) return;
  FacetRecord record{};
  record.key = key;
  record.is_gone = true;
  for (const int rank : sent->second) outgoing[rank].push_back(record);
  sent_.erase(sent);
}

void ContactSurface::exchange(const core::Comm& comm, const Outgoing& outgoing) {
  facets_of_.resize(numbering_.size());
  if (comm.size() == 1) return;
  for (const auto& [rank, records] : la::exchange_arrays(comm, outgoing))
    for (const FacetRecord& record : records) {
      const std::int64_t name = record.key * comm.size() + rank;
      if (record.is_gone) {
        const auto held = received_.find(name);
        remove_facet(held->second);
        received_.erase(held);
        continue;
      }
      ContactFacet facet{.key = record.key,
                         .node = {},
                         .deepest_m = record.deepest_m,
                         .edge_m = record.edge_m,
                         .body = record.body,
                         .id = {},
                         .rest = record.rest};
      for (std::size_t k = 0; k < 3; ++k) take_corner(comm, record.corner[k], record.owner[k], facet, k);
      received_[name] = add_facet(facet);
    }
  facets_of_.resize(numbering_.size());
  numbering_.link_new_nodes(comm);
}

std::size_t ContactSurface::memory_bytes() const {
  std::size_t bytes = core::bytes_of(points_, boundary_nodes_, point_of_, facets_, facets_of_) + cells_.memory_bytes() +
                      numbering_.memory_bytes();
  for (const ContactPoint& point : points_) bytes += core::bytes_of(point.around, point.facets);
  for (const auto& facets : facets_of_) bytes += core::bytes_of(facets);
  constexpr std::size_t kBytesAnEntry = 48;  // of a hash table, and half of a tree's
  for (const auto& [slot, share] : shares_) bytes += kBytesAnEntry + core::bytes_of(share.points, share.facets);
  return bytes + kBytesAnEntry * (sent_.size() + received_.size() + facet_of_key_.size());
}

Vec3 normal_at(const ContactPoint& point, std::span<const Vec3> position) {
  const auto at = [&](std::int32_t node) -> const Vec3& { return position[static_cast<std::size_t>(node)]; };
  Vec3 sum = Vec3::Zero();
  for (const FacetAround& facet : point.around)
    sum += (at(facet.corners[0]) - at(point.node)).cross(at(facet.corners[1]) - at(point.node));
  return sum;
}

}  // namespace brisance::contact
