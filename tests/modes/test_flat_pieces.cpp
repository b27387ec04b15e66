/// Labelled triangles as pieces, along edges of the mesh and smoothed.
#include "brisance/core/error.hpp"
#include "brisance/mesh/generate/generate_plane.hpp"
#include "brisance/modes/pieces/flat_pieces.hpp"
#include "brisance/modes/pieces/smooth.hpp"

#include "support/flat_bell.hpp"
#include "support/flat_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

Vec3 centre(const mesh::PlaneMesh& plane, std::size_t t) {
  const auto& [a, b, c] = plane.surface.triangles[t];
  return (plane.surface.vertices[a] + plane.surface.vertices[b] + plane.surface.vertices[c]) / 3;
}

mesh::PlaneMesh square(double edge_m) {
  mesh::Request request;
  request.edge_length_m = edge_m;
  mesh::PlaneReport report;
  return mesh::generate_plane(request, report);
}

double rim_length(const mesh::Surface& surface) {
  double sum = 0;
  for (const auto& [a, b] : test::rim(surface)) sum += (surface.vertices[b] - surface.vertices[a]).norm();
  return sum;
}

TEST(FlatPieces, OfABoardOfSquaresTouchAtVerticesOfTheirOwn) {
  const mesh::PlaneMesh bell = test::flat_bell();
  std::vector<std::int32_t> label;
  for (std::size_t t = 0; t < bell.surface.triangles.size(); ++t) {
    const Vec3 x = centre(bell, t);
    label.push_back((static_cast<int>(x.x()) + static_cast<int>(x.y())) % 2);
  }
  const auto pieces = flat_pieces(bell, label, 2);
  ASSERT_EQ(pieces.size(), 2u);
  double area = 0;
  for (const auto& piece : pieces) {
    test::expect_flat(piece);
    area += mesh::area_m2(piece.surface);
    // Every square by itself: four vertices and four edges of the rim, although they meet in corners.
    EXPECT_EQ(piece.surface.vertices.size(), 2 * piece.surface.triangles.size());
    EXPECT_NEAR(rim_length(piece.surface), 2.0 * static_cast<double>(piece.surface.triangles.size()), 1e-12);
  }
  EXPECT_NEAR(area, 22, 1e-12);
  EXPECT_EQ(pieces[0].surface.source_face[0], 0);
}

TEST(FlatPieces, AJaggedCrackBecomesStraight) {
  const mesh::PlaneMesh plane = square(0.05);
  std::vector<std::int32_t> label;
  for (std::size_t t = 0; t < plane.surface.triangles.size(); ++t)
    label.push_back(centre(plane, t).dot(Vec3(1, 0.3, 0)) > 0.05 ? 1 : 0);
  const double straight = std::hypot(1, 0.3);
  const auto crack_length = [](const std::vector<mesh::PieceSurface>& pieces) {
    return (rim_length(pieces[0].surface) + rim_length(pieces[1].surface) - 4) / 2;
  };
  EXPECT_GT(crack_length(flat_pieces(plane, label, 2)), 1.15 * straight);
  const SmoothedPlane smoothed = smooth_pieces(plane, label, 2, 0.01);
  const auto pieces = flat_pieces(smoothed.mesh, smoothed.label, 2);
  for (const auto& piece : pieces) test::expect_flat(piece);
  EXPECT_LT(crack_length(pieces), 1.03 * straight);
  EXPECT_NEAR(mesh::area_m2(pieces[0].surface) + mesh::area_m2(pieces[1].surface), 1, 1e-12);
}

TEST(FlatPieces, ManySmoothedLabelsFillTheSquare) {
  const mesh::PlaneMesh plane = square(0.04);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> coordinate(-0.5, 0.5);
  std::vector<Vec3> sites;
  for (int i = 0; i < 15; ++i) sites.emplace_back(coordinate(random), coordinate(random), 0);
  std::vector<std::int32_t> label;
  for (std::size_t t = 0; t < plane.surface.triangles.size(); ++t)
    label.push_back(static_cast<std::int32_t>(
        std::ranges::min_element(sites, {}, [&](const Vec3& s) { return (s - centre(plane, t)).norm(); }) -
        sites.begin()));
  for (const double lambda_m2 : {0.0, 1e-3}) {
    const SmoothedPlane smoothed = smooth_pieces(plane, label, 15, lambda_m2);
    mesh::PieceSurface whole;
    whole.surface = smoothed.mesh.surface;
    whole.neighbour.assign(whole.surface.triangles.size(), mesh::kNoNeighbour);
    test::expect_flat(whole);
    EXPECT_EQ(mesh::check_surface(whole.surface).num_self_intersections, 0);
    EXPECT_NEAR(rim_length(whole.surface), 4, 1e-12);
    double area = 0;
    for (const auto& piece : flat_pieces(smoothed.mesh, smoothed.label, 15)) {
      test::expect_flat(piece);
      area += mesh::area_m2(piece.surface);
    }
    EXPECT_NEAR(area, 1, 1e-12);
  }
  EXPECT_THROW((void)smooth_pieces(plane, label, 15, -1), core::Error);
}

}  // namespace
}  // namespace brisance::modes
