#include "refine.hpp"

#include "brisance/core/blocks.hpp"
#include "brisance/core/error.hpp"
#include "brisance/dist/mesh_fields.hpp"
#include "brisance/elements/rest_shape.hpp"

#include "curved_middles.hpp"
#include "divided_tet.hpp"
#include "initial_rows.hpp"
#include "middles.hpp"
#include "records.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace brisance::dist {

namespace {

/// For each of this rank's owned nodes, whose counts are given: the sum of the counts of all nodes of the mesh with
/// lower ids. Collective.
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

/// New ids of owned nodes and, via the halo, of ghosts; invalid elsewhere. Collective.
NodeField<std::int64_t> new_node_ids(const Mesh& mesh, const Middles& middles) {
  NodeField<std::int64_t> count(static_cast<std::size_t>(mesh.num_node_slots()), 1);  // a node and its middles
  for (const Middle& edge : middles.edges()) ++count[edge.low];
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

/// The nodes of a tet that is being divided.
struct DividedTet {
  std::array<GlobalNode, kNumPlaces> id;
  std::array<std::int32_t, kNumPlaces> owner{};
  Places straight;
};

DividedTet divide(const Mesh& mesh, const NodeField<std::int64_t>& new_id, const Middles& middles, LocalElement e) {
  DividedTet tet;
  const auto corners = mesh.corners(e);
  for (int k = 0; k < 4; ++k) {
    tet.id[k] = GlobalNode(new_id[corners[k]]);
    tet.owner[k] = mesh.owner[corners[k]];
  }
  for (int k = 0; k < 6; ++k) {
    const Middle& middle = middles.edges()[middles.find(corners[kEdges[k][0]], corners[kEdges[k][1]])];
    tet.id[4 + k] = middle.id;
    tet.owner[4 + k] = mesh.owner[middle.low];
  }
  tet.straight =
      straight_places({mesh.rest[corners[0]], mesh.rest[corners[1]], mesh.rest[corners[2]], mesh.rest[corners[3]]});
  return tet;
}

/// Input triangles under the faces of a child: that of the parent's face that contains the child's face, or none.
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

/// Adds the children with a corner that this rank owns.
void add_elements(const Mesh& mesh, const NodeField<std::int64_t>& new_id, const Middles& middles, Records& records) {
  InitialRows rows(mesh.field_list());
  const auto& source = mesh.field(kFaceSource);
  const auto& group = mesh.field(kTetGroup);
  const auto* strength = mesh.find_field(kStrengthFactor);
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i) {
    const LocalElement e(i);
    if (!mesh.is_held(e)) continue;
    const DividedTet tet = divide(mesh, new_id, middles, e);
    const auto children = children_of(tet.straight);
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

/// Adds the corners of those children.
void add_nodes(const Mesh& mesh, const NodeField<std::int64_t>& new_id, const Middles& middles, Records& records) {
  std::vector<std::int64_t> wanted;
  wanted.reserve(4 * records.elements.size());
  for (const ElementRecord& element : records.elements)
    for (const GlobalNode n : element.corners) wanted.push_back(n.value);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  InitialRows rows(mesh.field_list());
  const auto& regions = mesh.field(kRegions);
  const auto add = [&](std::int64_t id, LocalNode a, LocalNode b, const Way* way) {
    if (!std::binary_search(wanted.begin(), wanted.end(), id)) return;
    NodeRecord record;
    record.id = GlobalNode(id);
    record.owner = mesh.owner[a];
    for (int k = 0; k < 3; ++k) {
      record.rest[k] = 0.5 * (mesh.rest[a][k] + mesh.rest[b][k]);
      record.position[k] = 0.5 * (mesh.motion[a].position[k] + mesh.motion[b].position[k]);
      record.velocity[k] = 0.5 * (mesh.motion[a].velocity[k] + mesh.motion[b].velocity[k]);
    }
    for (int k = 0; k < 3 && way != nullptr && way->share() > 0; ++k) {
      record.rest[k] += way->share() * way->by[k];
      record.position[k] += way->share() * way->by[k];
      record.velocity[k] += way->share() * way->velocity[k];
    }
    records.nodes.push_back(record);
    append(records.node_fields, rows.of_node(regions[a] & regions[b]));
  };
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n)) add(new_id[n], n, n, nullptr);
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(middles.edges().size()); ++i) {
    const Middle& edge = middles.edges()[i];
    add(edge.id.value, edge.low, edge.high, middles.way(i));
  }
}

MeshFacts refined_facts(const Mesh& mesh, const Middles& middles, const Records& records) {
  MeshFacts facts = mesh.facts;
  std::int64_t owned = 0;
  for (const Middle& edge : middles.edges()) owned += mesh.is_owned(edge.low) ? 1 : 0;
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

void require_room(const Mesh& mesh) {
  core::agree(mesh.comm(), [&] {
    constexpr std::int64_t kMostTets = std::numeric_limits<std::int32_t>::max() / 10;
    if (8 * static_cast<std::int64_t>(mesh.num_element_slots()) > kMostTets)
      throw core::Error("a rank would hold more than " + std::to_string(kMostTets) +
                        " tets once they are refined. Use more ranks, or refine less (object.mesh.refine).");
  });
}

RefinementReport refine_once(Mesh& mesh, int times_before, const WayOfMiddle& way_of_middle) {
  require_room(mesh);
  RefinementReport report;
  Records records;
  MeshFacts facts;
  {
    Middles middles(mesh);
    const NodeField<std::int64_t> new_id = new_node_ids(mesh, middles);
    middles.number(new_id);
    if (way_of_middle) report = curve_middles(mesh, times_before, way_of_middle, middles);
    add_elements(mesh, new_id, middles, records);
    add_nodes(mesh, new_id, middles, records);
    facts = refined_facts(mesh, middles, records);
  }
  mesh = Mesh(mesh.comm(), std::move(mesh.materials), std::move(facts), mesh.caps_damping_ratio(), mesh.field_list(),
              records);
  return report;
}

}  // namespace

RefinementReport refine(Mesh& mesh, const DistributeOptions& options) {
  RefinementReport all;
  for (int i = 0; i < options.refinements; ++i) {
    const RefinementReport once = refine_once(mesh, i, options.way_of_middle);
    all.boundary += once.boundary;
    all.moved += once.moved;
    all.half_way += once.half_way;
    all.held += once.held;
    all.farthest_m = std::max(all.farthest_m, once.farthest_m);
  }
  return all;
}

}  // namespace brisance::dist
