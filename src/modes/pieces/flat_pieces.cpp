/// Corners of triangles that are connected around a vertex through edges inside the piece form one vertex of it.
#include "brisance/modes/pieces/flat_pieces.hpp"

#include "brisance/modes/body/cell_graph.hpp"

#include <algorithm>

namespace brisance::modes {

namespace {

/// For each corner 3t + k the lowest corner that is the same vertex of a piece.
std::vector<std::int32_t> corners_by_vertex(const mesh::PlaneMesh& plane, std::span<const std::int32_t> label) {
  const auto& triangles = plane.surface.triangles;
  std::vector<std::int32_t> root;
  for (std::int32_t corner = 0; corner < static_cast<std::int32_t>(3 * triangles.size()); ++corner)
    root.push_back(corner);
  const auto find = [&](std::int32_t corner) {
    while (root[corner] != corner) corner = root[corner] = root[root[corner]];
    return corner;
  };
  for (const Face& edge : cell_graph(simplices(plane)).faces) {
    if (label[edge.a] != label[edge.b]) continue;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (triangles[edge.a][i] == triangles[edge.b][j]) {
          const std::int32_t p = find(3 * edge.a + i), q = find(3 * edge.b + j);
          root[std::max(p, q)] = std::min(p, q);
        }
  }
  for (std::int32_t corner = 0; corner < static_cast<std::int32_t>(root.size()); ++corner) root[corner] = find(corner);
  return root;
}

}  // namespace

std::vector<mesh::PieceSurface> flat_pieces(const mesh::PlaneMesh& plane, std::span<const std::int32_t> label,
                                            std::int32_t num_labels) {
  constexpr std::int32_t kNone = -1;
  const std::vector<std::int32_t> vertex = corners_by_vertex(plane, label);
  std::vector<std::int32_t> number(vertex.size(), kNone);
  std::vector<mesh::PieceSurface> pieces(num_labels);
  for (std::int32_t l = 0; l < num_labels; ++l) pieces[l].label = l;
  for (std::size_t t = 0; t < plane.surface.triangles.size(); ++t) {
    mesh::PieceSurface& piece = pieces[label[t]];
    std::array<std::int32_t, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::int32_t& mine = number[vertex[3 * t + k]];
      if (mine == kNone) {
        mine = static_cast<std::int32_t>(piece.surface.vertices.size());
        piece.surface.vertices.push_back(plane.surface.vertices[plane.surface.triangles[t][k]]);
      }
      triangle[k] = mine;
    }
    piece.surface.triangles.push_back(triangle);
    piece.surface.source_face.push_back(plane.surface.source_face[t]);
    piece.neighbour.push_back(mesh::kNoNeighbour);
  }
  return pieces;
}

}  // namespace brisance::modes
