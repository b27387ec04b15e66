#include "neighbourhoods.hpp"

#include "brisance/core/byte_stream.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/fracture/fronts.hpp"

#include <algorithm>

namespace brisance::fracture {

namespace {

using Edge = std::pair<GlobalNode, GlobalNode>;

/// An element in a message between ranks.
struct ElementMessage {
  GlobalElement id;
  std::array<GlobalNode, 4> corners;
  std::array<std::array<double, 3>, 4> rest;
  std::array<std::int32_t, 4> owners;
  double uncut_altitude = 0;
};

ElementMessage describe(const dist::Mesh& mesh, LocalElement e) {
  ElementMessage m;
  m.id = mesh.element_id[e];
  const auto corners = mesh.corners(e);
  for (int i = 0; i < 4; ++i) {
    m.corners[i] = mesh.node_id[corners[i]];
    for (int k = 0; k < 3; ++k) m.rest[i][k] = mesh.rest[corners[i]][k];
    m.owners[i] = mesh.owner[corners[i]];
    // The largest: a tet beside a sliver has a corner that does not touch it, a sliver and what is cut from it has
    // none.
    m.uncut_altitude = std::max(m.uncut_altitude, mesh.field(dist::kUncutAltitude)[corners[i]]);
  }
  return m;
}

PlanElement plan_element(const ElementMessage& m) {
  PlanElement e{m.id, m.corners, {}, m.uncut_altitude};
  for (int i = 0; i < 4; ++i) e.rest[i] = Vec3(m.rest[i].data());
  return e;
}

LinkNode link_node(const dist::Mesh& mesh, LocalNode n) {
  return {mesh.node_id[n], mesh.rest[n], Vec3(mesh.motion[n].position)};
}

ChosenNode start_chosen(const dist::Mesh& mesh, LocalNode n, const Vec3& normal) {
  ChosenNode w;
  w.node = n;
  Neighbourhood& hood = w.neighbourhood;
  hood.node = link_node(mesh, n);
  hood.edge_length = mesh.field(dist::kUncutEdgeLength)[n];
  hood.normal = normal;
  std::vector<LocalNode> link;
  for (std::int32_t slot : mesh.star(n)) {
    const ElementMessage m = describe(mesh, LocalElement(slot));
    hood.star.push_back(plan_element(m));
    w.holders.insert(m.owners.begin(), m.owners.end());
    for (LocalNode c : mesh.corners(LocalElement(slot)))
      if (c != n) link.push_back(c);
  }
  std::sort(link.begin(), link.end(), [&](auto a, auto b) { return mesh.node_id[a] < mesh.node_id[b]; });
  link.erase(std::unique(link.begin(), link.end()), link.end());
  for (LocalNode c : link) hood.link.push_back(link_node(mesh, c));
  if (const auto front = present_front(mesh, n)) {
    hood.front = PlanFront{front->tangent, front->growth, {}};
    for (LocalNode end : front_neighbours(mesh, n)) hood.front->neighbours.push_back(mesh.node_id[end]);
  }
  return w;
}

/// All elements around an edge; complete if this rank owns one of its ends.
std::vector<ElementMessage> elements_around(const dist::Mesh& mesh, const Edge& edge) {
  const LocalNode a = mesh.find(edge.first), b = mesh.find(edge.second);
  std::vector<ElementMessage> result;
  for (std::int32_t slot : mesh.star(mesh.is_owned(a) ? a : b)) {
    const auto corners = mesh.corners(LocalElement(slot));
    auto has = [&](LocalNode n) { return std::find(corners.begin(), corners.end(), n) != corners.end(); };
    if (has(a) && has(b)) result.push_back(describe(mesh, LocalElement(slot)));
  }
  return result;
}

void add_around(ChosenNode& w, const std::vector<ElementMessage>& elements) {
  for (const ElementMessage& m : elements) {
    if (std::find(m.corners.begin(), m.corners.end(), w.neighbourhood.node.id) != m.corners.end()) continue;
    w.neighbourhood.around.push_back(plan_element(m));
    w.holders.insert(m.owners.begin(), m.owners.end());
  }
}

}  // namespace

std::vector<ChosenNode> gather_neighbourhoods(const dist::Mesh& mesh, const std::vector<LocalNode>& chosen,
                                              const std::map<LocalNode, Failure>& failing,
                                              const Parameters& parameters) {
  std::vector<ChosenNode> result;
  std::map<int, std::vector<std::pair<Edge, std::size_t>>> wanted;  // by rank: edge, index of the chosen node
  for (LocalNode n : chosen) {
    ChosenNode w = start_chosen(mesh, n, failing.at(n).normal);
    for (const Edge& edge : crossing_edges(w.neighbourhood, parameters)) {
      const LocalNode a = mesh.find(edge.first), b = mesh.find(edge.second);
      if (mesh.is_owned(a) || mesh.is_owned(b))
        add_around(w, elements_around(mesh, edge));
      else
        wanted[mesh.owner[a]].emplace_back(edge, result.size());
    }
    result.push_back(std::move(w));
  }
  if (mesh.comm().size() > 1) {
    std::map<int, std::vector<std::byte>> requests;
    for (const auto& [rank, list] : wanted) {
      std::vector<Edge> edges;
      for (const auto& entry : list) edges.push_back(entry.first);
      core::ByteWriter out;
      out.put_all(edges);
      requests[rank] = std::move(out.bytes());
    }
    std::map<int, std::vector<std::byte>> replies;
    for (const la::Message& message : mesh.exchange_with_neighbours(std::move(requests))) {
      core::ByteWriter out;
      for (const Edge& edge : core::ByteReader(message.bytes).get_all<Edge>()) out.put_all(elements_around(mesh, edge));
      replies[message.rank] = std::move(out.bytes());
    }
    for (const la::Message& message : mesh.exchange_with_neighbours(std::move(replies))) {
      core::ByteReader in(message.bytes);
      for (const auto& entry : wanted[message.rank]) add_around(result[entry.second], in.get_all<ElementMessage>());
    }
  }
  for (ChosenNode& w : result) {  // an element may hold two crossing edges
    auto& around = w.neighbourhood.around;
    std::sort(around.begin(), around.end(), [](auto& x, auto& y) { return x.id < y.id; });
    around.erase(std::unique(around.begin(), around.end(), [](auto& x, auto& y) { return x.id == y.id; }),
                 around.end());
  }
  return result;
}

}  // namespace brisance::fracture
