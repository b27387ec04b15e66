#include "node_splits.hpp"

#include "brisance/fracture/cutters/cutter.hpp"
#include "brisance/fracture/cutters/plan.hpp"

#include <algorithm>
#include <array>

namespace brisance::fracture {

namespace {

struct PlannedSplit {
  LocalNode node;
  std::vector<int> parts;  ///< part of each element of the star
  int num_parts;
};

std::vector<LocalNode> owned_among(const dist::Mesh& mesh, const std::vector<GlobalNode>& ids) {
  std::vector<LocalNode> nodes;
  for (const GlobalNode id : ids)
    if (const LocalNode n = mesh.find(id); n.valid() && mesh.is_owned(n)) nodes.push_back(n);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

PlannedSplit planned_split(const dist::Mesh& mesh, LocalNode n) {
  std::vector<std::array<GlobalNode, 4>> star;
  for (const std::int32_t e : mesh.star(n)) {
    std::array<GlobalNode, 4> ids;
    const auto corners = mesh.corners(LocalElement(e));
    for (int i = 0; i < 4; ++i) ids[i] = mesh.node_id[corners[i]];
    star.push_back(ids);
  }
  PlannedSplit split{n, face_connected_parts(mesh.node_id[n], star), 0};
  split.num_parts = 1 + *std::max_element(split.parts.begin(), split.parts.end());
  return split;
}

/// Parts are numbered by their first, lowest element: part 0 keeps the node.
NodeSplit numbered(const dist::Mesh& mesh, const PlannedSplit& planned, std::int64_t first_id) {
  NodeSplit split{mesh.node_id[planned.node], {}};
  const auto star = mesh.star(planned.node);
  for (std::size_t i = 0; i < star.size(); ++i)
    if (planned.parts[i] > 0)
      split.assignments.emplace_back(mesh.element_id[LocalElement(star[i])],
                                     GlobalNode(first_id + planned.parts[i] - 1));
  return split;
}

}  // namespace

void pack(core::ByteWriter& out, const NodeSplit& split) {
  out.put(split.node);
  out.put_all(split.assignments);
}

NodeSplit unpack_node_split(core::ByteReader& in) {
  NodeSplit split;
  split.node = in.get<GlobalNode>();
  split.assignments = in.get_all<std::pair<GlobalElement, GlobalNode>>();
  return split;
}

std::map<int, std::vector<std::byte>> bytes_of(std::map<int, core::ByteWriter>&& outgoing) {
  std::map<int, std::vector<std::byte>> packed;
  for (auto& [rank, out] : outgoing) packed[rank] = std::move(out.bytes());
  return packed;
}

NodeSplitter::NodeSplitter(const Parameters& parameters) {
  if (parameters.cohesive) links_.emplace(parameters);
}

void NodeSplitter::split(dist::Mesh& mesh, const NodeSplit& split) {
  if (links_)
    links_->split_node(mesh, split.node, split.assignments);
  else
    mesh.split_node(split.node, split.assignments);
}

void NodeSplitter::finish(dist::Mesh& mesh) {
  if (links_) links_->finish(mesh);
}

std::int64_t split_disconnected(dist::Mesh& mesh, const std::vector<GlobalNode>& nodes, NodeSplitter& splitter) {
  std::vector<PlannedSplit> splits;
  std::vector<IdRequest> requests;
  for (const LocalNode n : owned_among(mesh, nodes)) {
    PlannedSplit split = planned_split(mesh, n);
    if (split.num_parts == 1) continue;
    requests.push_back({mesh.node_id[n], split.num_parts - 1, 0});
    splits.push_back(std::move(split));
  }
  const FirstIds first_ids = give_out_ids(mesh, requests);

  std::map<int, core::ByteWriter> outgoing;
  for (const PlannedSplit& planned : splits) {
    const NodeSplit split = numbered(mesh, planned, first_ids.at(mesh.node_id[planned.node]).first);
    for (const int rank : mesh.holders(planned.node)) pack(outgoing[rank], split);
  }
  std::vector<NodeSplit> received;
  for (const la::Message& message : mesh.exchange_with_neighbours(bytes_of(std::move(outgoing))))
    for (core::ByteReader in(message.bytes); !in.done();) received.push_back(unpack_node_split(in));
  std::sort(received.begin(), received.end(), [](auto& x, auto& y) { return x.node < y.node; });
  for (const NodeSplit& split : received) splitter.split(mesh, split);
  return static_cast<std::int64_t>(splits.size());
}

}  // namespace brisance::fracture
