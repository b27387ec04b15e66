/// Slabs and prongs of a body cut by a plane, joined again.
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/mesh/tets/intersect.hpp"
#include "brisance/mesh/tets/join_small_pieces.hpp"

#include "support/solids.hpp"
#include "surface_files.hpp"

namespace brisance::mesh {
namespace {

Surface box(const Vec3& lower, const Vec3& upper, double edge_m) {
  Request request;
  request.size = upper - lower;
  Surface surface = make_shape(request, edge_m);
  for (Vec3& x : surface.vertices) x += (lower + upper) / 2;
  return surface;
}

/// The part of a body between two planes of constant x; label and neighbours count the slabs from 0.
std::vector<PieceSurface> slab(const Surface& body, double from, double to, std::int32_t label, std::int32_t last) {
  PieceSurface piece;
  piece.surface = box({from, -2, -2}, {to, 2, 2}, 0.7);
  piece.label = label;
  for (std::size_t t = 0; t < piece.surface.triangles.size(); ++t) {
    const auto on = [&](double cut) {
      return std::ranges::all_of(piece.surface.triangles[t],
                                 [&](std::int32_t v) { return std::abs(piece.surface.vertices[v][0] - cut) < 1e-12; });
    };
    piece.neighbour.push_back(on(from) && label > 0 ? label - 1 : on(to) && label < last ? label + 1 : kNoNeighbour);
    if (piece.neighbour.back() != kNoNeighbour) piece.surface.source_face[t] = kNoSourceTriangle;
  }
  return intersect(piece, body);
}

std::vector<PieceSurface> slabs(const Surface& body, const std::vector<double>& cuts) {
  std::vector<PieceSurface> pieces;
  const auto last = static_cast<std::int32_t>(cuts.size()) - 2;
  for (std::int32_t i = 0; i <= last; ++i)
    for (PieceSurface& piece : slab(body, cuts[i], cuts[i + 1], i, last)) pieces.push_back(std::move(piece));
  return pieces;
}

TEST(JoinSmallPieces, AThinSlabGoesBackToItsNeighbour) {
  std::vector<PieceSurface> pieces = slabs(box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 0.4), {-1, 0.1, 0.49, 1});
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(join_small_pieces(pieces, 0.005), 0);
  EXPECT_EQ(pieces.size(), 3u);
  EXPECT_EQ(join_small_pieces(pieces, 0.02), 0);
  ASSERT_EQ(pieces.size(), 2u);
  for (const auto& piece : pieces) test::expect_solid(piece);
  EXPECT_NEAR(enclosed_volume_m3(pieces[1].surface), 0.4, 1e-12);
  EXPECT_NEAR(test::outside_area(pieces), 6, 1e-12);
  test::expect_matching_cracks(pieces);
}

// A slab in the middle is joined to one side, and the other side gets that side as neighbour.
TEST(JoinSmallPieces, TheOtherNeighbourIsTold) {
  std::vector<PieceSurface> pieces = slabs(box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 0.4), {-1, 0.1, 0.11, 1});
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(join_small_pieces(pieces, 0.02), 0);
  ASSERT_EQ(pieces.size(), 2u);
  for (const auto& piece : pieces) test::expect_solid(piece);
  EXPECT_NEAR(test::total_volume_m3(pieces), 1, 1e-12);
  for (std::size_t p = 0; p < 2; ++p)
    for (const std::int32_t neighbour : pieces[p].neighbour)
      EXPECT_TRUE(neighbour == kNoNeighbour || neighbour == pieces[1 - p].label);
}

// Two prongs end at different heights: the short one's tip is joined to the short one.
TEST(JoinSmallPieces, ATipGoesToTheSolidItTouches) {
  const Surface body =
      test::joined(box({-0.5, -1, -0.2}, {0.5, -0.6, 0.2}, 0.3), box({-0.5, 0.6, -0.2}, {0.15, 1, 0.2}, 0.3));
  std::vector<PieceSurface> pieces = slabs(body, {-1, 0.14, 1});
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(join_small_pieces(pieces, 0.01), 0);
  ASSERT_EQ(pieces.size(), 3u);
  double short_prong = 0;
  for (const auto& piece : pieces) {
    test::expect_solid(piece);
    if (piece.surface.vertices[0][1] > 0) short_prong += enclosed_volume_m3(piece.surface);
  }
  EXPECT_NEAR(short_prong, 0.65 * 0.16, 1e-12);
  EXPECT_NEAR(test::total_volume_m3(pieces), 1.65 * 0.16, 1e-12);
}

TEST(JoinSmallPieces, WhatTouchesNothingStays) {
  const Surface body =
      test::joined(box({-0.5, -1, -0.2}, {0.5, -0.6, 0.2}, 0.3), box({0, 0.6, 0}, {0.1, 0.7, 0.1}, 0.1));
  std::vector<PieceSurface> pieces = slabs(body, {-1, 1});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(join_small_pieces(pieces, 0.01), 1);
  EXPECT_EQ(pieces.size(), 2u);
}

}  // namespace
}  // namespace brisance::mesh
