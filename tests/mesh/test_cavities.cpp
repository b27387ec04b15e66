// Cavities of a request, their name, and the head.
#include "brisance/core/error.hpp"
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"

#include "mesh/shapes/head_shape.hpp"
#include "mesh/shapes/level_surface.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

namespace brisance::mesh {
namespace {

using ::testing::HasSubstr;

Request cube_request() {
  Request request;
  request.size = Vec3::Constant(0.2);
  request.target_tets = 1500;
  return request;
}

/// Area of the boundary faces with the name of cavities [m²].
double cavity_area(const TetMesh& mesh) {
  double area = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (std::size_t f = 0; f < 4; ++f) {
      if (!has_name(mesh.groups, mesh.groups.group_of_source(mesh.face_source[t][f]), "cavity")) continue;
      const auto& [a, b, c] = kFaceCorners[f];
      const Vec3 &x = mesh.nodes[mesh.tets[t][a]], &y = mesh.nodes[mesh.tets[t][b]], &z = mesh.nodes[mesh.tets[t][c]];
      area += 0.5 * (y - x).cross(z - x).norm();
    }
  return area;
}

std::string complaint(const Request& request) {
  try {
    MeshReport report;
    (void)generate(request, report);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

TEST(Cavities, AScaledOneHasItsVolumeAndItsName) {
  Request request = cube_request();
  request.cavity_scale = 0.5;
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  EXPECT_NEAR(report.quality.volume_m3, 0.008 * 7 / 8, 1e-9);
  EXPECT_NEAR(report.volume_error, 0, 1e-6);
  EXPECT_NEAR(body_volume_m3(request), 0.007, 1e-9);
  EXPECT_NEAR(cavity_area(mesh), 6 * 0.01, 1e-9);
}

TEST(Cavities, ABodyWithoutOneHasNoSuchFaces) {
  MeshReport report;
  EXPECT_EQ(cavity_area(generate(cube_request(), report)), 0);
}

class CavityFile : public ::testing::Test {
protected:
  CavityFile() {
    std::filesystem::create_directories(folder_);
    request_.cavity_file = folder_ / "inner.off";
  }
  ~CavityFile() override { std::filesystem::remove_all(folder_); }
  /// An octahedron.
  void write_inner(double radius, double x) const {
    std::ofstream out(request_.cavity_file);
    out << "OFF\n6 8 0\n";
    for (const int axis : {0, 1, 2})
      for (const double sign : {1.0, -1.0})
        out << x + (axis == 0 ? sign * radius : 0) << ' ' << (axis == 1 ? sign * radius : 0) << ' '
            << (axis == 2 ? sign * radius : 0) << '\n';
    out << "3 0 2 4\n3 2 1 4\n3 1 3 4\n3 3 0 4\n3 2 0 5\n3 1 2 5\n3 3 1 5\n3 0 3 5\n";
  }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("brisance_cavity_" + std::to_string(::getpid()));
  Request request_ = cube_request();
};

TEST_F(CavityFile, ASurfaceInsideIsTheWall) {
  write_inner(0.06, 0.01);
  MeshReport report;
  const TetMesh mesh = generate(request_, report);
  EXPECT_NEAR(report.quality.volume_m3, 0.008 - 4.0 / 3 * 0.06 * 0.06 * 0.06, 1e-9);
  EXPECT_NEAR(cavity_area(mesh), 4 * std::sqrt(3.0) * 0.06 * 0.06, 1e-9);
}

TEST_F(CavityFile, OneThatSticksOutOrLiesOutsideIsRefused) {
  write_inner(0.06, 0.05);
  EXPECT_THAT(complaint(request_), HasSubstr("the cavity and the outside cross each other"));
  write_inner(0.06, 0.5);
  EXPECT_THAT(complaint(request_), HasSubstr("the cavity is not inside the body"));
  request_.cavity_scale = 0.5;
  EXPECT_THAT(complaint(request_), HasSubstr("are both given; leave one out"));
}

TEST(Cavities, ARingHasNoneByScale) {
  Request request;
  request.shape = ShapeKind::torus;
  request.target_tets = 1000;
  request.cavity_scale = 0.6;
  EXPECT_THAT(complaint(request), HasSubstr("Choose another cavity_scale"));
}

TEST(LevelSurface, ABallIsClosedAndRound) {
  const Vec3 corner = Vec3::Constant(1.3);
  const Surface ball = level_surface([](const Vec3& x) { return x.norm() - 1; }, -corner, corner, 0.13);
  const SurfaceReport report = check_surface(ball);
  EXPECT_TRUE(report.meshable());
  EXPECT_EQ(report.num_components, 1);
  EXPECT_NEAR(report.volume_m3, 4.18879, 0.05);
  for (const Vec3& x : ball.vertices) ASSERT_NEAR(x.norm(), 1, 0.05 * 0.13 * 1.8);
}

TEST(HeadShape, IsOneClosedSurfaceOfItsHeightAlikeOnBothSides) {
  Request request;
  request.shape = ShapeKind::head;
  request.length_m = 0.3;
  const Surface head = head_surface(request, 0.02);
  const SurfaceReport report = check_surface(head);
  EXPECT_TRUE(report.meshable());
  EXPECT_EQ(report.num_components, 1);
  EXPECT_NEAR(report.upper.z() - report.lower.z(), 0.3, 0.015);
  EXPECT_NEAR(report.upper.x() + report.lower.x(), 0, 0.002);
  EXPECT_NEAR(report.volume_m3, shape_volume_m3(request), 0.02 * report.volume_m3);
}

}  // namespace
}  // namespace brisance::mesh
