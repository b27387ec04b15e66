// Detection of creases among sharp edges, and their preservation by remeshing: on shapes with known creases.
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/plane/plane_mesh.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/remesh.hpp"

#include "mesh/surface/creases.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Triangles on a plane's unit square, its points moved: a piece of surface with an edge around it.
Surface sheet(int cells, const std::function<Vec3(double u, double v)>& at) {
  Surface made;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) made.vertices.push_back(at(double(i) / cells, double(j) / cells));
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = i + j * (cells + 1), b = a + 1, c = a + cells + 1, d = c + 1;
      made.triangles.push_back({a, b, d});
      made.triangles.push_back({a, d, c});
    }
  return made;
}

/// A prism along y, 1 long: its top is a roof whose ridge, above x = 0, turns by an angle.
Surface roof(double ridge_deg) {
  const double rise = std::tan(ridge_deg / 2 * kDegree) / 2;
  Surface made;
  for (const double y : {0.0, 1.0})
    for (const auto& [x, z] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.0}, {0.0, rise}, {-0.5, 0.0}})
      made.vertices.emplace_back(x, y, z);
  for (const int i : {1, 2, 3}) {
    made.triangles.push_back({0, i, i + 1});
    made.triangles.push_back({5, i + 6, i + 5});
  }
  for (int i = 0; i < 5; ++i) {
    const int j = (i + 1) % 5;
    made.triangles.push_back({i, i + 5, j + 5});
    made.triangles.push_back({i, j + 5, j});
  }
  return made;
}

/// Two flat pyramids on one square: its rim is sharp and turns at four corners, where nothing else is sharp.
Surface lens() {
  return {{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 0.4}, {0, 0, -0.4}},
          {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}},
          {}};
}

double distance_to_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
  const double share = std::clamp((x - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (a + share * (b - a) - x).norm();
}

/// Length of the surface's edges that lie along a line.
double length_along(const Surface& surface, const Vec3& a, const Vec3& b) {
  double length = 0;
  for (const auto& t : surface.triangles)
    for (int i = 0; i < 3; ++i) {
      const Vec3 &p = surface.vertices[t[i]], &q = surface.vertices[t[(i + 1) % 3]];
      if (distance_to_segment(p, a, b) < 1e-9 && distance_to_segment(q, a, b) < 1e-9) length += (q - p).norm() / 2;
    }
  return length;
}

double kept_m(const CreaseNet& net) {
  double length = 0;
  for (std::size_t e = 0; e < net.edges.size(); ++e) length += net.is_kept[e] ? net.length_m[e] : 0;
  return length;
}

double all_m(const CreaseNet& net) {
  double length = 0;
  for (const double l : net.length_m) length += l;
  return length;
}

TEST(Creases, ABoxHasTwelve) {
  const CreaseNet net = find_creases(make_shape({}, 0.1), 0.1, 30);
  EXPECT_NEAR(all_m(net), 12, 1e-9);
  EXPECT_NEAR(kept_m(net), 12, 1e-9);
  EXPECT_TRUE(net.corners.empty());  // three creases meet at each: they need no mark
  EXPECT_EQ(edge_that_keeps_m(net, 0.9), kKeepsAtAnySize);
}

TEST(Creases, APolylineThatTurnsHasACornerThere) {
  const CreaseNet net = find_creases(lens(), 0.2, 50);
  EXPECT_NEAR(kept_m(net), 4 * std::sqrt(2), 1e-12);
  std::vector<std::int32_t> corners = net.corners;
  std::sort(corners.begin(), corners.end());
  EXPECT_EQ(corners, (std::vector<std::int32_t>{0, 1, 2, 3}));
}

TEST(Creases, OfTwoThatAreTooNearOneIsGivenUpAndTheReportNamesTheSize) {
  // A sheet with a step 0.1 high and as good as vertical: two creases, one above the other.
  const Surface step = sheet(50, [](double u, double v) { return Vec3(u, v, u > 0.501 ? 0.1 : 0); });
  const CreaseNet fine = find_creases(step, 0.1, 30), coarse = find_creases(step, 0.24, 30);
  EXPECT_NEAR(kept_m(fine), 2, 1e-9);
  EXPECT_EQ(edge_that_keeps_m(fine, 0.9), kKeepsAtAnySize);
  EXPECT_NEAR(kept_m(coarse), 1, 0.2);
  EXPECT_NEAR(edge_that_keeps_m(coarse, 0.9), 0.2, 0.01);  // their distance is half of it
}

TEST(Creases, AGapInAFadingCreaseIsClosed) {
  // A ridge along y that turns by 40° at its ends and by 20° in its middle: by less than 30° over 0.15 of its length.
  const Surface ridge = sheet(40, [](double u, double v) {
    const double slope = std::tan(10 * (1 + std::min(1.0, std::abs(v - 0.5) / 0.15)) * kDegree);
    return Vec3(0.3 * u, v, -slope * std::abs(0.3 * u - 0.15));
  });
  EXPECT_NEAR(kept_m(find_creases(ridge, 0.1, 30)), 1, 0.01);
  EXPECT_LT(kept_m(find_creases(ridge, 0.02, 30)), 0.95);  // here the gap is seven edges long
}

TEST(Creases, NoiseFinerThanTheEdgeMakesNone) {
  Request ball;
  ball.shape = ShapeKind::torus;
  ball.tube_radius_m = 0.05;
  Surface scan = make_shape(ball, 0.008);
  std::mt19937 random(20);
  std::uniform_real_distribution<double> noise(-0.002, 0.002);
  for (Vec3& x : scan.vertices) x += Vec3(noise(random), noise(random), noise(random));
  const CreaseNet net = find_creases(scan, 0.04, 30);
  EXPECT_GT(all_m(net), 10);  // there are sharp edges
  EXPECT_LT(kept_m(net), 0.02 * all_m(net));
}

TEST(Remesh, AShallowCreaseStaysALine) {
  const Surface surface = roof(35);
  ASSERT_TRUE(check_surface(surface).meshable());
  RemeshReport report;
  const Surface made = remesh(surface, {0.07, 30}, report);
  EXPECT_NEAR(length_along(made, surface.vertices[3], surface.vertices[8]), 1, 1e-9);
  EXPECT_NEAR(report.kept_crease_m, report.crease_m, 1e-9);
  EXPECT_LT(report.crease_distance_m, 1e-9);
  EXPECT_LT(report.sharp_distance_m, 1e-9);
  EXPECT_NEAR(hausdorff_distance_m(made, surface, 0.03), 0, 1e-9);
}

TEST(Remesh, CornersOfASharpRimStayWhereTheyAre) {
  const Surface surface = lens();
  RemeshReport report;
  const Surface made = remesh(surface, {0.15, 50}, report);
  for (int corner = 0; corner < 4; ++corner)
    EXPECT_TRUE(std::any_of(made.vertices.begin(), made.vertices.end(),
                            [&](const Vec3& x) { return (x - surface.vertices[corner]).norm() < 1e-12; }));
  EXPECT_LT(report.crease_distance_m, 1e-9);
}

TEST(Remesh, FinerCreasesAreSampledAtTheEdgeLength) {
  Request cylinder;
  cylinder.shape = ShapeKind::solid_cylinder;
  cylinder.radius_m = 0.5, cylinder.length_m = 0.5;
  const Surface fine = make_shape(cylinder, 0.02);
  const double edge = 0.1;
  RemeshReport report;
  const Surface made = remesh(fine, {edge, 30}, report);
  EXPECT_NEAR(report.kept_crease_m, 2 * std::numbers::pi, 0.02);
  EXPECT_LT(report.crease_distance_m, 0.05 * edge);  // sagitta of chords: 1.33² edge² / 8 r
  EXPECT_GT(smallest_altitude_m(made), 0.2 * edge);
}

/// A house 1 long along y, its ridge turning by 90° in steps of 9°: rounded, and nowhere sharp. [m]
Surface rounded_house(double radius) {
  std::vector<std::pair<double, double>> profile{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0}};
  for (int i = 0; i <= 10; ++i) {
    const double angle = (45 + 9 * i) * kDegree;
    profile.emplace_back(radius * std::cos(angle), 0.5 - radius * std::sqrt(2) + radius * std::sin(angle));
  }
  profile.emplace_back(-0.5, 0);
  const int n = static_cast<int>(profile.size());
  Surface made;
  for (const double y : {0.0, 1.0})
    for (const auto& [x, z] : profile) made.vertices.emplace_back(x, y, z);
  for (int i = 1; i + 1 < n; ++i) {
    made.triangles.push_back({0, i, i + 1});
    made.triangles.push_back({n, n + i + 1, n + i});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    made.triangles.push_back({i, i + n, j + n});
    made.triangles.push_back({i, j + n, j});
  }
  return made;
}

/// The largest distance of points on a line from the surface's edges.
double farthest_from_edges(const Surface& surface, const Vec3& a, const Vec3& b) {
  double farthest = 0;
  for (double share = 0; share <= 1; share += 0.02) {
    double nearest = 1e300;
    for (const auto& t : surface.triangles)
      for (int i = 0; i < 3; ++i)
        nearest = std::min(nearest, distance_to_segment(a + share * (b - a), surface.vertices[t[i]],
                                                        surface.vertices[t[(i + 1) % 3]]));
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

TEST(Remesh, EdgesRunAlongARidgeThatTheInputRoundsOff) {
  const double radius = 0.02;
  const Surface surface = rounded_house(radius);
  ASSERT_TRUE(check_surface(surface).meshable());
  const double height = 0.5 - radius * (std::sqrt(2) - 1);
  for (const double edge : {0.09, 0.1, 0.11}) {
    SCOPED_TRACE(edge);
    const Surface made = remesh(surface, {edge, 30});
    EXPECT_TRUE(check_surface(made).meshable());
    // It leaves the ridge by 0.08 to 0.16 edges; without the quadrics, as teeth across it, by 0.36 to 0.39.
    EXPECT_LT(farthest_from_edges(made, {0, 0.15, height}, {0, 0.85, height}), 0.2 * edge);
    // Not because of smaller triangles: 1.23 to 1.32 times as many as even ones of that edge on the surface's area.
    EXPECT_LT(static_cast<double>(made.triangles.size()), 1.4 * area_m2(surface) / (std::sqrt(3) / 4 * edge * edge));
  }
}

TEST(Remesh, EdgesAreShorterWhereLongOnesWouldMissTheShape) {
  Request request;
  request.shape = ShapeKind::torus;
  request.tube_radius_m = 0.05;
  const double edge = 0.03;
  Surface plain = make_shape(request, 0.005), thorny = plain;
  const Vec3 at(request.radius_m, 0, request.tube_radius_m);
  for (Vec3& x : thorny.vertices) x.z() += 0.8 * edge * std::exp(-2 * (x - at).squaredNorm() / std::pow(0.5 * edge, 2));
  const Surface made = remesh(thorny, {edge, 30}), made_plain = remesh(plain, {edge, 30});
  EXPECT_LT(hausdorff_distance_m(made, thorny, 0.2 * edge), 0.2 * edge);
  EXPECT_GT(made.triangles.size(), made_plain.triangles.size() + 10);
  EXPECT_LT(made.triangles.size(), 1.2 * double(made_plain.triangles.size()));
}

TEST(Remesh, RoundingAllIsReported) {
  RemeshReport report;
  (void)remesh(make_shape({}, 0.1), {0.13, 30, true}, report);
  EXPECT_NEAR(report.crease_m, 12, 1e-9);
  EXPECT_EQ(report.kept_crease_m, 0);
  EXPECT_GT(report.sharp_distance_m, 0.01);
}

TEST(Remesh, TheHausdorffDistanceOfShiftedBoxesIsTheShift) {
  Surface box = make_shape({}, 2), moved = box;
  for (Vec3& x : moved.vertices) x += Vec3(0.1, 0, 0);
  EXPECT_NEAR(hausdorff_distance_m(box, moved, 0.2), 0.1, 1e-12);
}

}  // namespace
}  // namespace brisance::mesh
