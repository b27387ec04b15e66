/// Cells and the faces between them.
#include "brisance/modes/cell_graph.hpp"

#include "brisance/core/error.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace brisance::modes {

namespace {

/// One side of a face: its corners, ascending, and the cell.
struct Side {
  std::array<std::int32_t, 3> corners;
  std::int32_t cell;
};

double triangle_area(const mesh::TetMesh& mesh, const std::array<std::int32_t, 3>& corners) {
  const Vec3& a = mesh.nodes[corners[0]];
  return (mesh.nodes[corners[1]] - a).cross(mesh.nodes[corners[2]] - a).norm() / 2;
}

}  // namespace

CellGraph cell_graph(const mesh::TetMesh& mesh) {
  CellGraph graph;
  std::vector<Side> sides;
  sides.reserve(4 * mesh.tets.size());
  for (std::int32_t cell = 0; cell < static_cast<std::int32_t>(mesh.tets.size()); ++cell) {
    const auto& tet = mesh.tets[cell];
    graph.volume.push_back(
        mesh::tet_volume(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]));
    for (const auto& face : mesh::kFaceCorners) {
      Side side{{tet[face[0]], tet[face[1]], tet[face[2]]}, cell};
      std::sort(side.corners.begin(), side.corners.end());
      sides.push_back(side);
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& x, const Side& y) { return std::tie(x.corners, x.cell) < std::tie(y.corners, y.cell); });
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    if (sides[i].corners != sides[i + 1].corners) continue;
    if (i + 2 < sides.size() && sides[i + 2].corners == sides[i].corners)
      throw core::Error("Three tets share one face (tets " + std::to_string(sides[i].cell) + ", " +
                        std::to_string(sides[i + 1].cell) + " and " + std::to_string(sides[i + 2].cell) +
                        "). A mesh of a solid has at most two; mesh its surface again.");
    graph.faces.push_back({sides[i].cell, sides[i + 1].cell, triangle_area(mesh, sides[i].corners)});
  }
  std::sort(graph.faces.begin(), graph.faces.end(),
            [](const Face& x, const Face& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return graph;
}

std::vector<std::int32_t> connected_parts(const CellGraph& graph) {
  std::vector<std::int32_t> root(graph.volume.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t c) {
    while (root[c] != c) c = root[c] = root[root[c]];
    return c;
  };
  for (const Face& f : graph.faces) {
    const std::int32_t a = find(f.a), b = find(f.b);
    root[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::int32_t> part(graph.volume.size());
  std::int32_t num_parts = 0;
  for (std::int32_t c = 0; c < graph.num_cells(); ++c) part[c] = root[c] == c ? num_parts++ : part[find(c)];
  return part;
}

}  // namespace brisance::modes
