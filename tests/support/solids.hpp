/// Conditions on every set of piece solids.
#pragma once

#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/tets/piece_surface.hpp"

#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::test {

/// Closed, 2-manifold, consistently oriented, facing outward.
inline void expect_solid(const mesh::PieceSurface& piece) {
  const mesh::SurfaceReport report = mesh::check_surface(piece.surface);
  EXPECT_EQ(report.num_open_edges, 0);
  EXPECT_EQ(report.num_nonmanifold_edges, 0);
  EXPECT_EQ(report.num_nonmanifold_vertices, 0);
  EXPECT_EQ(report.num_misoriented_edges, 0);
  EXPECT_GT(mesh::enclosed_volume_m3(piece.surface), 0);
  EXPECT_EQ(piece.neighbour.size(), piece.surface.triangles.size());
  EXPECT_EQ(piece.surface.source_face.size(), piece.surface.triangles.size());
}

inline double total_volume_m3(const std::vector<mesh::PieceSurface>& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), 0.0,
                         [](double sum, const auto& p) { return sum + mesh::enclosed_volume_m3(p.surface); });
}

/// Area vector of each piece towards each neighbour (kNoNeighbour: the outside), and the area itself.
struct SharedArea {
  Vec3 vector = Vec3::Zero();
  double area = 0;
};
inline std::map<std::pair<int, int>, SharedArea> shared_areas(const std::vector<mesh::PieceSurface>& pieces) {
  std::map<std::pair<int, int>, SharedArea> areas;
  for (int p = 0; p < static_cast<int>(pieces.size()); ++p)
    for (std::size_t t = 0; t < pieces[p].surface.triangles.size(); ++t) {
      const auto& [a, b, c] = pieces[p].surface.triangles[t];
      const auto& x = pieces[p].surface.vertices;
      const Vec3 area = (x[b] - x[a]).cross(x[c] - x[a]) / 2;
      auto& shared = areas[{p, pieces[p].neighbour[t]}];
      shared.vector += area;
      shared.area += area.norm();
    }
  return areas;
}

/// The area vector from p to q is minus that from q to p.
inline void expect_matching_cracks(const std::vector<mesh::PieceSurface>& pieces) {
  const auto areas = shared_areas(pieces);
  for (const auto& [pair, shared] : areas) {
    if (pair.second == mesh::kNoNeighbour) continue;
    const auto other = areas.find({pair.second, pair.first});
    ASSERT_NE(other, areas.end());
    EXPECT_NEAR(other->second.area, shared.area, 1e-12 * shared.area + 1e-15);
    EXPECT_NEAR((other->second.vector + shared.vector).norm(), 0, 1e-12);
  }
}

inline double outside_area(const std::vector<mesh::PieceSurface>& pieces) {
  double sum = 0;
  for (const auto& [pair, shared] : shared_areas(pieces))
    if (pair.second == mesh::kNoNeighbour) sum += shared.area;
  return sum;
}

}  // namespace brisance::test
