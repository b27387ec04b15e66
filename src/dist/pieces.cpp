#include "brisance/dist/pieces.hpp"

#include "brisance/core/exact_sum.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace brisance::dist {

namespace {

/// Parts connected by this rank's elements.
struct LocalParts {
  NodeField<std::int32_t> of_node;  ///< −1: slot not used
  std::vector<std::int64_t> label;  ///< label of each part: lowest node id in the whole piece
};

/// Parts labelled with the lowest ids on this rank. Local.
LocalParts local_parts(const Mesh& mesh) {
  // The lowest slot of a tree is its root: slots near in the body are near in memory, and parents come before children.
  std::vector<std::int32_t> parent(static_cast<std::size_t>(mesh.num_node_slots()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    if (!mesh.is_held(LocalElement(i))) continue;
    const auto corners = mesh.corners(LocalElement(i));
    std::int32_t joined = root(corners[0].value);
    for (int k = 1; k < 4; ++k) {
      if (parent[corners[k].value] == joined) continue;
      const std::int32_t other = root(corners[k].value);
      parent[std::max(joined, other)] = std::min(joined, other);
      joined = std::min(joined, other);
    }
  }
  LocalParts parts{NodeField<std::int32_t>(static_cast<std::size_t>(mesh.num_node_slots()), -1), {}};
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_used(n)) continue;
    const std::int64_t id = mesh.node_id[n].value;
    if (parent[i] == i) {
      parts.of_node[n] = static_cast<std::int32_t>(parts.label.size());
      parts.label.push_back(id);
    } else {
      parts.of_node[n] = parts.of_node[LocalNode(parent[i])];
      std::int64_t& lowest = parts.label[parts.of_node[n]];
      lowest = std::min(lowest, id);
    }
  }
  return parts;
}

/// Propagates labels over all ranks by exchanging those of shared nodes. Collective.
void spread_labels(const Mesh& mesh, LocalParts& parts) {
  if (mesh.comm().size() == 1) return;
  NodeField<std::int64_t> label(parts.of_node.size(), std::numeric_limits<std::int64_t>::max());
  for (bool changed = true; mesh.comm().any(changed);) {
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const std::int32_t part = parts.of_node[LocalNode(i)]; part >= 0) label[LocalNode(i)] = parts.label[part];
    mesh.halo().reduce_min(label.span());
    mesh.halo().update_ghosts(label.span());
    changed = false;
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
      const std::int32_t part = parts.of_node[LocalNode(i)];
      if (part < 0 || label[LocalNode(i)] >= parts.label[part]) continue;
      parts.label[part] = label[LocalNode(i)];
      changed = true;
    }
  }
}

}  // namespace

Pieces find_pieces(const Mesh& mesh) {
  LocalParts parts = local_parts(mesh);
  spread_labels(mesh, parts);
  struct Share {
    std::int64_t label;
    core::ExactSum mass;
  };
  std::vector<Share> shares;
  shares.reserve(parts.label.size());
  for (const std::int64_t label : parts.label) shares.push_back({label, {}});
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) shares[parts.of_node[n]].mass.add(mesh.mass[n]);
  std::map<std::int64_t, core::ExactSum> total;
  for (const Share& share : mesh.comm().all_gather(std::span<const Share>(shares))) total[share.label].add(share.mass);

  Pieces pieces;
  std::map<std::int64_t, std::int32_t> index;
  for (const auto& [label, mass] : total) {
    index[label] = static_cast<std::int32_t>(pieces.list.size());
    pieces.list.push_back({GlobalNode(label), mass.value()});
  }
  std::vector<std::int32_t> piece_of_part;
  for (const std::int64_t label : parts.label) piece_of_part.push_back(index.at(label));
  pieces.of_node.assign(parts.of_node.size(), -1);
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const std::int32_t part = parts.of_node[LocalNode(i)]; part >= 0)
      pieces.of_node[LocalNode(i)] = piece_of_part[part];
  return pieces;
}

}  // namespace brisance::dist
