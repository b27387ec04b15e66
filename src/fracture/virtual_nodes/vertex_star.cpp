#include "vertex_star.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
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
  std::vector<std::pair<GlobalElement, LocalElement>> copies;  // with their tet
  for (const LocalNode n : nodes.nodes_at(mesh, vertex))
    for (const std::int32_t slot : mesh.star(n)) {
      const LocalElement e(slot);
      copies.emplace_back(dist::tet_of(mesh, e), e);
    }
  std::ranges::sort(copies, {}, &std::pair<GlobalElement, LocalElement>::first);
  std::vector<StarTet> star;
  for (const auto& [id, e] : copies) {
    const dist::Division& division = mesh.field(dist::kDivision)[e];
    if (star.empty() || star.back().tet != id) {
      StarTet& tet = star.emplace_back();
      tet.tet = id;
      tet.partition = division.partition;
      for (int i = 0; i < 4; ++i) tet.vertex[at(i)] = dist::vertex_of(mesh, mesh.corner(e, i));
      tet.at = tet.place_of(vertex);
    }
    star.back().copy[static_cast<std::size_t>(division.block)] = e;
  }
  return star;
}

std::vector<StarFace> faces_between(std::span<const StarTet> star) {
  struct Side {
    GlobalNode low, high;  ///< the face's other two vertices
    int tet, opposite;
  };
  std::vector<Side> sides;
  for (int t = 0; t < static_cast<int>(star.size()); ++t) {
    const StarTet& tet = star[at(t)];
    for (int opposite = 0; opposite < 4; ++opposite) {
      if (opposite == tet.at) continue;
      std::array<GlobalNode, 2> others;
      auto other = others.begin();
      for (int i = 0; i < 4; ++i)
        if (i != opposite && i != tet.at) *other++ = tet.vertex[at(i)];
      sides.push_back({std::min(others[0], others[1]), std::max(others[0], others[1]), t, opposite});
    }
  }
  std::ranges::sort(sides, {}, [](const Side& s) { return std::tuple(s.low, s.high, s.tet); });
  std::vector<StarFace> faces;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side &a = sides[i], &b = sides[i + 1];
    if (a.low == b.low && a.high == b.high) faces.push_back({a.tet, a.opposite, b.tet, b.opposite});
  }
  std::ranges::sort(faces, {}, [](const StarFace& face) { return std::pair(face.b, face.opposite_b); });
  return faces;
}

}  // namespace brisance::fracture
