/// Flat bodies from files and shapes: areas, angles, and refusals.
#include "brisance/core/error.hpp"
#include "brisance/mesh/generate/generate_plane.hpp"
#include "brisance/mesh/surface/check.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::mesh {
namespace {

using testing::HasSubstr;

class GeneratePlane : public ::testing::Test {
protected:
  GeneratePlane() : folder_(std::filesystem::temp_directory_path() / ("brisance_plane" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~GeneratePlane() override { std::filesystem::remove_all(folder_); }

  Request file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    Request request;
    request.shape = ShapeKind::file;
    request.file = folder_ / name;
    return request;
  }
  PlaneMesh made(const Request& request) { return generate_plane(request, report_); }
  std::string error(const std::string& obj) { return test_error(file("bad.obj", obj)); }
  std::string test_error(const Request& request) {
    try {
      (void)made(request);
    } catch (const core::Error& e) {
      return e.what();
    }
    return "accepted";
  }

  PlaneReport report_;

private:
  std::filesystem::path folder_;
};

/// A square of two triangles that turn different ways, at z = 2.
constexpr const char* kSquare = "v 0 0 2\nv 1 0 2\nv 1 1 2\nv 0 1 2\nf 1 2 3\nf 1 4 3\n";

TEST_F(GeneratePlane, TrianglesOfAFileStayAsTheyAre) {
  Request request = file("square.obj", kSquare);
  request.scale = 3;
  const PlaneMesh square = made(request);
  ASSERT_EQ(square.surface.triangles.size(), 2u);
  EXPECT_EQ(square.surface.vertices.size(), 4u);
  EXPECT_EQ(report_.area_m2, 9);
  EXPECT_EQ(report_.z_m, 6);
  EXPECT_NEAR(report_.smallest_angle_rad, std::numbers::pi / 4, 1e-15);
  for (const Vec3& x : square.surface.vertices) EXPECT_EQ(x.z(), 6);
}

TEST_F(GeneratePlane, OnePolygonIsAnOutlineToFill) {
  Request request = file("l.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n");
  request.edge_length_m = 0.1;
  const PlaneMesh l = made(request);
  EXPECT_NEAR(report_.area_m2, 3, 1e-12);
  EXPECT_NEAR(report_.mean_edge_m, 0.1, 0.02);
  EXPECT_GT(report_.smallest_angle_rad, 20 * std::numbers::pi / 180);
  EXPECT_EQ(check_surface(l.surface).num_self_intersections, 0);
  for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(2, 1, 0), Vec3(1, 1, 0)})
    EXPECT_THAT(l.surface.vertices, testing::Contains(corner));
  request.edge_length_m = 0;
  request.target_tets = 900;
  (void)made(request);
  EXPECT_NEAR(static_cast<double>(report_.num_triangles), 900, 45);
}

TEST_F(GeneratePlane, HolesStayHoles) {
  Request ring;
  ring.shape = ShapeKind::hollow_cylinder;
  ring.radius_m = 1;
  ring.thickness_m = 0.5;
  ring.edge_length_m = 0.05;
  const PlaneMesh whole = made(ring);
  EXPECT_NEAR(report_.area_m2, 0.75 * std::numbers::pi, 0.01);
  EXPECT_EQ(check_surface(whole.surface).num_nonmanifold_vertices, 0);

  std::string text;
  for (const Vec3& x : whole.surface.vertices)
    text += "v " + std::to_string(x.x()) + " " + std::to_string(x.y()) + " 0\n";
  for (const auto& [a, b, c] : whole.surface.triangles)
    text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
  Request again = file("ring.obj", text);
  again.edge_length_m = 0.1;
  (void)made(again);
  EXPECT_NEAR(report_.area_m2, 0.75 * std::numbers::pi, 0.01);
}

TEST_F(GeneratePlane, ShapesHaveTheirArea) {
  Request request;
  request.size = {2, 1, 0.1};
  request.shape = ShapeKind::slab;
  (void)made(request);
  EXPECT_NEAR(report_.area_m2, 2, 1e-12);
  EXPECT_NEAR(static_cast<double>(report_.num_triangles), 5000, 250);
  request.shape = ShapeKind::notched_block;
  request.notch_depth_m = 0.4;
  request.notch_width_m = 0.1;
  (void)made(request);
  EXPECT_NEAR(report_.area_m2, 1.98, 1e-12);
  request.shape = ShapeKind::solid_cylinder;
  request.radius_m = 2;
  (void)made(request);
  EXPECT_NEAR(report_.area_m2, 4 * std::numbers::pi, 0.02);
  request.shape = ShapeKind::bowl;
  EXPECT_THROW((void)made(request), core::Error);
}

TEST_F(GeneratePlane, GmshTrianglesComeWithTheirPhysicalSurfaces) {
  const std::string nodes = "$Nodes\n4\n1 0 0 1\n2 1 0 1\n3 1 1 1\n7 0 1 1\n$EndNodes\n";
  const std::string two = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + nodes;
  const PlaneMesh square =
      made(file("two.msh", two + "$Elements\n3\n1 1 2 9 9 1 2\n2 2 2 5 1 1 2 3\n3 2 2 6 1 3 7 1\n$EndElements\n"));
  EXPECT_EQ(report_.area_m2, 1);
  EXPECT_THAT(square.region, testing::ElementsAre(5, 6));
  Request anew = file("two.msh", two + "$Elements\n1\n2 2 2 5 1 1 2 3\n$EndElements\n");
  anew.edge_length_m = 0.1;
  EXPECT_THROW((void)made(anew), core::Error);  // its region would be lost
  EXPECT_THROW((void)made(file("tet.msh", two + "$Elements\n1\n1 4 2 0 0 1 2 3 7\n$EndElements\n")), core::Error);

  const std::string four =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 1 1 0\n1 0 0 0 0\n1 0 0 0 1 0 0 0 2 1 1\n"
      "8 0 0 1 1 1 1 1 4 1 1\n$EndEntities\n$Nodes\n1 3 1 3\n2 8 0 3\n1\n2\n3\n0 0 1\n1 0 1\n1 1 1\n$EndNodes\n"
      "$Elements\n2 2 1 2\n1 1 1 1\n1 1 2\n2 8 2 1\n2 1 2 3\n$EndElements\n";
  EXPECT_THAT(made(file("four.msh", four)).region, testing::ElementsAre(4));
}

TEST_F(GeneratePlane, FacesWithACornerTwiceAreTaken) {
  const Request request = file("twice.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 2 3\nf 1 3 4 4\nf 1 2 2\n");
  EXPECT_EQ(made(request).surface.triangles.size(), 2u);
  EXPECT_DOUBLE_EQ(report_.area_m2, 1);
}

TEST_F(GeneratePlane, TrianglesThatNoMachineHoldsAreRefused) {
  Request request;
  request.shape = ShapeKind::sheet;
  request.edge_length_m = 1e-9;
  EXPECT_THAT(test_error(request), HasSubstr("makes about 2.3e+18 triangles"));
}

TEST_F(GeneratePlane, WhatIsNoFlatBodyIsNamedWithItsPlace) {
  EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 0 1 0.2\nf 1 2 3\n"), HasSubstr("from z = 0 to 0.2 m"));
  EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 4\nf 1 2 3\n"),
              HasSubstr("1 triangle has no area (first: face 2"));
  EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 1 1 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n"),
              HasSubstr("1 edge has three triangles or more (first at x = 0.5, y = 0)"));
  EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 1 2 4\n"),
              HasSubstr("1 pair of triangles overlaps"));
  EXPECT_THAT(error("v 0 0 0\nv 2 0 0\nv 0 1 0\nv 1 0 0\nv 1 -1 0\nv 0 -1 0\nf 1 2 3\nf 4 5 6\n"),
              HasSubstr("overlap"));
  EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 1 2\n"), HasSubstr("overlap"));  // twice the same
  Request cage = file("square.obj", kSquare);
  cage.cage = true;
  EXPECT_THROW((void)made(cage), core::Error);
}

/// Volume, and outside as described; walls of neighbours match.
TEST_F(GeneratePlane, ExtrudedItIsASolidPlate) {
  Request request = file("l.obj", "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\nf 1 2 3 4 5 6\n");
  request.edge_length_m = 0.4;
  const PlaneMesh plane = made(request);
  const TetMesh plate = extruded(plane, 0.25);
  ASSERT_EQ(plate.tets.size(), 3 * plane.surface.triangles.size());
  Surface outside;
  outside.vertices = plate.nodes;
  double volume = 0;
  for (std::size_t t = 0; t < plate.tets.size(); ++t) {
    const auto& [a, b, c, d] = plate.tets[t];
    const double v = tet_volume(plate.nodes[a], plate.nodes[b], plate.nodes[c], plate.nodes[d]);
    EXPECT_GT(v, 0);
    volume += v;
    for (int k = 0; k < 4; ++k) {
      if (plate.face_source[t][k] == kNoSourceTriangle) continue;
      EXPECT_EQ(plate.face_source[t][k], plane.surface.source_face[t / 3]);
      const auto& [i, j, l] = kFaceCorners[k];
      outside.triangles.push_back({plate.tets[t][i], plate.tets[t][j], plate.tets[t][l]});
    }
  }
  outside.source_face.resize(outside.triangles.size());
  EXPECT_NEAR(volume, 3 * 0.25, 1e-14);
  EXPECT_TRUE(check_surface(outside).meshable());
  EXPECT_NEAR(check_surface(outside).area_m2, 2 * 3 + 8 * 0.25, 1e-13);
  EXPECT_THROW((void)extruded(plane, 0), core::Error);
}

}  // namespace
}  // namespace brisance::mesh
