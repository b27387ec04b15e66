#include "brisance/dist/pieces.hpp"

#include "brisance/core/exact_sum.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace brisance::dist {

namespace {

/// Lowest node id of each local component, spread over all ranks by exchanging the labels of shared nodes.
NodeField<std::int64_t> lowest_ids(const Mesh& mesh) {
  std::vector<std::int32_t> parent(mesh.num_node_slots());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](std::int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    if (!mesh.is_held(LocalElement(i))) continue;
    const auto corners = mesh.corners(LocalElement(i));
    for (int k = 1; k < 4; ++k) parent[root(corners[k].value)] = root(corners[0].value);
  }
  NodeField<std::int64_t> label(mesh.num_node_slots(), std::numeric_limits<std::int64_t>::max());
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (mesh.is_used(LocalNode(i))) label[LocalNode(i)] = mesh.node_id[LocalNode(i)].value;
  for (bool changed = true; changed;) {
    bool here = false;
    for (int pass = 0; pass < 2; ++pass)  // first the minimum of each component, then back to its members
      for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
        if (!mesh.is_used(LocalNode(i))) continue;
        auto &mine = label[LocalNode(i)], &shared = label[LocalNode(root(i))];
        if (pass == 0)
          shared = std::min(shared, mine);
        else if (mine != shared) {
          mine = shared;
          here = true;
        }
      }
    changed = mesh.comm().size() > 1 && mesh.comm().any(here);
    if (!changed) break;
    mesh.halo().reduce_min(label.span());
    mesh.halo().update_ghosts(label.span());
  }
  return label;
}

}  // namespace

Pieces find_pieces(const Mesh& mesh) {
  const NodeField<std::int64_t> label = lowest_ids(mesh);
  struct Share {
    std::int64_t label;
    core::ExactSum mass;
  };
  std::map<std::int64_t, core::ExactSum> here;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) here[label[n]].add(mesh.mass[n]);
  std::vector<Share> shares;
  shares.reserve(here.size());
  for (const auto& [l, mass] : here) shares.push_back({l, mass});
  std::map<std::int64_t, core::ExactSum> total;
  for (const Share& share : mesh.comm().all_gather(std::span<const Share>(shares))) total[share.label].add(share.mass);

  Pieces pieces;
  std::map<std::int64_t, std::int32_t> index;
  for (const auto& [l, mass] : total) {
    index[l] = static_cast<std::int32_t>(pieces.list.size());
    pieces.list.push_back({GlobalNode(l), mass.value()});
  }
  pieces.of_node.assign(mesh.num_node_slots(), -1);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n)) pieces.of_node[n] = index.at(label[n]);
  return pieces;
}

}  // namespace brisance::dist
