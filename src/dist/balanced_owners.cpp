#include "brisance/dist/balanced_owners.hpp"

#include "brisance/la/partition.hpp"

#include <utility>
#include <vector>

namespace brisance::dist {

NodeField<std::int32_t> balanced_owners(const Mesh& mesh, const NodeWork& work) {
  const NodeNumbering numbering = number_nodes(mesh);
  std::vector<std::int32_t> slots(static_cast<std::size_t>(numbering.count));
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n))
      slots[static_cast<std::size_t>(numbering.number[n] - numbering.first)] = i;
  la::GraphPart graph;
  graph.num_weights = work.num_kinds;
  NodeField<std::int32_t> last_seen_from(mesh.node_id.size(), 0);  // so that each neighbour is listed once
  graph.first.push_back(0);
  for (const std::int32_t i : slots) {
    const Vec3 place(mesh.motion[LocalNode(i)].position);
    graph.place.push_back(place.allFinite() ? place : Vec3(Vec3::Zero()));  // the step that made it reports it
    last_seen_from[LocalNode(i)] = i;
    for (const std::int32_t e : mesh.star(LocalNode(i)))
      for (const LocalNode n : mesh.corners(LocalElement(e)))
        if (std::exchange(last_seen_from[n], i) != i) graph.neighbours.push_back(numbering.number[n]);
    graph.first.push_back(static_cast<std::int64_t>(graph.neighbours.size()));
    const auto row = work.work.begin() + static_cast<std::ptrdiff_t>(i) * work.num_kinds;
    graph.weights.insert(graph.weights.end(), row, row + work.num_kinds);
  }
  const std::vector<std::int32_t> part = la::balanced_parts(mesh.comm(), graph);
  NodeField<std::int32_t> owner(mesh.node_id.size(), -1);
  for (std::size_t row = 0; row < part.size(); ++row) owner[LocalNode(slots[row])] = part[row];
  return owner;
}

}  // namespace brisance::dist
