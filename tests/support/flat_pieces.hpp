/// Conditions on every set of flat pieces.
#pragma once

#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"

#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::test {

using RimEdge = std::pair<std::int32_t, std::int32_t>;

/// Edges of one triangle, in its direction.
inline std::vector<RimEdge> rim(const mesh::Surface& surface) {
  std::map<RimEdge, int> sides;
  for (const auto& t : surface.triangles)
    for (int k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
  std::vector<RimEdge> edges;
  for (const auto& [edge, count] : sides)
    if (!sides.contains({edge.second, edge.first})) edges.push_back(edge);
  return edges;
}

/// Counter-clockwise, and bounded by closed curves: one edge of the rim leaves each of its vertices.
inline void expect_flat(const mesh::PieceSurface& piece) {
  const mesh::SurfaceReport report = mesh::check_surface(piece.surface);
  EXPECT_EQ(report.num_nonmanifold_edges, 0);
  EXPECT_EQ(report.num_nonmanifold_vertices, 0);
  EXPECT_EQ(report.num_misoriented_edges, 0);
  for (const auto& [a, b, c] : piece.surface.triangles) {
    const auto& x = piece.surface.vertices;
    EXPECT_GT((x[b] - x[a]).cross(x[c] - x[a]).z(), 0);
  }
  std::map<std::int32_t, int> leaving, arriving;
  for (const auto& [from, to] : rim(piece.surface)) ++leaving[from], ++arriving[to];
  EXPECT_EQ(leaving, arriving);
  for (const auto& [vertex, count] : leaving) EXPECT_EQ(count, 1) << "vertex " << vertex;
  EXPECT_EQ(piece.neighbour.size(), piece.surface.triangles.size());
  EXPECT_EQ(piece.surface.source_face.size(), piece.surface.triangles.size());
}

}  // namespace brisance::test
