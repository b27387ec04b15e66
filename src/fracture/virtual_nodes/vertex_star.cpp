#include "vertex_star.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brisance::fracture {

VirtualNodes::VirtualNodes(const dist::Mesh& mesh) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n) && !dist::is_real(mesh, n))
      add(dist::vertex_of(mesh, n), mesh.node_id[n]);
}

std::vector<LocalNode> VirtualNodes::nodes_at(const dist::Mesh& mesh, GlobalNode vertex) const {
  std::vector<LocalNode> nodes;
  if (const LocalNode real = mesh.find(vertex); real.valid()) nodes.push_back(real);
  if (const auto found = of_vertex_.find(vertex); found != of_vertex_.end())
    for (const GlobalNode id : found->second)
      if (const LocalNode n = mesh.find(id); n.valid()) nodes.push_back(n);
  return nodes;
}

std::vector<StarTet> tets_around(const dist::Mesh& mesh, const VirtualNodes& nodes, GlobalNode vertex) {
  std::map<GlobalElement, StarTet> star;
  for (const LocalNode n : nodes.nodes_at(mesh, vertex))
    for (const std::int32_t slot : mesh.star(n)) {
      const LocalElement e(slot);
      const dist::Division& division = mesh.field(dist::kDivision)[e];
      StarTet& tet = star[dist::tet_of(mesh, e)];
      tet.copy[static_cast<std::size_t>(division.block)] = e;
      tet.partition = division.partition;
      for (int i = 0; i < 4; ++i) tet.vertex[static_cast<std::size_t>(i)] = dist::vertex_of(mesh, mesh.corner(e, i));
    }
  std::vector<StarTet> list;
  for (auto& [id, tet] : star) {
    tet.tet = id;
    tet.at = tet.place_of(vertex);
    list.push_back(tet);
  }
  return list;
}

std::vector<StarFace> faces_between(std::span<const StarTet> star) {
  std::map<std::pair<GlobalNode, GlobalNode>, std::pair<int, int>>
      open;  // the face's other two vertices: tet, opposite
  std::vector<StarFace> faces;
  for (int t = 0; t < static_cast<int>(star.size()); ++t) {
    const StarTet& tet = star[static_cast<std::size_t>(t)];
    for (int opposite = 0; opposite < 4; ++opposite) {
      if (opposite == tet.at) continue;
      std::array<GlobalNode, 2> others;
      auto other = others.begin();
      for (int i = 0; i < 4; ++i)
        if (i != opposite && i != tet.at) *other++ = tet.vertex[static_cast<std::size_t>(i)];
      const auto [entry, is_new] = open.try_emplace(std::minmax(others[0], others[1]), t, opposite);
      if (!is_new) faces.push_back({entry->second.first, entry->second.second, t, opposite});
    }
  }
  return faces;
}

}  // namespace brisance::fracture
