/// Solids of labelled tets: manifold for any labels, and nothing of the object lost.
#include "brisance/modes/pieces/pieces_surface.hpp"

#include "support/kuhn.hpp"
#include "support/solids.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

std::vector<std::int32_t> random_labels(std::size_t count, int num_labels, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int32_t> label(count);
  for (auto& l : label) l = static_cast<std::int32_t>(random() % static_cast<unsigned>(num_labels));
  return label;
}

/// Boundary faces of each label, counted without neighbours or walks: sides that occur once within the label.
std::size_t num_boundary_faces(const mesh::TetMesh& mesh, const std::vector<std::int32_t>& label) {
  std::map<std::array<std::int32_t, 4>, int> count;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const auto& f : mesh::kFaceCorners) {
      std::array<std::int32_t, 3> face{mesh.tets[t][f[0]], mesh.tets[t][f[1]], mesh.tets[t][f[2]]};
      std::ranges::sort(face);
      ++count[{label[t], face[0], face[1], face[2]}];
    }
  return static_cast<std::size_t>(std::ranges::count_if(count, [](const auto& entry) { return entry.second == 1; }));
}

std::size_t num_triangles(const std::vector<mesh::PieceSurface>& pieces) {
  std::size_t sum = 0;
  for (const auto& p : pieces) sum += p.surface.triangles.size();
  return sum;
}

TEST(PieceSurfaces, OneLabelGivesTheBoundaryItself) {
  const mesh::TetMesh box = test::kuhn_box(3, 2, 2, 3, 2, 2);
  const auto pieces = piece_surfaces(box, std::vector<std::int32_t>(box.tets.size(), 0), 1);
  ASSERT_EQ(pieces.size(), 1u);
  test::expect_solid(pieces[0]);
  EXPECT_TRUE(mesh::check_surface(pieces[0].surface).meshable());
  EXPECT_NEAR(mesh::enclosed_volume_m3(pieces[0].surface), 12, 1e-12);
  EXPECT_NEAR(test::outside_area(pieces), 32, 1e-12);
  std::set<std::int32_t> sources(pieces[0].surface.source_face.begin(), pieces[0].surface.source_face.end());
  EXPECT_EQ(sources.size(), pieces[0].surface.triangles.size());  // each boundary face once
  EXPECT_FALSE(sources.contains(mesh::kNoSourceTriangle));
}

TEST(PieceSurfaces, TwoTetsAtOneEdgeHaveVerticesOfTheirOwn) {
  mesh::TetMesh m;
  m.nodes = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}};
  m.tets = {{0, 2, 3, 1}, {0, 4, 5, 1}};
  const auto pieces = piece_surfaces(m, std::vector<std::int32_t>{0, 0}, 1);
  test::expect_solid(pieces[0]);
  EXPECT_EQ(pieces[0].surface.vertices.size(), 8u);
  EXPECT_NEAR(mesh::enclosed_volume_m3(pieces[0].surface), 1.0 / 3, 1e-15);
}

// Where the two fans of a pinched edge are connected around both of its ends, both copies of the edge would have the
// same ends: they need their own middles. With three cells of four in one label that is common.
TEST(PieceSurfaces, APinchedEdgeBetweenJoinedEndsIsManifold) {
  const mesh::TetMesh box = test::kuhn_box(4, 4, 4, 4, 4, 4);
  std::size_t num_with_fans = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    auto label = random_labels(box.tets.size(), 4, seed);
    for (auto& l : label) l = std::min(l, 1);
    const auto pieces = piece_surfaces(box, label, 2);
    for (const auto& piece : pieces) test::expect_solid(piece);
    EXPECT_NEAR(test::total_volume_m3(pieces), 64, 1e-11);
    if (num_triangles(pieces) > num_boundary_faces(box, label)) ++num_with_fans;
  }
  EXPECT_GT(num_with_fans, 0u);
}

TEST(PieceSurfaces, RandomLabelsLoseNothing) {
  const mesh::TetMesh box = test::kuhn_box(5, 4, 4, 1, 0.8, 0.8);
  for (const int num_labels : {2, 3, 7}) {
    const auto label = random_labels(box.tets.size(), num_labels, 17);
    const auto pieces = piece_surfaces(box, label, num_labels);
    for (const auto& piece : pieces) test::expect_solid(piece);
    test::expect_matching_cracks(pieces);
    EXPECT_NEAR(test::total_volume_m3(pieces) / 0.64, 1, 1e-12);
    EXPECT_NEAR(test::outside_area(pieces), 2 * (0.8 + 0.8 + 0.64), 1e-12);
  }
}

TEST(PieceSurfaces, OutsideTrianglesLieOnTheirSource) {
  const mesh::TetMesh box = test::kuhn_box(3, 3, 3, 1, 1, 1);
  std::map<std::int32_t, std::array<Vec3, 3>> source;
  for (std::size_t t = 0; t < box.tets.size(); ++t)
    for (int f = 0; f < 4; ++f)
      if (box.face_source[t][f] != mesh::kNoSourceTriangle)
        for (int k = 0; k < 3; ++k) source[box.face_source[t][f]][k] = box.nodes[box.tets[t][mesh::kFaceCorners[f][k]]];
  for (const auto& piece : piece_surfaces(box, random_labels(box.tets.size(), 3, 5), 3))
    for (std::size_t t = 0; t < piece.neighbour.size(); ++t) {
      const std::int32_t from = piece.surface.source_face[t];
      ASSERT_EQ(from == mesh::kNoSourceTriangle, piece.neighbour[t] != mesh::kNoNeighbour);
      if (from == mesh::kNoSourceTriangle) continue;
      const auto& [a, b, c] = source.at(from);
      const Vec3 normal = (b - a).cross(c - a);
      for (const std::int32_t v : piece.surface.triangles[t])
        EXPECT_NEAR(normal.dot(piece.surface.vertices[v] - a), 0, 1e-15);
    }
}

}  // namespace
}  // namespace brisance::modes
