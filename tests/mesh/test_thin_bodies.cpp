// Bodies thinner than the wanted edges: no volume may be lost without a message.
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/tets/mesh_bounds.hpp"

#include "mesh/generate/prism.hpp"
#include "mesh/shapes/extrude.hpp"
#include "surface_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

using test::error_of;
using ::testing::HasSubstr;

/// A polygon pulled along z, its sides as they are and both caps in fans from their first corner: convex, or such that
/// the fan works.
Surface fan_prism(const std::vector<Vec2>& polygon, double height) {
  Surface made;
  const auto n = static_cast<std::int32_t>(polygon.size());
  for (const double z : {0.0, height})
    for (const Vec2& p : polygon) made.vertices.emplace_back(p.x(), p.y(), z);
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t j = (i + 1) % n;
    made.triangles.push_back({i, j, n + j});
    made.triangles.push_back({i, n + j, n + i});
    if (i == 0 || j == 0) continue;
    made.triangles.push_back({0, j, i});
    made.triangles.push_back({n, n + i, n + j});
  }
  for (std::size_t t = 0; t < made.triangles.size(); ++t) made.source_face.push_back(static_cast<std::int32_t>(t));
  return made;
}

Surface turned(Surface surface, double degrees, const Vec3& axis) {
  const Mat3 rotation = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()).toRotationMatrix();
  for (Vec3& x : surface.vertices) x = rotation * x + Vec3(3, -2, 1);
  return surface;
}

/// A square plate with a square hole, as a ring of eight quadrilaterals.
Surface holed_plate(double side, double hole, double height) {
  Surface made;
  for (const double z : {0.0, height})
    for (const double half : {side / 2, hole / 2})
      for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
        made.vertices.emplace_back(half * x, half * y, z);
  const auto quad = [&](std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    made.triangles.push_back({a, b, c});
    made.triangles.push_back({a, c, d});
  };
  for (std::int32_t i = 0; i < 4; ++i) {
    const std::int32_t j = (i + 1) % 4;
    quad(8 + i, 8 + j, 12 + j, 12 + i);  // above
    quad(4 + i, 4 + j, j, i);            // below
    quad(i, j, 8 + j, 8 + i);            // outside
    quad(12 + i, 12 + j, 4 + j, 4 + i);  // in the hole
  }
  for (std::size_t t = 0; t < made.triangles.size(); ++t) made.source_face.push_back(static_cast<std::int32_t>(t));
  return made;
}

/// A plate with a square pocket cut into it from above.
Surface pocket_plate(double side, double pocket, double height, double floor) {
  Surface made = holed_plate(side, pocket, height);
  for (std::int32_t v = 4; v < 8; ++v) made.vertices[v].z() = floor;  // the lower rim of the hole becomes its floor's
  std::erase_if(made.triangles, [&](const auto& t) {
    return std::ranges::all_of(t, [](auto v) { return v < 8; });  // what was below
  });
  for (const auto& t : {std::array{4, 5, 6}, {4, 6, 7}, {0, 2, 1}, {0, 3, 2}}) made.triangles.push_back(t);
  made.source_face.clear();
  for (std::size_t t = 0; t < made.triangles.size(); ++t) made.source_face.push_back(static_cast<std::int32_t>(t));
  return made;
}

/// An angle of two legs, as long and thick as these, lying along z.
Surface angle_profile(double leg, double thickness, double length) {
  return fan_prism({{0, 0}, {leg, 0}, {leg, thickness}, {thickness, thickness}, {thickness, leg}, {0, leg}}, length);
}

class ThinBodies : public test::FileTest {
protected:
  Request request_for(const Surface& surface, std::int64_t target_tets) const {
    Request request;
    request.shape = ShapeKind::file;
    request.file = write("body.obj", test::to_obj(surface));
    request.target_tets = target_tets;
    return request;
  }

  /// The mesh has the body's volume, about the requested number of tets, and no flat tet.
  void expect_whole(const Surface& surface, std::int64_t target_tets, double miss = 0.1) const {
    SCOPED_TRACE(target_tets);
    ASSERT_TRUE(check_surface(surface).meshable());
    MeshReport report;
    const TetMesh mesh = generate(request_for(surface, target_tets), report);
    double volume = 0;
    for (const auto& [a, b, c, d] : mesh.tets)
      volume += tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]);
    EXPECT_NEAR(volume / enclosed_volume_m3(surface), 1, kWarnedVolumeError);
    EXPECT_NEAR(static_cast<double>(mesh.tets.size()) / static_cast<double>(target_tets), 1, miss);
    EXPECT_GT(report.quality.smallest_altitude_m, 0.05 * report.quality.mean_altitude_m);
    EXPECT_TRUE(report.warnings.empty()) << report.warnings.front();
  }
};

TEST_F(ThinBodies, APlateOfTwelveTrianglesKeepsItsVolume) {
  for (const double thickness : {0.08, 0.02})
    for (const std::int64_t tets : {300, 1000, 4000})
      expect_whole(fan_prism({{0, 0}, {4, 0}, {4, 3}, {0, 3}}, thickness), tets);
}

TEST_F(ThinBodies, AlsoTurnedInSpaceWithRoundedCoordinates) {
  Surface plate = turned(fan_prism({{0, 0}, {2, 0}, {2, 1}, {0, 1}}, 0.02), 37, {1, 2, 3});
  for (Vec3& x : plate.vertices) x = x.cast<float>().cast<double>();
  expect_whole(plate, 500);
}

TEST_F(ThinBodies, HolesOfAPlateStay) {
  for (const double hole : {2.0, 0.3}) expect_whole(holed_plate(4, hole, 0.05), 800, 0.2);
}

TEST_F(ThinBodies, APocketOfAPlateStays) {
  for (const std::int64_t tets : {300, 1500}) expect_whole(pocket_plate(2, 1.2, 0.05, 0.02), tets, 0.35);
}

TEST_F(ThinBodies, ABevelledPlateKeepsItsVolume) {
  // Its rims turn by only 27°, but nothing else separates its faces.
  Surface plate = fan_prism({{0, 0}, {2, 0}, {2, 1.5}, {0, 1.5}}, 0.04);
  // A belt around its middle sticks out by twice its height.
  const auto belt = static_cast<std::int32_t>(plate.vertices.size());
  for (const auto& [x, y] : {std::pair(-0.04, -0.04), {2.04, -0.04}, {2.04, 1.54}, {-0.04, 1.54}})
    plate.vertices.emplace_back(x, y, 0.02);
  std::erase_if(plate.triangles, [&](const auto& t) {
    const auto above = std::ranges::count_if(t, [](auto v) { return v >= 4; });
    return above != 0 && above != 3;
  });
  for (std::int32_t i = 0; i < 4; ++i) {
    const std::int32_t j = (i + 1) % 4;
    for (const auto& t :
         {std::array{i, j, belt + j}, {i, belt + j, belt + i}, {belt + i, belt + j, 4 + j}, {belt + i, 4 + j, 4 + i}})
      plate.triangles.push_back(t);
  }
  plate.source_face.assign(plate.triangles.size(), 0);
  for (const std::int64_t tets : {400, 1500}) expect_whole(plate, tets, 0.35);
}

TEST_F(ThinBodies, ARoundPlateKeepsItsVolume) {
  std::vector<Vec2> circle;
  for (int i = 0; i < 64; ++i)
    circle.emplace_back(std::cos(i * std::numbers::pi / 32), std::sin(i * std::numbers::pi / 32));
  expect_whole(fan_prism(circle, 0.02), 1000);
}

TEST_F(ThinBodies, AnAngleProfileCanBeFilledAtAnySize) {
  for (const std::int64_t tets : {100, 300, 700, 1500}) expect_whole(angle_profile(0.2, 0.006, 0.1), tets, 0.35);
}

TEST_F(ThinBodies, AWedgeIsNoPrismAcrossItsThickness) {
  const Surface wedge = fan_prism({{0, 0}, {2, 0}, {2, 0.08}, {0, 0.02}}, 1.5);  // along z, thin along y
  for (const std::int64_t tets : {300, 1000}) expect_whole(wedge, tets, 0.35);
}

TEST_F(ThinBodies, BothFacesOfAPrismHaveTheSameTriangles) {
  const Surface plate = turned(holed_plate(4, 1, 0.05), 20, {0, 1, 1});
  RemeshReport report;
  const auto made = prism_surface(plate, 0.4, 30, report);
  ASSERT_TRUE(made);
  EXPECT_TRUE(check_surface(*made).meshable());
  EXPECT_NEAR(enclosed_volume_m3(*made) / enclosed_volume_m3(plate), 1, 1e-9);
  const std::size_t half = made->vertices.size() / 2;
  const Vec3 up = plate.vertices[8] - plate.vertices[0];
  for (std::size_t v = 0; v < half; ++v) EXPECT_LT((made->vertices[half + v] - made->vertices[v] - up).norm(), 1e-12);
  EXPECT_EQ(made->source_face.size(), made->triangles.size());
  EXPECT_FALSE(prism_surface(plate, 0.04, 30, report)) << "thicker than its edges";
  EXPECT_FALSE(prism_surface(test::sphere(1), 4, 30, report));
  EXPECT_FALSE(prism_surface(angle_profile(0.2, 0.006, 0.1), 0.1, 30, report)) << "longer than it is thick";
  EXPECT_FALSE(prism_surface(fan_prism({{0, 0}, {2, 0}, {2, 0.08}, {0, 0.02}}, 3), 1, 30, report)) << "a wedge";
}

TEST_F(ThinBodies, WhatIsLostIsRefusedUnlessItIsAllowed) {
  Request request = request_for(test::sphere(1, Vec3::Zero(), 24), 60);  // coarse facets of a ball
  MeshReport report;
  EXPECT_THAT(error_of([&] { (void)generate(request, report); }),
              ::testing::AllOf(HasSubstr("less volume"), HasSubstr("allowed_volume_error = ")));
  request.allowed_volume_error = 0.5;
  (void)generate(request, report);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0], HasSubstr("less volume"));
  request.allowed_volume_error = 1;
  (void)generate(request, report);
  EXPECT_TRUE(report.warnings.empty());
}

TEST(MeshBounds, VolumeIsWarnedOfAtTwoPercentAndRefusedBeyondWhatIsAllowed) {
  EXPECT_FALSE(judge_volume(-0.019, 0.05, 1000, "cup.obj"));
  const auto warning = judge_volume(-0.04, 0.05, 1000, "cup.obj");
  ASSERT_TRUE(warning);
  EXPECT_THAT(*warning, ::testing::AllOf(HasSubstr("cup.obj: "), HasSubstr("4 % less"), HasSubstr("2900 tets")));
  EXPECT_THAT(*judge_volume(0.03, 0.05, 1000, "cup.obj"), HasSubstr("3 % more"));
  const std::string refusal = error_of([] { (void)judge_volume(-0.23, 0.05, 300, "plate.obj"); });
  EXPECT_THAT(refusal, HasSubstr("allowed_volume_error = 0.24"));
  EXPECT_TRUE(judge_volume(-0.23, 0.24, 300, "plate.obj"));
  EXPECT_FALSE(judge_volume(-0.23, 1, 300, "plate.obj"));
}

TEST(MeshBounds, AThinTetIsWarnedOfAndThenRefused) {
  EXPECT_FALSE(judge_altitude(2e-6, 1e-3, 1e-6, "cup.vtu", "Mesh it anew."));
  const auto warning = judge_altitude(5e-7, 1e-3, 1e-6, "cup.vtu", "Mesh it anew.");
  ASSERT_TRUE(warning);
  EXPECT_THAT(*warning, ::testing::AllOf(HasSubstr("5e-07 m high"), HasSubstr("Mesh it anew.")));
  EXPECT_THAT(error_of([] { (void)judge_altitude(1e-17, 1e-3, 1e-6, "cup.vtu", "Mesh it anew."); }),
              HasSubstr("least_altitude = 5e-15"));
  EXPECT_TRUE(judge_altitude(1e-17, 1e-3, 1e-15, "cup.vtu", "Mesh it anew."));
  EXPECT_FALSE(judge_altitude(1e-17, 1e-3, 0, "cup.vtu", "Mesh it anew."));
}

}  // namespace
}  // namespace brisance::mesh
