#include "brisance/mesh/tets/connected_parts.hpp"

#include <algorithm>
#include <numeric>

namespace brisance::mesh {

std::vector<std::int32_t> lowest_connected_nodes(const TetMesh& mesh) {
  std::vector<std::int32_t> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](std::int32_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const auto& tet : mesh.tets)
    for (const std::int32_t corner : tet) {
      const auto [low, high] = std::minmax({root(tet[0]), root(corner)});
      parent[high] = low;
    }
  for (std::size_t node = 0; node < parent.size(); ++node) parent[node] = root(static_cast<std::int32_t>(node));
  return parent;
}

std::int64_t num_connected_parts(const TetMesh& mesh) {
  const std::vector<std::int32_t> lowest = lowest_connected_nodes(mesh);
  std::vector<char> has_tets(mesh.nodes.size(), 0);
  for (const auto& tet : mesh.tets) has_tets[lowest[tet[0]]] = 1;
  return std::ranges::count(has_tets, 1);
}

}  // namespace brisance::mesh
