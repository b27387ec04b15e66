#include "brisance/contact/surface/contact_surface.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/core/memory.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/la/sparse_exchange.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "contact/box_list.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace brisance::contact {

namespace {

/// Boxes by which ranks tell each other where their points are. More of them import fewer facets.
constexpr std::size_t kMostBoxes = 64;

struct PlainBox {
  std::int32_t rank;
  std::array<double, 3> low, high;
};

/// A facet on its way to another rank.
struct FacetRecord {
  std::int64_t key, body;
  std::array<std::int64_t, 3> node;
  std::array<std::int32_t, 3> owner, slot_there;
  std::array<std::array<double, 3>, 3> rest;
  double edge_m;
};

std::array<double, 3> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

Vec3 position_of(const dist::Mesh& mesh, std::int32_t slot) { return Vec3(mesh.motion[LocalNode(slot)].position); }

std::array<LocalNode, 3> face_nodes(const dist::Mesh& mesh, LocalElement e, int opposite) {
  const auto& order = mesh::kFaceCorners[static_cast<std::size_t>(opposite)];
  return {mesh.corner(e, order[0]), mesh.corner(e, order[1]), mesh.corner(e, order[2])};
}

ContactFacet facet_of(const dist::Mesh& mesh, LocalElement e, int opposite) {
  ContactFacet facet{.key = 4 * mesh.element_id[e].value + opposite,
                     .body = mesh.field(kBody)[e],
                     .node = {},
                     .slot = {},
                     .rest = {},
                     .edge_m = std::numeric_limits<double>::infinity()};
  const std::array<LocalNode, 3> nodes = face_nodes(mesh, e, opposite);
  for (std::size_t k = 0; k < 3; ++k) {
    facet.node[k] = mesh.node_id[nodes[k]];
    facet.slot[k] = nodes[k].value;
    facet.rest[k] = mesh.rest[nodes[k]];
    facet.edge_m = std::min(facet.edge_m, mesh.field(dist::kUncutEdgeLength)[nodes[k]]);
  }
  return facet;
}

/// A facet around one of this rank's points: the point's slot and the other two corners.
struct Around {
  std::int32_t slot;
  std::array<std::int32_t, 2> others;
  std::int64_t body;
  double rest_area;
};

/// Facets by (element, corner) of which this rank owns a node.
void gather_own(const dist::Mesh& mesh, std::vector<Around>& around, std::vector<ContactFacet>& facets) {
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e) || !mesh.surface().touches_boundary(e)) continue;
    for (int k = 0; k < 4; ++k) {
      if (!mesh.surface().is_boundary(e, k)) continue;
      const std::array<LocalNode, 3> nodes = face_nodes(mesh, e, k);
      const Vec3 &a = mesh.rest[nodes[0]], &b = mesh.rest[nodes[1]], &c = mesh.rest[nodes[2]];
      const double area = 0.5 * (b - a).cross(c - a).norm();
      for (std::size_t j = 0; j < 3; ++j)
        if (mesh.is_owned(nodes[j]))
          around.push_back(
              {nodes[j].value, {nodes[(j + 1) % 3].value, nodes[(j + 2) % 3].value}, mesh.field(kBody)[e], area});
      if (mesh.surface().has(e, k)) facets.push_back(facet_of(mesh, e, k));
    }
  }
}

void list_points(const dist::Mesh& mesh, std::vector<Around> around, ContactSurface& surface) {
  std::ranges::stable_sort(around, {}, [&](const Around& a) { return mesh.node_id[LocalNode(a.slot)]; });
  for (const Around& a : around) {
    if (surface.points.empty() || surface.points.back().slot != a.slot)
      surface.points.push_back({.id = mesh.node_id[LocalNode(a.slot)],
                                .slot = a.slot,
                                .body = a.body,
                                .rest = mesh.rest[LocalNode(a.slot)],
                                .edge_m = mesh.field(dist::kUncutEdgeLength)[LocalNode(a.slot)],
                                .first_around = static_cast<std::int32_t>(surface.around.size())});
    ContactPoint& point = surface.points.back();
    point.rest_area += a.rest_area / 3;
    ++point.num_around;
    surface.around.push_back(a.others);
  }
}

/// Boxes around points that lie near each other, by halving along the longest side.
void add_boxes(const dist::Mesh& mesh, std::span<std::int32_t> slots, std::size_t most, std::vector<PlainBox>& boxes) {
  if (slots.empty()) return;
  Vec3 low = position_of(mesh, slots[0]), high = low;
  for (const std::int32_t slot : slots) {
    low = low.cwiseMin(position_of(mesh, slot));
    high = high.cwiseMax(position_of(mesh, slot));
  }
  if (most == 1 || slots.size() < 2) {
    boxes.push_back({mesh.comm().rank(), numbers(low), numbers(high)});
    return;
  }
  Eigen::Index axis = 0;
  (high - low).maxCoeff(&axis);
  const std::size_t half = slots.size() / 2;
  std::nth_element(
      slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(half), slots.end(),
      [&](std::int32_t a, std::int32_t b) { return position_of(mesh, a)[axis] < position_of(mesh, b)[axis]; });
  add_boxes(mesh, slots.subspan(0, half), most / 2, boxes);
  add_boxes(mesh, slots.subspan(half), most / 2, boxes);
}

std::vector<PlainBox> boxes_of_points(const dist::Mesh& mesh, const ContactSurface& surface) {
  std::vector<std::int32_t> slots;
  for (const ContactPoint& point : surface.points) slots.push_back(point.slot);
  std::vector<PlainBox> boxes;
  add_boxes(mesh, slots, kMostBoxes, boxes);
  return mesh.comm().all_gather(std::span<const PlainBox>(boxes));
}

FacetRecord record_of(const dist::Mesh& mesh, const ContactFacet& facet) {
  FacetRecord record{.key = facet.key,
                     .body = facet.body,
                     .node = {},
                     .owner = {},
                     .slot_there = {},
                     .rest = {},
                     .edge_m = facet.edge_m};
  for (std::size_t k = 0; k < 3; ++k) {
    const dist::GhostLink link = mesh.link_of(LocalNode(facet.slot[k]));
    record.node[k] = facet.node[k].value;
    record.owner[k] = link.owner;
    record.slot_there[k] = link.remote_slot.value;
    record.rest[k] = numbers(facet.rest[k]);
  }
  return record;
}

/// This rank's facets that come near others' points, by rank.
std::map<int, std::vector<FacetRecord>> facets_for_others(const dist::Mesh& mesh, const ContactSurface& surface,
                                                          double enlargement_m) {
  const std::vector<PlainBox> boxes = boxes_of_points(mesh, surface);
  std::map<int, std::vector<FacetRecord>> outgoing;
  for (const ContactFacet& facet : surface.facets) {
    Box box{position_of(mesh, facet.slot[0]), position_of(mesh, facet.slot[0])};
    for (const std::int32_t slot : facet.slot) {
      box.low = box.low.cwiseMin(position_of(mesh, slot));
      box.high = box.high.cwiseMax(position_of(mesh, slot));
    }
    int sent_to = -1;  // boxes of a rank follow each other
    for (const PlainBox& there : boxes) {
      if (there.rank == mesh.comm().rank() || there.rank == sent_to) continue;
      if (!meet(box, {vec(there.low), vec(there.high)}, 0.5 * facet.edge_m + enlargement_m)) continue;
      outgoing[there.rank].push_back(record_of(mesh, facet));
      sent_to = there.rank;
    }
  }
  return outgoing;
}

/// Gives nodes that are not held here slots beyond the mesh's, and every foreign node one link.
class NodesOfFacets {
public:
  NodesOfFacets(const dist::Mesh& mesh, ContactSurface& surface) : mesh_(mesh), surface_(surface) {
    surface.num_slots = static_cast<std::size_t>(mesh.num_node_slots());
  }
  std::int32_t slot_of(GlobalNode id, int owner, std::int32_t slot_there) {
    if (owner == mesh_.comm().rank()) return slot_there;
    const auto [place, is_new] = slots_.try_emplace(id, 0);
    if (!is_new) return place->second;
    const LocalNode held = mesh_.find(id);
    place->second = held.valid() ? held.value : static_cast<std::int32_t>(surface_.num_slots++);
    surface_.ghosts.push_back({LocalNode(place->second), owner, LocalNode(slot_there)});
    return place->second;
  }

private:
  const dist::Mesh& mesh_;
  ContactSurface& surface_;
  std::unordered_map<GlobalNode, std::int32_t> slots_;
};

}  // namespace

std::size_t ContactSurface::memory_bytes() const { return core::bytes_of(points, around, facets, ghosts); }

ContactSurface gather_contact_surface(const dist::Mesh& mesh, double enlargement_m) {
  ContactSurface surface;
  std::vector<Around> around;
  gather_own(mesh, around, surface.facets);
  list_points(mesh, std::move(around), surface);
  NodesOfFacets nodes(mesh, surface);
  if (mesh.comm().size() == 1) return surface;
  for (ContactFacet& facet : surface.facets)
    for (std::size_t k = 0; k < 3; ++k) {
      const dist::GhostLink link = mesh.link_of(LocalNode(facet.slot[k]));
      facet.slot[k] = nodes.slot_of(facet.node[k], link.owner, link.remote_slot.value);
    }
  for (const auto& [rank, records] : la::exchange_arrays(mesh.comm(), facets_for_others(mesh, surface, enlargement_m)))
    for (const FacetRecord& record : records) {
      ContactFacet facet{
          .key = record.key, .body = record.body, .node = {}, .slot = {}, .rest = {}, .edge_m = record.edge_m};
      for (std::size_t k = 0; k < 3; ++k) {
        facet.node[k] = GlobalNode(record.node[k]);
        facet.slot[k] = nodes.slot_of(facet.node[k], record.owner[k], record.slot_there[k]);
        facet.rest[k] = vec(record.rest[k]);
      }
      surface.facets.push_back(facet);
    }
  return surface;
}

Vec3 normal_at(const ContactSurface& surface, const ContactPoint& point, std::span<const Vec3> position) {
  const auto at = [&](std::int32_t slot) -> const Vec3& { return position[static_cast<std::size_t>(slot)]; };
  Vec3 sum = Vec3::Zero();
  for (std::int32_t i = 0; i < point.num_around; ++i) {
    const auto& [b, c] = surface.around[static_cast<std::size_t>(point.first_around + i)];
    sum += (at(b) - at(point.slot)).cross(at(c) - at(point.slot));
  }
  return sum;
}

}  // namespace brisance::contact
