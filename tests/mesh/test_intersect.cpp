/// Pieces of a cage cut back to a body, against volumes and areas in closed form.
#include "brisance/core/error.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/mesh/tets/intersect.hpp"

#include "support/solids.hpp"

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

Surface box(const Vec3& size, const Vec3& centre, double edge_m) {
  Request request;
  request.size = size;
  Surface surface = make_shape(request, edge_m);
  for (Vec3& x : surface.vertices) x += centre;
  return surface;
}

/// One half of the box [−1, 1]³, below or above the plane x = cut: triangles on it are crack.
PieceSurface half(double cut, bool below) {
  PieceSurface piece;
  const double from = below ? -1 : cut, to = below ? cut : 1;
  piece.surface = box({to - from, 2, 2}, {(from + to) / 2, 0, 0}, 1);
  piece.label = below ? 0 : 1;
  for (std::size_t t = 0; t < piece.surface.triangles.size(); ++t) {
    bool on_cut = true;
    for (const auto v : piece.surface.triangles[t]) on_cut &= std::abs(piece.surface.vertices[v][0] - cut) < 1e-12;
    piece.neighbour.push_back(on_cut ? 1 - piece.label : kNoNeighbour);
    if (on_cut) piece.surface.source_face[t] = kNoSourceTriangle;
  }
  return piece;
}

TEST(Intersect, TwoHalvesOfACageShareOutTheBody) {
  const Surface body = box({1, 1, 1}, {0, 0, 0}, 0.4);
  std::vector<PieceSurface> pieces;
  for (const bool below : {true, false})
    for (PieceSurface& p : intersect(half(0.137, below), body)) pieces.push_back(std::move(p));
  ASSERT_EQ(pieces.size(), 2u);
  for (const auto& piece : pieces) test::expect_solid(piece);
  EXPECT_NEAR(enclosed_volume_m3(pieces[0].surface), 0.637, 1e-12);
  EXPECT_NEAR(enclosed_volume_m3(pieces[1].surface), 0.363, 1e-12);
  EXPECT_NEAR(test::outside_area(pieces), 6, 1e-12);
  test::expect_matching_cracks(pieces);
  EXPECT_NEAR(test::shared_areas(pieces).at({0, 1}).area, 1, 1e-12);
}

TEST(Intersect, OutsideTrianglesArePartsOfTheBodysTriangles) {
  const Surface body = box({1, 1, 1}, {0, 0, 0}, 0.4);
  for (const PieceSurface& piece : intersect(half(0.137, true), body))
    for (std::size_t t = 0; t < piece.neighbour.size(); ++t) {
      const std::int32_t source = piece.surface.source_face[t];
      if (piece.neighbour[t] != kNoNeighbour) {
        EXPECT_EQ(source, kNoSourceTriangle);
        continue;
      }
      const auto& [a, b, c] = body.triangles[source];
      const Vec3 origin = body.vertices[a], u = body.vertices[b] - origin, v = body.vertices[c] - origin;
      const Vec3 normal = u.cross(v);
      for (const auto corner : piece.surface.triangles[t]) {
        const Vec3 x = piece.surface.vertices[corner] - origin;
        const double beta = x.cross(v).dot(normal) / normal.squaredNorm();
        const double gamma = u.cross(x).dot(normal) / normal.squaredNorm();
        EXPECT_NEAR(x.dot(normal), 0, 1e-15);
        EXPECT_GT(std::min({beta, gamma, 1 - beta - gamma}), -1e-12);
      }
    }
}

TEST(Intersect, APieceAllInsideStaysAndOneAllOutsideGoes) {
  const Surface body = box({1, 1, 1}, {0, 0, 0}, 0.5);
  PieceSurface inner;
  inner.surface = box({0.2, 0.2, 0.2}, {0.1, 0, 0}, 0.2);
  inner.surface.source_face.assign(inner.surface.triangles.size(), kNoSourceTriangle);
  inner.neighbour.assign(inner.surface.triangles.size(), 7);
  const auto kept = intersect(inner, body);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_NEAR(enclosed_volume_m3(kept[0].surface), 0.008, 1e-15);
  EXPECT_EQ(kept[0].neighbour, inner.neighbour);
  for (Vec3& x : inner.surface.vertices) x += Vec3(3, 0, 0);
  EXPECT_TRUE(intersect(inner, body).empty());
}

// A dumb-bell whose bar lies in another piece falls into two solids.
TEST(Intersect, APieceMayLeaveSeveralSolids) {
  Surface body = box({0.2, 0.2, 0.2}, {-0.6, 0, 0}, 0.2);
  const Surface second = box({0.2, 0.2, 0.4}, {-0.1, 0, 0}, 0.2);
  const auto shift = static_cast<std::int32_t>(body.vertices.size());
  body.vertices.insert(body.vertices.end(), second.vertices.begin(), second.vertices.end());
  for (const auto& [a, b, c] : second.triangles) {
    body.triangles.push_back({a + shift, b + shift, c + shift});
    body.source_face.push_back(static_cast<std::int32_t>(body.source_face.size()));
  }
  const auto pieces = intersect(half(0.9, true), body);
  ASSERT_EQ(pieces.size(), 2u);
  for (const auto& piece : pieces) test::expect_solid(piece);
  EXPECT_NEAR(test::total_volume_m3(pieces), 0.024, 1e-15);
}

TEST(Intersect, ABodyThatSticksOutIsAnError) {
  const Surface body = box({1, 1, 3}, {0, 0, 0}, 0.5);
  EXPECT_THROW((void)intersect(half(0.137, true), body), core::Error);
}

}  // namespace
}  // namespace brisance::mesh
