#include "virtual_node_plan.hpp"

#include "fracture/cutters/node_splits.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::fracture {

namespace {

using elements::kTetEdges;
using VertexPair = std::pair<GlobalNode, GlobalNode>;  // ascending

VertexPair edge_of(const StarTet& tet, int e) {
  return std::minmax(tet.vertex[at(kTetEdges[at(e)][0])], tet.vertex[at(kTetEdges[at(e)][1])]);
}

/// A copy in a message between ranks, with the owners of its corners.
struct CopyRecord {
  GlobalElement id;
  std::array<std::int32_t, 4> owners{};
};

void append_copies(const dist::Mesh& mesh, const StarTet& tet, std::vector<CopyRecord>& copies) {
  for (const LocalElement e : tet.copy) {
    if (!e.valid()) continue;
    CopyRecord& copy = copies.emplace_back(CopyRecord{mesh.element_id[e]});
    for (int i = 0; i < 4; ++i) copy.owners[at(i)] = mesh.owner[mesh.corner(e, i)];
  }
}

/// All copies of tets around an edge of which an end is owned here.
std::vector<CopyRecord> copies_around(const dist::Mesh& mesh, const VirtualNodes& nodes, const VertexPair& edge) {
  std::vector<CopyRecord> copies;
  const LocalNode low = mesh.find(edge.first);
  const bool owns_low = low.valid() && mesh.is_owned(low);
  for (const StarTet& tet : tets_around(mesh, nodes, owns_low ? edge.first : edge.second))
    if (tet.place_of(edge.first) >= 0 && tet.place_of(edge.second) >= 0) append_copies(mesh, tet, copies);
  return copies;
}

void add(VirtualNodePlan& plan, std::span<const CopyRecord> copies) {
  for (const CopyRecord& copy : copies) {
    plan.message.elements.push_back(copy.id);
    plan.holders.insert(copy.owners.begin(), copy.owners.end());
  }
}

/// Partitions of the star's tets after the crack.
std::vector<elements::Partition> partitions_after(std::span<const StarTet> star, const CrackSides& sides) {
  std::vector<elements::Partition> after;
  for (const StarTet& tet : star) after.push_back(tet.partition);
  for (const BlockSplit& split : sides.splits)
    after[at(split.tet)] = elements::divided(after[at(split.tet)], split.block, split.second);
  return after;
}

/// Which vertices of a face, in ascending id, are opposite an edge that a tet separates there; as bits.
std::uint64_t separated_on(const StarTet& tet, const elements::Partition& partition, std::span<const GlobalNode> face) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const int i = tet.place_of(face[(k + 1) % 3]), j = tet.place_of(face[(k + 2) % 3]);
    if (partition.block[at(i)] != partition.block[at(j)]) bits |= std::uint64_t{1} << k;
  }
  return bits;
}

/// Faces of cut tets that no crack had cut, with the edges that either tet there separates.
std::vector<VirtualNodeMessage::FirstCutFace> first_cut_faces(std::span<const StarTet> star,
                                                              std::span<const elements::Partition> after,
                                                              const std::set<int>& cut_tets) {
  std::map<std::array<GlobalNode, 3>, std::uint64_t> faces;
  for (int t = 0; t < static_cast<int>(star.size()); ++t) {
    const StarTet& tet = star[at(t)];
    for (int opposite = 0; opposite < 4; ++opposite) {
      if (!cut_tets.contains(t) || tet.partition.face_first[at(opposite)] != 0) continue;
      std::array<GlobalNode, 3> face;
      auto next = face.begin();
      for (int i = 0; i < 4; ++i)
        if (i != opposite) *next++ = tet.vertex[at(i)];
      std::sort(face.begin(), face.end());
      if (const std::uint64_t bits = separated_on(tet, after[at(t)], face); bits != 0) faces[face] |= bits;
    }
  }
  std::vector<VirtualNodeMessage::FirstCutFace> list;
  for (const auto& [vertices, bits] : faces) list.push_back({vertices, bits});
  return list;
}

/// The lowest vertex of the part without the block's lowest vertex.
int other_block(const elements::Partition& before, const BlockSplit& split) {
  const bool has_lowest = (split.second >> split.block & 1) != 0;
  int i = 0;
  while (before.block[at(i)] != split.block || ((split.second >> i & 1) != 0) == has_lowest) ++i;
  return i;
}

/// The plan as far as the node's own star determines it, and the edges whose surroundings it lacks.
VirtualNodePlan start_plan(const dist::Mesh& mesh, std::span<const StarTet> star, LocalNode n, const CrackSides& sides,
                           std::set<VertexPair>& edges) {
  VirtualNodePlan plan;
  plan.node = n;
  plan.is_at_front = sides.is_at_front;
  VirtualNodeMessage& message = plan.message;
  message.node = mesh.node_id[n];
  for (int k = 0; k < 3; ++k) message.rest[at(k)] = mesh.rest[n][k];
  std::set<int> cut_tets;
  for (const BlockSplit& split : sides.splits) {
    const StarTet& tet = star[at(split.tet)];
    message.splits.push_back({.tet = tet.tet,
                              .original = mesh.element_id[tet.copy[at(split.block)]],
                              .copy = GlobalElement(),
                              .block = split.block,
                              .copy_block = other_block(tet.partition, split),
                              .second = split.second});
    cut_tets.insert(split.tet);
  }
  for (const PlacedEdge& edge : sides.edges) message.edges.push_back({edge.low, edge.high, edge.t});
  const auto after = partitions_after(star, sides);
  message.faces = first_cut_faces(star, after, cut_tets);
  std::vector<CopyRecord> copies;
  for (const StarTet& tet : star) append_copies(mesh, tet, copies);
  add(plan, copies);
  for (const int t : cut_tets)
    for (int e = 0; e < 6; ++e)
      if (after[at(t)].separates(e) && !star[at(t)].partition.separates(e))
        if (const VertexPair edge = edge_of(star[at(t)], e); edge.first != message.node && edge.second != message.node)
          edges.insert(edge);
  return plan;
}

/// Edges by the rank that is asked for their surroundings, with the index of the plan.
using WantedEdges = std::map<int, std::vector<std::pair<VertexPair, std::size_t>>>;

/// Collective.
void fetch(const dist::Mesh& mesh, const VirtualNodes& nodes, WantedEdges& wanted,
           std::vector<VirtualNodePlan>& plans) {
  std::map<int, core::ByteWriter> requests, replies;
  for (const auto& [rank, list] : wanted) {
    std::vector<VertexPair> edges;
    for (const auto& entry : list) edges.push_back(entry.first);
    requests[rank].put_all(edges);
  }
  for (const la::Message& message : mesh.exchange_with_neighbours(bytes_of(std::move(requests))))
    for (const VertexPair& edge : core::ByteReader(message.bytes).get_all<VertexPair>())
      replies[message.rank].put_all(copies_around(mesh, nodes, edge));
  for (const la::Message& message : mesh.exchange_with_neighbours(bytes_of(std::move(replies)))) {
    core::ByteReader in(message.bytes);
    for (const auto& entry : wanted[message.rank]) add(plans[entry.second], in.get_all<CopyRecord>());
  }
}

}  // namespace

std::vector<VirtualNodePlan> plan_virtual_cracks(const dist::Mesh& mesh, const VirtualNodes& virtual_nodes,
                                                 std::span<const LocalNode> nodes, std::span<const Vec3> normals,
                                                 const Parameters& parameters) {
  std::vector<VirtualNodePlan> plans;
  WantedEdges wanted;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::vector<StarTet> star = tets_around(mesh, virtual_nodes, mesh.node_id[nodes[k]]);
    const CrackSides sides = crack_sides(mesh, star, nodes[k], normals[k], parameters);
    if (sides.splits.empty()) continue;
    std::set<VertexPair> edges;
    plans.push_back(start_plan(mesh, star, nodes[k], sides, edges));
    for (const VertexPair& edge : edges) {
      const LocalNode low = mesh.find(edge.first), high = mesh.find(edge.second);
      if (mesh.is_owned(low) || mesh.is_owned(high))
        add(plans.back(), copies_around(mesh, virtual_nodes, edge));
      else
        wanted[mesh.owner[low]].emplace_back(edge, plans.size() - 1);
    }
  }
  if (mesh.comm().size() > 1) fetch(mesh, virtual_nodes, wanted, plans);
  for (VirtualNodePlan& plan : plans) {
    auto& elements = plan.message.elements;
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  }
  return plans;
}

}  // namespace brisance::fracture
