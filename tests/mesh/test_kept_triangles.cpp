// Triangles of the input with the wanted size stay, bit for bit, and the rest is remeshed around them.
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/remesh.hpp"
#include "brisance/mesh/tets/quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <gmock/gmock.h>

namespace brisance::mesh {
namespace {

using Place = std::tuple<double, double, double>;

/// Every triangle that `chosen` takes in four, its new vertices on the unit sphere; neighbours are cut in two or three.
Surface refined(const Surface& coarse, const auto& chosen) {
  Surface fine;
  fine.vertices = coarse.vertices;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middle;
  for (const auto& t : coarse.triangles)
    for (int i = 0; i < 3 && chosen(coarse, t); ++i) {
      const auto [low, high] = std::minmax(t[i], t[(i + 1) % 3]);
      const auto [at, is_new] = middle.try_emplace({low, high}, static_cast<std::int32_t>(fine.vertices.size()));
      if (is_new) fine.vertices.push_back((coarse.vertices[low] + coarse.vertices[high]).normalized());
    }
  for (const auto& t : coarse.triangles) {
    std::vector<std::int32_t> outline;
    for (int i = 0; i < 3; ++i) {
      outline.push_back(t[i]);
      const auto [low, high] = std::minmax(t[i], t[(i + 1) % 3]);
      if (const auto found = middle.find({low, high}); found != middle.end()) outline.push_back(found->second);
    }
    if (outline.size() == 6) {
      for (const auto& [a, b, c] : {std::array{0, 1, 5}, {1, 2, 3}, {3, 4, 5}, {1, 3, 5}})
        fine.triangles.push_back({outline[a], outline[b], outline[c]});
      continue;
    }
    while (outline.size() > 3) {  // from a middle on, so that no triangle is flat
      const auto at = std::ranges::find_if(outline, [&](auto v) { return v >= std::ssize(coarse.vertices); });
      std::ranges::rotate(outline, at);
      fine.triangles.push_back({outline[0], outline[1], outline[2]});
      outline.erase(outline.begin() + 1);
    }
    fine.triangles.push_back({outline[0], outline[1], outline[2]});
  }
  return fine;
}

/// The unit sphere in 20·4ⁿ triangles that are nearly even.
Surface even_sphere(int n) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  Surface made;
  for (const Vec3& x :
       {Vec3(-1, g, 0), Vec3(1, g, 0), Vec3(-1, -g, 0), Vec3(1, -g, 0), Vec3(0, -1, g), Vec3(0, 1, g), Vec3(0, -1, -g),
        Vec3(0, 1, -g), Vec3(g, 0, -1), Vec3(g, 0, 1), Vec3(-g, 0, -1), Vec3(-g, 0, 1)})
    made.vertices.push_back(x.normalized());
  made.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int i = 0; i < n; ++i) made = refined(made, [](const auto&, const auto&) { return true; });
  return made;
}

double mean_edge_m(const Surface& surface) {
  double sum = 0;
  for (const auto& t : surface.triangles)
    for (int i = 0; i < 3; ++i) sum += (surface.vertices[t[i]] - surface.vertices[t[(i + 1) % 3]]).norm();
  return sum / (3 * static_cast<double>(surface.triangles.size()));
}

/// Share of the vertices above a height that the other surface has with the same bits.
double share_kept(const Surface& input, const Surface& made, double above = -2) {
  std::set<Place> places;
  for (const Vec3& x : made.vertices) places.emplace(x.x(), x.y(), x.z());
  double all = 0, kept = 0;
  for (const Vec3& x : input.vertices)
    if (x.z() > above) ++all, kept += static_cast<double>(places.count({x.x(), x.y(), x.z()}));
  return kept / all;
}

Surface remeshed(const Surface& surface, double edge_m, bool keep_triangles, RemeshReport& report) {
  RemeshOptions options{edge_m, 30};
  options.keep_triangles = keep_triangles;
  return remesh(surface, options, report);
}

TEST(KeptTriangles, ASphereOfTheWantedEdgeLengthStaysAsItIs) {
  const Surface sphere = even_sphere(3);
  RemeshReport report;
  const Surface made = remeshed(sphere, mean_edge_m(sphere), true, report);
  EXPECT_TRUE(check_surface(made).meshable());
  EXPECT_GE(share_kept(sphere, made), 0.9);
  EXPECT_GE(report.kept_share, 0.9);
  const Surface moved = remeshed(sphere, mean_edge_m(sphere), false, report);
  EXPECT_LT(share_kept(sphere, moved), 0.5);  // so that the comparison can fail
  EXPECT_EQ(report.kept_share, 0);
}

TEST(KeptTriangles, WhatIsTooFineIsRemeshedAroundWhatIsNot) {
  const Surface even = even_sphere(3);
  const auto low = [](const Surface& s, const auto& t) { return s.vertices[t[0]].z() < -0.2; };
  const Surface mixed = refined(refined(even, low), low);
  ASSERT_TRUE(check_surface(mixed).meshable());
  const double edge = mean_edge_m(even);
  RemeshReport report;
  const Surface made = remeshed(mixed, edge, true, report);
  EXPECT_TRUE(check_surface(made).meshable());
  EXPECT_GE(share_kept(mixed, made, 0.1), 0.99);
  EXPECT_GT(report.kept_share, 0.4);
  EXPECT_LT(report.kept_share, 0.6);
  EXPECT_NEAR(static_cast<double>(made.triangles.size()), static_cast<double>(even.triangles.size()),
              0.15 * static_cast<double>(even.triangles.size()));
  EXPECT_GT(smallest_altitude_m(made), 0.3 * edge);
  EXPECT_LT(hausdorff_distance_m(made, mixed, 0.3 * edge), 0.1 * edge);
}

TEST(KeptTriangles, NothingStaysThatIsTooCoarse) {
  const Surface sphere = even_sphere(2);
  RemeshReport report;
  (void)remeshed(sphere, 0.5 * mean_edge_m(sphere), true, report);
  EXPECT_EQ(report.kept_share, 0);
}

}  // namespace
}  // namespace brisance::mesh
