#include "refine.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/elements/rest_shape.hpp"

#include "initial_rows.hpp"
#include "records.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace brisance::dist {

namespace {

/// Ends of the six edges of a tet.
constexpr std::array<std::array<int, 2>, 6> kEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
/// Opposite edges: the diagonals of the octahedron between their middles; and the four other edges in a circle.
constexpr std::array<std::array<int, 2>, 3> kDiagonals{{{0, 5}, {1, 4}, {2, 3}}};
constexpr std::array<std::array<int, 4>, 3> kCircles{{{1, 3, 4, 2}, {0, 3, 5, 2}, {0, 4, 5, 1}}};

/// A node of a divided tet: a corner 0 … 3, or 4 + the edge that it is the middle of.
constexpr int kNumPlaces = 10;
constexpr unsigned corners_of_place(int place) {
  return place < 4 ? 1U << place : 1U << kEdges[place - 4][0] | 1U << kEdges[place - 4][1];
}

struct Edge {
  GlobalNode low, high;
};

/// An edge that a rank holds, and its middle.
struct Middle {
  LocalNode low, high;
  GlobalNode id;
};

bool before(const Mesh& mesh, const Middle& a, const Middle& b) {
  return a.low != b.low ? a.low < b.low : mesh.node_id[a.high] < mesh.node_id[b.high];
}

/// All edges of held tets, each once: by slot of the lower end, then by id of the other.
std::vector<Middle> held_edges(const Mesh& mesh) {
  std::vector<Middle> edges;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode low(i);
    if (!mesh.is_used(low)) continue;
    const std::size_t first = edges.size();
    for (const std::int32_t e : mesh.star(low))
      for (const LocalNode c : mesh.corners(LocalElement(e)))
        if (mesh.node_id[low] < mesh.node_id[c]) edges.push_back({low, c, {}});
    const auto begin = edges.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, edges.end(), [&](const Middle& a, const Middle& b) { return before(mesh, a, b); });
    edges.erase(std::unique(begin, edges.end(), [](const Middle& a, const Middle& b) { return a.high == b.high; }),
                edges.end());
  }
  edges.shrink_to_fit();
  return edges;
}

/// How many new ids come before each of this rank's owned nodes, whose counts these are: sums over all nodes of the
/// mesh in ascending id, whoever owns them. Collective.
std::map<int, std::vector<std::int64_t>> sums_before(const Mesh& mesh,
                                                     const std::map<int, std::vector<std::int64_t>>& ids,
                                                     const std::map<int, std::vector<std::int64_t>>& counts) {
  const core::Comm& comm = mesh.comm();
  const auto block = core::block_of(mesh.facts.next_node_id, comm.rank(), comm.size());
  std::vector<std::int64_t> sums(static_cast<std::size_t>(block.count), 0);
  const auto asked = la::exchange_arrays(comm, ids);
  const auto given = la::exchange_arrays(comm, counts);
  for (std::size_t m = 0; m < asked.size(); ++m)
    for (std::size_t i = 0; i < asked[m].second.size(); ++i)
      sums[asked[m].second[i] - block.first] = given[m].second[i];
  std::int64_t total = 0;
  for (std::int64_t& sum : sums) total += std::exchange(sum, total);
  const std::int64_t before_block = core::rows_before(comm, total);
  std::map<int, std::vector<std::int64_t>> answers;
  for (const auto& [rank, wanted] : asked)
    for (const std::int64_t id : wanted) answers[rank].push_back(before_block + sums[id - block.first]);
  std::map<int, std::vector<std::int64_t>> received;
  for (auto& [rank, values] : la::exchange_arrays(comm, answers)) received[rank] = std::move(values);
  return received;
}

/// New ids of owned nodes and, by halo, of ghosts; invalid elsewhere. Collective.
NodeField<std::int64_t> new_node_ids(const Mesh& mesh, const std::vector<Middle>& edges) {
  NodeField<std::int64_t> count(static_cast<std::size_t>(mesh.num_node_slots()), 1);  // of a node and its middles
  for (const Middle& edge : edges) ++count[edge.low];
  std::map<int, std::vector<std::int64_t>> ids, counts;
  std::map<int, std::vector<LocalNode>> nodes;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
    const LocalNode n(i);
    if (!mesh.is_owned(n)) continue;
    const int rank = core::rank_of_row(mesh.facts.next_node_id, mesh.node_id[n].value, mesh.comm().size());
    ids[rank].push_back(mesh.node_id[n].value);
    counts[rank].push_back(count[n]);
    nodes[rank].push_back(n);
  }
  NodeField<std::int64_t> id(static_cast<std::size_t>(mesh.num_node_slots()), -1);
  for (const auto& [rank, sums] : sums_before(mesh, ids, counts))
    for (std::size_t i = 0; i < sums.size(); ++i) id[nodes[rank][i]] = sums[i];
  mesh.halo().update_ghosts(id.span());
  return id;
}

const Middle& find_edge(const Mesh& mesh, const std::vector<Middle>& edges, LocalNode a, LocalNode b) {
  if (mesh.node_id[b] < mesh.node_id[a]) std::swap(a, b);
  return *std::lower_bound(edges.begin(), edges.end(), Middle{a, b, {}},
                           [&](const Middle& x, const Middle& y) { return before(mesh, x, y); });
}

/// Ids of the middles. An owner of a lower end sees all edges up from it, and tells those who hold some. Collective.
void number_middles(const Mesh& mesh, const NodeField<std::int64_t>& new_id, std::vector<Middle>& edges) {
  std::map<int, std::vector<Edge>> questions;
  std::map<int, std::vector<std::size_t>> asked;
  LocalNode low;
  std::int64_t next = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Middle& edge = edges[i];
    if (mesh.is_owned(edge.low)) {
      next = edge.low == low ? next + 1 : new_id[edge.low] + 1;
      low = edge.low;
      edge.id = GlobalNode(next);
    } else {
      questions[mesh.owner[edge.low]].push_back({mesh.node_id[edge.low], mesh.node_id[edge.high]});
      asked[mesh.owner[edge.low]].push_back(i);
    }
  }
  std::map<int, std::vector<GlobalNode>> answers;
  for (const auto& [rank, wanted] : la::exchange_arrays(mesh.comm(), questions))
    for (const Edge& edge : wanted)
      answers[rank].push_back(find_edge(mesh, edges, mesh.find(edge.low), mesh.find(edge.high)).id);
  for (const auto& [rank, ids] : la::exchange_arrays(mesh.comm(), answers))
    for (std::size_t i = 0; i < ids.size(); ++i) edges[asked[rank][i]].id = ids[i];
}

/// The nodes of a tet that is being divided.
struct DividedTet {
  std::array<GlobalNode, kNumPlaces> id;
  std::array<std::int32_t, kNumPlaces> owner{};
  std::array<Vec3, kNumPlaces> rest;
};

DividedTet divide(const Mesh& mesh, const NodeField<std::int64_t>& new_id, const std::vector<Middle>& edges,
                  LocalElement e) {
  DividedTet tet;
  const auto corners = mesh.corners(e);
  for (int k = 0; k < 4; ++k) {
    tet.id[k] = GlobalNode(new_id[corners[k]]);
    tet.owner[k] = mesh.owner[corners[k]];
    tet.rest[k] = mesh.rest[corners[k]];
  }
  for (int k = 0; k < 6; ++k) {
    const Middle& middle = find_edge(mesh, edges, corners[kEdges[k][0]], corners[kEdges[k][1]]);
    tet.id[4 + k] = middle.id;
    tet.owner[4 + k] = mesh.owner[middle.low];
    tet.rest[4 + k] = 0.5 * (mesh.rest[middle.low] + mesh.rest[middle.high]);
  }
  return tet;
}

/// Places of the corners of the eight children, of positive volume.
std::array<std::array<int, 4>, 8> children_of(const DividedTet& tet) {
  std::array<std::array<int, 4>, 8> children{};
  for (int v = 0; v < 4; ++v)  // where the corner was, in the place of each other one the middle towards it
    for (int other = 0; other < 4; ++other) {
      const auto edge = std::find_if(kEdges.begin(), kEdges.end(), [&](const auto& ends) {
        return ends[0] == std::min(v, other) && ends[1] == std::max(v, other);
      });
      children[v][other] = other == v ? v : 4 + static_cast<int>(edge - kEdges.begin());
    }
  std::size_t shortest = 0;
  const auto length = [&](std::size_t d) {
    return (tet.rest[4 + kDiagonals[d][0]] - tet.rest[4 + kDiagonals[d][1]]).squaredNorm();
  };
  for (std::size_t d = 1; d < 3; ++d)
    if (length(d) < length(shortest)) shortest = d;
  for (int i = 0; i < 4; ++i) {
    auto& child = children[4 + i];
    child = {4 + kDiagonals[shortest][0], 4 + kDiagonals[shortest][1], 4 + kCircles[shortest][i],
             4 + kCircles[shortest][(i + 1) % 4]};
    if (mesh::tet_volume(tet.rest[child[0]], tet.rest[child[1]], tet.rest[child[2]], tet.rest[child[3]]) < 0)
      std::swap(child[2], child[3]);
  }
  return children;
}

/// Input triangles under the faces of a child: that of the parent's face which it is a part of, or none.
std::array<std::int32_t, 4> sources_of(const std::array<int, 4>& child, const std::array<std::int32_t, 4>& parent) {
  std::array<std::int32_t, 4> sources{};
  for (int k = 0; k < 4; ++k) {
    unsigned corners = 0;
    for (const int c : mesh::kFaceCorners[k]) corners |= corners_of_place(child[c]);
    const unsigned missing = ~corners & 0xFU;
    sources[k] = missing == 0 ? mesh::kNoSourceTriangle : parent[std::countr_zero(missing)];
  }
  return sources;
}

/// Children with a corner that this rank owns.
void add_elements(const Mesh& mesh, const NodeField<std::int64_t>& new_id, const std::vector<Middle>& edges,
                  Records& records) {
  InitialRows rows(mesh.field_list());
  const auto& source = mesh.field(kFaceSource);
  const auto& group = mesh.field(kTetGroup);
  const auto* strength = mesh.find_field(kStrengthFactor);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const DividedTet tet = divide(mesh, new_id, edges, e);
    const auto children = children_of(tet);
    for (int k = 0; k < 8; ++k) {
      const auto is_mine = [&](int place) { return tet.owner[place] == mesh.comm().rank(); };
      if (std::none_of(children[k].begin(), children[k].end(), is_mine)) continue;
      ElementRecord record;
      record.id = GlobalElement(8 * mesh.element_id[e].value + k);
      for (int c = 0; c < 4; ++c) record.corners[c] = tet.id[children[k][c]];
      record.material = mesh.material_of[e];
      records.elements.push_back(record);
      append(records.element_fields, rows.of_element(sources_of(children[k], source[e]), group[e],
                                                     strength ? (*strength)[e] : kStrengthFactor.initial));
    }
  }
}

/// The corners of those children.
void add_nodes(const Mesh& mesh, const NodeField<std::int64_t>& new_id, const std::vector<Middle>& edges,
               Records& records) {
  std::vector<std::int64_t> wanted;
  wanted.reserve(4 * records.elements.size());
  for (const ElementRecord& element : records.elements)
    for (const GlobalNode n : element.corners) wanted.push_back(n.value);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  InitialRows rows(mesh.field_list());
  const auto& regions = mesh.field(kRegions);
  const auto add = [&](std::int64_t id, LocalNode a, LocalNode b) {
    if (!std::binary_search(wanted.begin(), wanted.end(), id)) return;
    NodeRecord record;
    record.id = GlobalNode(id);
    record.owner = mesh.owner[a];
    for (int k = 0; k < 3; ++k) {
      record.rest[k] = 0.5 * (mesh.rest[a][k] + mesh.rest[b][k]);
      record.position[k] = 0.5 * (mesh.motion[a].position[k] + mesh.motion[b].position[k]);
      record.velocity[k] = 0.5 * (mesh.motion[a].velocity[k] + mesh.motion[b].velocity[k]);
    }
    records.nodes.push_back(record);
    append(records.node_fields, rows.of_node(regions[a] & regions[b]));
  };
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n)) add(new_id[n], n, n);
  for (const Middle& edge : edges) add(edge.id.value, edge.low, edge.high);
}

MeshFacts refined_facts(const Mesh& mesh, const std::vector<Middle>& edges, const Records& records) {
  MeshFacts facts = mesh.facts;
  std::int64_t owned = 0;
  for (const Middle& edge : edges) owned += mesh.is_owned(edge.low) ? 1 : 0;
  facts.next_node_id += mesh.comm().sum(owned);
  facts.next_element_id *= 8;
  facts.num_uncut = facts.next_element_id;
  std::vector<std::pair<std::int64_t, Vec3>> place;
  place.reserve(records.nodes.size());
  for (const NodeRecord& node : records.nodes)
    place.emplace_back(node.id.value, Vec3(node.rest[0], node.rest[1], node.rest[2]));
  std::sort(place.begin(), place.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto at = [&](GlobalNode n) {
    return std::lower_bound(place.begin(), place.end(), n.value, [](const auto& p, auto id) { return p.first < id; })
        ->second;
  };
  std::fill(facts.max_inverse_altitudes_squared.begin(), facts.max_inverse_altitudes_squared.end(), 0);
  for (const ElementRecord& e : records.elements) {
    const auto shape = elements::rest_shape(at(e.corners[0]), at(e.corners[1]), at(e.corners[2]), at(e.corners[3]));
    double& largest = facts.max_inverse_altitudes_squared[e.material];
    largest = std::max(largest, shape.inverse_altitudes_squared);
  }
  for (double& largest : facts.max_inverse_altitudes_squared) largest = mesh.comm().max(largest);
  return facts;
}

}  // namespace

void refine(Mesh& mesh) {
  core::agree(mesh.comm(), [&] {
    constexpr std::int64_t kMostTets = std::numeric_limits<std::int32_t>::max() / 10;
    if (8 * static_cast<std::int64_t>(mesh.num_element_slots()) > kMostTets)
      throw core::Error("a rank would hold more than " + std::to_string(kMostTets) +
                        " tets once they are refined. Use more ranks, or refine less (object.mesh.refine).");
  });
  std::vector<Middle> edges = held_edges(mesh);
  const NodeField<std::int64_t> new_id = new_node_ids(mesh, edges);
  number_middles(mesh, new_id, edges);
  Records records;
  add_elements(mesh, new_id, edges, records);
  add_nodes(mesh, new_id, edges, records);
  MeshFacts facts = refined_facts(mesh, edges, records);
  edges = {};
  mesh = Mesh(mesh.comm(), std::move(mesh.materials), std::move(facts), mesh.caps_damping_ratio(), mesh.field_list(),
              records);
}

}  // namespace brisance::dist
