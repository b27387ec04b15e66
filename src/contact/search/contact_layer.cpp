#include "brisance/contact/search/contact_layer.hpp"

#include "brisance/contact/fields.hpp"
#include "brisance/contact/search/tet_depths.hpp"

#include <algorithm>

namespace brisance::contact {

namespace {

/// For criterion overlap_volume: number of corners on the boundary with which a tet always takes part.
constexpr int kCornersAtBoundary = 3;

/// Whether a face of the boundary has this owned node.
bool is_on_boundary(const dist::Mesh& mesh, LocalNode n) {
  for (const std::int32_t slot : mesh.star(n)) {
    const LocalElement e(slot);
    if (!mesh.surface().touches_boundary(e)) continue;
    for (int k = 0; k < 4; ++k)
      if (mesh.corner(e, k) != n && mesh.surface().is_boundary(e, k)) return true;
  }
  return false;
}

/// Whether a tet around this owned node overlaps another much.
bool is_reached(const dist::Mesh& mesh, LocalNode n) {
  const auto& shares_much = mesh.field(kSharesMuch);
  return std::ranges::any_of(mesh.star(n), [&](std::int32_t e) { return shares_much[LocalElement(e)] != 0; });
}

/// The values of `now`, a function of owned nodes, at all nodes held here. Collective.
template <class T, class Now>
NodeField<T> of_all_nodes(const dist::Mesh& mesh, const Now& now) {
  NodeField<T> field;
  field.assign(mesh.node_id.size(), {});
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) field[n] = now(n);
  mesh.halo().update_ghosts(field.span());
  return field;
}

}  // namespace

ContactLayer contact_layer(const dist::Mesh& mesh, ContactCriterion criterion) {
  const bool nodes_count = criterion == ContactCriterion::node_penetration;
  const auto on_boundary =
      of_all_nodes<std::int32_t>(mesh, [&](LocalNode n) { return is_on_boundary(mesh, n) ? 1 : 0; });
  const auto reached =
      of_all_nodes<std::int32_t>(mesh, [&](LocalNode n) { return !nodes_count && is_reached(mesh, n) ? 1 : 0; });
  ContactLayer layer;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const auto corners = mesh.corners(e);
    const auto at_boundary = std::ranges::count_if(corners, [&](LocalNode n) { return on_boundary[n] != 0; });
    if (at_boundary >= (nodes_count ? 1 : kCornersAtBoundary) ||
        std::ranges::any_of(corners, [&](LocalNode n) { return reached[n] != 0; }))
      layer.tets.push_back(e);
  }
  if (!nodes_count) return layer;
  const auto corner = of_all_nodes<CornerDepth>(mesh, [&](LocalNode n) { return corner_depth(mesh, on_boundary, n); });
  layer.depths = tet_depths(mesh, on_boundary, corner, layer.tets);
  return layer;
}

}  // namespace brisance::contact
