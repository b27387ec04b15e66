#include "exports/skin/outline.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace brisance::exports {
namespace {

using Points = std::map<PointName, Eigen::Vector2d>;

PlaneOf plane_of(const Points& points) {
  return [&points](PointName name) { return points.at(name); };
}

double area_of(const std::vector<std::array<PointName, 3>>& triangles, const Points& points, bool absolute) {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) {
    const Eigen::Vector2d u = points.at(b) - points.at(a), v = points.at(c) - points.at(a);
    const double area = (u.x() * v.y() - u.y() * v.x()) / 2;
    sum += absolute ? std::abs(area) : area;
  }
  return sum;
}

/// Edges that triangles run more often one way than the other, and how often more.
std::map<std::pair<PointName, PointName>, int> boundary_of(const std::vector<std::array<PointName, 3>>& triangles) {
  std::map<std::pair<PointName, PointName>, int> edges;
  for (const auto& corners : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::pair edge(corners[k], corners[(k + 1) % 3]), back(edge.second, edge.first);
      const auto found = edges.find(back);
      if (found == edges.end())
        ++edges[edge];
      else if (--found->second == 0)
        edges.erase(found);
    }
  return edges;
}

const Points kCorners{{1, {0, 0}}, {2, {1, 0}}, {3, {0, 1}}};

TEST(Outline, KeepsTheSideOnTheLeftOfACurve) {
  Points points = kCorners;
  points[10] = {0.5, 0};
  points[11] = {0, 0.5};
  points[12] = {0.1, 0.1};
  TriangleCuts cuts{{1, 2, 3}, {1, 0, 0}, {}, {{10, 12}, {12, 11}}};
  cuts.on_edges[0] = {{10, true}};
  cuts.on_edges[2] = {{11, false}};
  const auto part = kept_part(cuts, plane_of(points));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->outlines, (std::vector<Polygon>{{1, 10, 12, 11}}));
  EXPECT_NEAR(area_of(triangulate(*part, plane_of(points)), points, true), 0.05, 1e-15);
  EXPECT_EQ(part->whole_edge, (std::array{0, 0, 0}));
}

TEST(Outline, ACrackThatEndsInsideStaysOpen) {
  Points points = kCorners;
  points[10] = points[11] = {0.5, 0};  // both sides at the mouth
  points[12] = {0.3, 0.2};             // its end
  TriangleCuts cuts{{1, 2, 3}, {1, 1, 1}, {}, {{10, 12}, {12, 11}}};
  cuts.on_edges[0] = {{10, true}, {11, false}};
  const auto part = kept_part(cuts, plane_of(points));
  ASSERT_TRUE(part);
  const auto triangles = triangulate(*part, plane_of(points));
  EXPECT_NEAR(area_of(triangles, points, false), 0.5, 1e-15);
  EXPECT_NEAR(area_of(triangles, points, true), 0.5, 1e-15);
  const auto boundary = boundary_of(triangles);
  EXPECT_TRUE(boundary.contains({10, 12}) && boundary.contains({12, 11}));
  EXPECT_EQ(part->whole_edge, (std::array{0, 1, 1}));
}

TEST(Outline, AHoleIsLeftOut) {
  Points points = kCorners;
  points[10] = {0.2, 0.2}, points[11] = {0.2, 0.4}, points[12] = {0.4, 0.2};
  const TriangleCuts cuts{{1, 2, 3}, {1, 1, 1}, {}, {{10, 11}, {11, 12}, {12, 10}}};
  const auto part = kept_part(cuts, plane_of(points));
  ASSERT_TRUE(part);
  ASSERT_EQ(part->holes.size(), 1U);
  const auto triangles = triangulate(*part, plane_of(points));
  EXPECT_NEAR(area_of(triangles, points, true), 0.5 - 0.02, 1e-15);
  EXPECT_EQ(boundary_of(triangles).size(), 6U);
}

/// Both sides of a crack overlap a little: between them the triangle is kept twice at the mouth, and not at all at the
/// back, where they have crossed.
TEST(Outline, CurvesMayCrossAndAreasAddUp) {
  Points points = kCorners;
  points[10] = {0.5, 0}, points[11] = {0.48, 0};
  points[12] = {0.3, 0.2}, points[13] = {0.31, 0.2};
  points[14] = {0.2, 0.3};
  TriangleCuts cuts{{1, 2, 3}, {1, 1, 1}, {}, {{10, 12}, {12, 14}, {14, 13}, {13, 11}}};
  cuts.on_edges[0] = {{11, false}, {10, true}};
  const auto part = kept_part(cuts, plane_of(points));
  ASSERT_TRUE(part);
  const auto triangles = triangulate(*part, plane_of(points));
  const double slit = area_of({{10, 12, 14}, {10, 14, 13}, {10, 13, 11}}, points, false);
  EXPECT_NEAR(area_of(triangles, points, false), 0.5 + slit, 1e-15);
  EXPECT_NEAR(area_of(triangles, points, true), 0.5, 0.01);
  const auto boundary = boundary_of(triangles);
  EXPECT_EQ(boundary.size(), 9U);  // of the triangle's edges those between 11 and 10 twice
  for (const Stretch& s : cuts.stretches) EXPECT_TRUE(boundary.contains({s.from, s.to}));
  EXPECT_EQ(boundary.at({11, 10}), 2);
}

// Cracks that meet overlap by a little: the outline crosses itself there, and no triangle may reach beyond that place.
TEST(Outline, ASmallLoopAcrossACracksEndDisturbsNothingElse) {
  constexpr double kSmall = 1e-7;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> shift(-kSmall, kSmall);
  for (int i = 0; i < 20; ++i) {
    Points points = kCorners;
    points[10] = points[12] = {0.4, 0};
    points[11] = {0.3, 0.3};
    for (PointName name = 20; name < 24; ++name)
      points[name] = points[11] + Eigen::Vector2d(shift(random), shift(random));
    const KeptPart part{{{1, 10, 11, 12, 2, 3}}, {{20, 21, 22, 23}}};
    const auto triangles = triangulate(part, plane_of(points));
    EXPECT_NEAR(area_of(triangles, points, true), area_of(triangles, points, false), 1e-9) << i;
  }
}

TEST(Outline, ACurveThatEndsInsideIsRefused) {
  Points points = kCorners;
  points[10] = {0.5, 0}, points[12] = {0.3, 0.2};
  TriangleCuts cuts{{1, 2, 3}, {1, 1, 1}, {}, {{10, 12}}};
  cuts.on_edges[0] = {{10, true}};
  EXPECT_FALSE(kept_part(cuts, plane_of(points)));
}

}  // namespace
}  // namespace brisance::exports
