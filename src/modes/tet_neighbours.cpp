#include "modes/tet_neighbours.hpp"

#include "brisance/modes/cell_graph.hpp"

#include <algorithm>

namespace brisance::modes {

namespace {

/// The corner of `tet` that is not a corner of `other`; the two share a face.
int opposite_corner(const std::array<std::int32_t, 4>& tet, const std::array<std::int32_t, 4>& other) {
  int corner = 0;
  while (std::ranges::find(other, tet[corner]) != other.end()) ++corner;
  return corner;
}

}  // namespace

std::vector<std::array<std::int32_t, 4>> tet_neighbours(const mesh::TetMesh& mesh) {
  std::vector<std::array<std::int32_t, 4>> neighbours(mesh.tets.size(), {kNoTet, kNoTet, kNoTet, kNoTet});
  for (const Face& face : cell_graph(mesh).faces) {
    neighbours[face.a][opposite_corner(mesh.tets[face.a], mesh.tets[face.b])] = face.b;
    neighbours[face.b][opposite_corner(mesh.tets[face.b], mesh.tets[face.a])] = face.a;
  }
  return neighbours;
}

}  // namespace brisance::modes
