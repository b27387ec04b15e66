// All steps from a request to a mesh, tested on the mesh alone.
#include "brisance/core/error.hpp"
#include "brisance/mesh/generate/generate.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/tets/intersect.hpp"

#include "support/data_folder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace brisance::mesh {
namespace {

namespace fs = std::filesystem;

constexpr double kDegree = std::numbers::pi / 180;

Request request_of(ShapeKind kind, std::int64_t target_tets) {
  Request request;
  request.shape = kind;
  request.target_tets = target_tets;
  request.tube_radius_m = 0.05;
  request.length_m = 0.3;
  if (kind == ShapeKind::slab) request.size = {1, 0.8, 0.1};
  if (kind == ShapeKind::wall) request.size = {3, 0.25, 2};
  if (kind == ShapeKind::sheet) request.size = {1, 1, 0.01};
  return request;
}

/// The boundary of a mesh, on the mesh's own nodes.
Surface outside_of(const TetMesh& mesh) {
  Surface outside;
  outside.vertices = mesh.nodes;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[t][f] == kNoSourceTriangle) continue;
      const auto& c = kFaceCorners[f];
      outside.triangles.push_back({mesh.tets[t][c[0]], mesh.tets[t][c[1]], mesh.tets[t][c[2]]});
      outside.source_face.push_back(mesh.face_source[t][f]);
    }
  return outside;
}

/// A folder for the test, removed at its end.
class Generate : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "brisance-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Writes an OBJ file and asks for its mesh.
  Request request_for(const Surface& surface, std::int64_t target_tets) const {
    Request request;
    request.shape = ShapeKind::file;
    request.file = folder_ / "surface.obj";
    request.target_tets = target_tets;
    std::ofstream out(request.file);
    out.precision(17);
    for (const Vec3& x : surface.vertices) out << "v " << x.x() << ' ' << x.y() << ' ' << x.z() << '\n';
    for (const auto& [a, b, c] : surface.triangles) out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
    return request;
  }

  fs::path folder_;
};

/// Positive tets; every face in two tets, or in one and with a source triangle.
void expect_sound(const TetMesh& mesh) {
  std::map<std::array<int, 3>, std::pair<int, std::int32_t>> faces;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const auto& tet = mesh.tets[e];
    ASSERT_GT(tet_volume(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]), 0);
    for (int f = 0; f < 4; ++f) {
      std::array<int, 3> face{tet[kFaceCorners[f][0]], tet[kFaceCorners[f][1]], tet[kFaceCorners[f][2]]};
      std::sort(face.begin(), face.end());
      ++faces[face].first;
      faces[face].second = mesh.face_source[e][f];
    }
  }
  for (const auto& [face, seen] : faces) {
    ASSERT_LE(seen.first, 2);
    ASSERT_EQ(seen.first == 1, seen.second >= 0);
  }
}

class GenerateShape : public ::testing::TestWithParam<ShapeKind> {};

TEST_P(GenerateShape, TwentyThousandTetsWithinTenPerCent) {
  const Request request = request_of(GetParam(), 20000);
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  EXPECT_NEAR(static_cast<double>(mesh.tets.size()), 20000, 2000);
  expect_sound(mesh);
  EXPECT_EQ(report.num_tets, static_cast<std::int64_t>(mesh.tets.size()));
  EXPECT_LT(std::abs(report.volume_error), 0.02);  // facets of curved shapes
  EXPECT_GT(report.quality.smallest_dihedral_rad, 5 * kDegree);
  EXPECT_NEAR(report.quality.mean_edge_m / report.edge_length_m, 1, 0.2);
}

INSTANTIATE_TEST_SUITE_P(All, GenerateShape,
                         ::testing::Values(ShapeKind::box, ShapeKind::slab, ShapeKind::wall, ShapeKind::sheet,
                                           ShapeKind::bowl, ShapeKind::hollow_ball, ShapeKind::solid_cylinder,
                                           ShapeKind::hollow_cylinder, ShapeKind::torus, ShapeKind::notched_block),
                         [](const auto& tested) { return std::string(shape_name(tested.param)); });

TEST_F(Generate, TheSameRequestGivesTheSameBits) {
  MeshReport report;
  const Request shape = request_of(ShapeKind::bowl, 3000);
  const TetMesh one = generate(shape, report), two = generate(shape, report);
  EXPECT_EQ(one.nodes, two.nodes);
  EXPECT_EQ(one.tets, two.tets);
  const Request file = request_for(make_shape(shape, 0.02), 3000);
  const TetMesh three = generate(file, report), four = generate(file, report);
  EXPECT_EQ(three.nodes, four.nodes);
  EXPECT_EQ(three.tets, four.tets);
  EXPECT_EQ(three.face_source, four.face_source);
}

TEST_F(Generate, AFileIsRemeshedButItsBoxStaysABox) {
  const Request request = request_for(make_shape({}, 2), 5000);  // the coarsest box: 12 triangles
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  expect_sound(mesh);
  EXPECT_NEAR(static_cast<double>(mesh.tets.size()), 5000, 500);
  EXPECT_NEAR(report.volume_error, 0, 1e-9);
  EXPECT_GT(report.quality.smallest_dihedral_rad, 3 * kDegree);
}

TEST_F(Generate, ABoundaryFaceNamesTheFileFaceItLiesOn) {
  const Surface box = make_shape({}, 2);
  MeshReport report;
  const TetMesh mesh = generate(request_for(box, 2000), report);
  std::set<std::int32_t> named;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    for (int f = 0; f < 4; ++f) {
      const auto source = mesh.face_source[e][f];
      if (source == kNoSourceTriangle) continue;
      named.insert(source);
      const auto& [a, b, c] = box.triangles.at(source);
      const Vec3 normal = (box.vertices[b] - box.vertices[a]).cross(box.vertices[c] - box.vertices[a]).normalized();
      for (const int corner : kFaceCorners[f])
        ASSERT_NEAR((mesh.nodes[mesh.tets[e][corner]] - box.vertices[a]).dot(normal), 0, 1e-9);
    }
  EXPECT_EQ(named.size(), box.triangles.size());
}

TEST_F(Generate, ScaleAppliesToFilesAndTinyUnitsAreFine) {
  Request request = request_for(make_shape(request_of(ShapeKind::torus, 0), 0.03), 2000);
  request.scale = 1e-9;
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  expect_sound(mesh);
  EXPECT_NEAR(report.quality.volume_m3 / (shape_volume_m3(request_of(ShapeKind::torus, 0)) * 1e-27), 1, 0.15);
}

TEST_F(Generate, AnEdgeLengthIsTakenAsItIs) {
  Request request = request_of(ShapeKind::box, 0);
  request.edge_length_m = 0.1;
  MeshReport report;
  (void)generate(request, report);
  EXPECT_EQ(report.num_tries, 1);
  EXPECT_EQ(report.edge_length_m, 0.1);
  EXPECT_NEAR(report.quality.mean_edge_m, 0.1, 0.02);
}

TEST_F(Generate, LayersWinOverTheTargetAndTheReportSaysSo) {
  Request request = request_of(ShapeKind::wall, 2000);
  request.layers = 2;
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  EXPECT_DOUBLE_EQ(report.edge_length_m, 0.125);
  ASSERT_EQ(report.notes.size(), 2u);
  EXPECT_THAT(report.notes[0], ::testing::HasSubstr("layers"));
  EXPECT_THAT(report.notes[1], ::testing::HasSubstr("2000 tets were asked for"));
  int between = 0;  // nodes strictly between the two large faces
  for (const Vec3& x : mesh.nodes) between += std::abs(x.y()) < 0.1 && std::abs(x.x()) < 1.4 && std::abs(x.z()) < 0.9;
  EXPECT_GT(between, 100);
}

TEST_F(Generate, AnOpenFileIsRefusedAndWrappedOnRequest) {
  Surface ball = make_shape(request_of(ShapeKind::torus, 0), 0.02);
  ball.triangles.erase(ball.triangles.begin() + 10, ball.triangles.begin() + 12);
  Request request = request_for(ball, 3000);
  MeshReport report;
  EXPECT_THROW((void)generate(request, report), core::Error);
  request.repair = true;
  expect_sound(generate(request, report));
  EXPECT_TRUE(report.repaired);
  EXPECT_NEAR(report.quality.volume_m3 / shape_volume_m3(request_of(ShapeKind::torus, 0)), 1, 0.2);
  // Compared with the surface itself, its hole closed, not with the wrap.
  EXPECT_NEAR(report.reference_volume_m3 / enclosed_volume_m3(make_shape(request_of(ShapeKind::torus, 0), 0.02)), 1,
              0.01);
}

TEST_F(Generate, AWrapThatWentInThroughAHoleIsMadeAgainCoarser) {
  // A hollow box with one face cut open: a fine wrap lines its inside, a coarse one closes the lid.
  Surface box = make_shape({}, 0.04);
  std::erase_if(box.triangles, [&](const auto& t) {
    return std::all_of(t.begin(), t.end(), [&](int v) {
      const Vec3& x = box.vertices[v];
      return x.z() > 0.49 && std::abs(x.x()) < 0.09 && std::abs(x.y()) < 0.09;
    });
  });
  Request request = request_for(box, 5000);
  request.repair = true;
  MeshReport report;
  (void)generate(request, report);
  ASSERT_GE(report.notes.size(), 2u);
  EXPECT_THAT(report.notes[0], ::testing::HasSubstr("went in through a hole"));
  EXPECT_THAT(report.notes[1], ::testing::Not(::testing::HasSubstr("went in")));
  EXPECT_NEAR(report.quality.volume_m3, 1, 0.1);
}

TEST_F(Generate, NoiseOfAScanMakesNoSlivers) {
  Surface scan = make_shape(request_of(ShapeKind::torus, 0), 0.008);
  std::mt19937 random(20);
  std::uniform_real_distribution<double> noise(-0.0025, 0.0025);
  for (Vec3& x : scan.vertices) x += Vec3(noise(random), noise(random), noise(random));
  ASSERT_TRUE(check_surface(scan).meshable());
  MeshReport report;
  expect_sound(generate(request_for(scan, 5000), report));
  EXPECT_GT(report.quality.smallest_dihedral_rad, 8 * kDegree);
  EXPECT_LT(std::abs(report.volume_error), 0.05);
}

// The outside of the tets, cut back to the body, equals the body, so the body lay strictly inside.
TEST_F(Generate, ACageContainsTheBody) {
  const Surface torus = make_shape(request_of(ShapeKind::torus, 0), 0.01);
  Request request = request_for(torus, 2000);
  request.cage = true;
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  expect_sound(mesh);
  EXPECT_NEAR(static_cast<double>(mesh.tets.size()), 2000, 200);
  EXPECT_GT(report.volume_error, 0.01);
  EXPECT_LT(report.volume_error, 0.3);
  PieceSurface cage;
  cage.surface = outside_of(mesh);
  cage.neighbour.assign(cage.surface.triangles.size(), kNoNeighbour);
  const auto inside = intersect(cage, torus);
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_NEAR(enclosed_volume_m3(inside[0].surface) / enclosed_volume_m3(torus), 1, 1e-9);
}

TEST_F(Generate, AnOffsetCageContainsTheBody) {
  const Surface torus = make_shape(request_of(ShapeKind::torus, 0), 0.02);
  Request request = request_for(torus, 0);
  request.edge_length_m = 0.04;
  request.cage = true;
  request.cage_method = CageMethod::offset;
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  expect_sound(mesh);
  EXPECT_GT(report.volume_error, 0.01);
  EXPECT_LT(report.volume_error, 0.4);
  PieceSurface cage;
  cage.surface = outside_of(mesh);
  cage.neighbour.assign(cage.surface.triangles.size(), kNoNeighbour);
  const auto inside = intersect(cage, torus);
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_NEAR(enclosed_volume_m3(inside[0].surface) / enclosed_volume_m3(torus), 1, 1e-9);
}

TEST_F(Generate, ACageTakesOpenInput) {
  Surface box = make_shape(request_of(ShapeKind::box, 0), 0.2);
  box.triangles.erase(box.triangles.begin(), box.triangles.begin() + 3);
  Request request = request_for(box, 3000);
  request.cage = true;
  MeshReport report;
  expect_sound(generate(request, report));
  EXPECT_GT(report.quality.volume_m3, 1);
  EXPECT_LT(report.quality.volume_m3, 1.4);
}

TEST_F(Generate, ImpossibleRequestsAreRefused) {
  MeshReport report;
  Request request;
  request.target_tets = 100, request.edge_length_m = 0.1;
  EXPECT_THROW((void)generate(request, report), core::Error);
  request = {};
  request.target_tets = -1;
  EXPECT_THROW((void)generate(request, report), core::Error);
  request = {};
  request.layers = 0;
  EXPECT_THROW((void)generate(request, report), core::Error);
  request = {};
  request.quality = 0.5;
  EXPECT_THROW((void)generate(request, report), core::Error);
  request = request_for(make_shape({}, 2), 100);
  request.scale = 0;
  EXPECT_THROW((void)generate(request, report), core::Error);
}

TEST_F(Generate, WhatWouldNeverEndIsRefusedBeforeItBegins) {
  const auto refused = [](const Request& request) {
    MeshReport report;
    try {
      (void)generate(request, report);
    } catch (const core::Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  Request request = request_of(ShapeKind::box, 0);
  request.edge_length_m = 1e-9;
  EXPECT_THAT(refused(request), ::testing::HasSubstr("makes about 7.4e+27 tets"));
  request.edge_length_m = 0;
  request.size = {1e6, 1, 1};
  EXPECT_THAT(refused(request), ::testing::HasSubstr("too slender"));
  request.size = {1e20, 1, 1};
  EXPECT_THAT(refused(request), ::testing::HasSubstr("between 1e-15 and 1e+15 m"));
  request.size = {1e4, 1e4, 1};
  request.edge_length_m = 5000;
  EXPECT_THAT(refused(request), ::testing::HasSubstr("too thin for tets"));
}

TEST_F(Generate, AThinPlateGetsItsNumberOfTetsAtOnce) {
  Request request = request_of(ShapeKind::slab, 2000);
  request.size = {2e4, 2e4, 1};  // with the volume alone the first try would have 100 times as many
  MeshReport report;
  (void)generate(request, report);
  EXPECT_NEAR(static_cast<double>(report.num_tets), 2000, 200);
}

TEST(GenerateFile, AScannedModelOfTheTestData) {
  const auto file = test::data_file("BRISANCE_TEST_DATA", "bunny.obj");
  if (!file) GTEST_SKIP() << "BRISANCE_TEST_DATA is not set";
  Request request;
  request.shape = ShapeKind::file;
  request.file = *file;
  MeshReport report;
  const TetMesh mesh = generate(request, report);
  expect_sound(mesh);
  EXPECT_NEAR(static_cast<double>(mesh.tets.size()), 20000, 2000);
  EXPECT_LT(std::abs(report.volume_error), 0.02);
}

}  // namespace
}  // namespace brisance::mesh
