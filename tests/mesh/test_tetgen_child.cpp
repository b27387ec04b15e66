// TetGen as a child process: the result is a mesh of exactly the given surface, or one clear error.
#include "brisance/core/error.hpp"
#include "brisance/mesh/meshers/tetgen_child.hpp"
#include "brisance/mesh/shapes/shapes.hpp"

#include "child_test.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

namespace fs = std::filesystem;

double volume_of(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c, d] : mesh.tets)
    sum += tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]);
  return sum;
}

/// Every face in one or two tets; a face in one has a source, a face in two has none.
void expect_conforming(const TetMesh& mesh, std::size_t num_triangles) {
  std::map<std::array<int, 3>, std::vector<std::int32_t>> faces;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    for (int f = 0; f < 4; ++f) {
      std::array<int, 3> face{};
      for (int i = 0; i < 3; ++i) face[i] = mesh.tets[e][kFaceCorners[f][i]];
      std::sort(face.begin(), face.end());
      faces[face].push_back(mesh.face_source[e][f]);
    }
  std::set<std::int32_t> sources;
  for (const auto& [face, tags] : faces) {
    ASSERT_LE(tags.size(), 2u);
    for (const auto tag : tags) ASSERT_EQ(tag == kNoSourceTriangle, tags.size() == 2);
    if (tags.size() == 1) sources.insert(tags[0]);
  }
  EXPECT_EQ(sources.size(), num_triangles);  // with -Y each triangle is one boundary face
  EXPECT_EQ(*sources.rbegin(), static_cast<std::int32_t>(num_triangles) - 1);
}

Request torus() {
  Request request;
  request.shape = ShapeKind::torus;
  return request;
}

using TetgenChild = test::ChildTest;

std::string message_of(const Surface& surface, const TetgenOptions& options) {
  try {
    (void)tetrahedralize(surface, options);
  } catch (const core::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(TetgenChild, FillsATorusExactlyUpToItsSurface) {
  const Surface surface = make_shape(torus(), 0.02);
  const TetMesh mesh = tetrahedralize(surface, {});
  expect_conforming(mesh, surface.triangles.size());
  for (const auto& [a, b, c, d] : mesh.tets)
    EXPECT_GT(tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]), 0);
  double six_volumes = 0;
  for (const auto& [a, b, c] : surface.triangles)
    six_volumes += surface.vertices[a].dot(surface.vertices[b].cross(surface.vertices[c]));
  EXPECT_NEAR(volume_of(mesh) / (six_volumes / 6), 1, 1e-12);
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) ASSERT_EQ(mesh.nodes[v], surface.vertices[v]);
}

TEST_F(TetgenChild, ABoundaryFaceNamesTheTriangleItIs) {
  const Surface surface = make_shape(torus(), 0.02);
  const TetMesh mesh = tetrahedralize(surface, {});
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    for (int f = 0; f < 4; ++f) {
      if (mesh.face_source[e][f] == kNoSourceTriangle) continue;
      std::set<int> face, triangle;
      for (const int c : kFaceCorners[f]) face.insert(mesh.tets[e][c]);
      for (const int v : surface.triangles[mesh.face_source[e][f]]) triangle.insert(v);
      ASSERT_EQ(face, triangle);
    }
}

TEST_F(TetgenChild, ACavityStaysEmpty) {
  Request request;
  request.shape = ShapeKind::hollow_ball;
  const TetMesh mesh = tetrahedralize(make_shape(request, 0.02), {});
  EXPECT_NEAR(volume_of(mesh) / shape_volume_m3(request), 1, 0.02);
}

TEST_F(TetgenChild, UnitsDoNotMatter) {
  const Surface surface = make_shape(torus(), 0.02);
  const TetMesh metres = tetrahedralize(surface, {});
  for (const double scale : {0x1p-30, 0x1p30}) {  // nanometres, a planet: powers of two, so that the bits must agree
    Surface scaled = surface;
    for (Vec3& x : scaled.vertices) x *= scale;
    const TetMesh mesh = tetrahedralize(scaled, {});
    EXPECT_EQ(mesh.tets, metres.tets);
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) ASSERT_EQ(mesh.nodes[n], scale * metres.nodes[n]);
  }
}

TEST_F(TetgenChild, TheLargestVolumeHoldsWhereTheSurfaceMayBeSplit) {
  TetgenOptions options;
  options.largest_volume_m3 = 1e-3;
  options.keep_surface = false;
  const TetMesh mesh = tetrahedralize(make_shape({}, 0.2), options);
  for (const auto& [a, b, c, d] : mesh.tets)
    EXPECT_LE(tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]), 1.0001e-3);
}

TEST_F(TetgenChild, TwoCrossingBoxesAreAnErrorNotACrash) {
  Surface surface = make_shape({}, 0.5);
  const Surface other = surface;
  const auto first = static_cast<std::int32_t>(surface.vertices.size());
  for (const Vec3& x : other.vertices) surface.vertices.push_back(x + Vec3(0.3, 0.2, 0.1));
  for (const auto& [a, b, c] : other.triangles) surface.triangles.push_back({a + first, b + first, c + first});
  EXPECT_THAT(message_of(surface, {}), ::testing::HasSubstr("TetGen"));
}

TEST_F(TetgenChild, AFlatDoubleDiskIsAnErrorNotACrash) {
  Surface surface;
  surface.vertices.push_back(Vec3::Zero());
  for (int i = 0; i < 8; ++i) {
    const double angle = i * std::numbers::pi / 4;
    surface.vertices.emplace_back(std::cos(angle), std::sin(angle), 0);
    surface.triangles.push_back({0, 1 + i, 1 + (i + 1) % 8});
    surface.triangles.push_back({0, 1 + (i + 1) % 8, 1 + i});
  }
  EXPECT_THAT(message_of(surface, {}), ::testing::HasSubstr("TetGen"));
}

TEST_F(TetgenChild, AnOpenSurfaceIsAnError) {
  Surface surface = make_shape({}, 0.3);
  surface.triangles.pop_back();
  EXPECT_THAT(message_of(surface, {}), ::testing::HasSubstr("TetGen made no tets"));
}

TEST_F(TetgenChild, ASurfaceWithoutExtentIsAnError) {
  Surface surface;
  EXPECT_THAT(message_of(surface, {}), ::testing::HasSubstr("no triangles"));
  surface.vertices.assign(3, Vec3::Ones());
  surface.triangles = {{0, 1, 2}};
  EXPECT_THAT(message_of(surface, {}), ::testing::HasSubstr("no extent"));
}

TEST_F(TetgenChild, ASignalFromOutsideIsNotBlamedOnTheSurface) {
  const Surface surface = make_shape({}, 0.5);
  TetgenOptions options;
  options.program = script("kill -KILL $$");
  EXPECT_THAT(message_of(surface, options),
              ::testing::AllOf(::testing::HasSubstr("signal 9"), ::testing::HasSubstr("memory ran out"),
                               ::testing::Not(::testing::HasSubstr("surface"))));
  (void)script("kill -TERM $$");
  EXPECT_THAT(message_of(surface, options), ::testing::AllOf(::testing::HasSubstr("ended from outside by signal 15"),
                                                             ::testing::Not(::testing::HasSubstr("surface"))));
  fs::remove(options.program);
}

TEST_F(TetgenChild, HasNoMoreMemoryThanItMay) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer's own memory is beyond any bound, so the child has none";
#endif
  TetgenOptions options;
  options.memory_bound_byte = 20 << 20;
  options.largest_volume_m3 = 1e-6;
  EXPECT_THAT(message_of(make_shape({}, 0.02), options), ::testing::HasSubstr("TetGen ran out of memory: it may have"));
}

TEST_F(TetgenChild, HasAGroupOfItsOwnAndEndsWithItsParentLeavingNothing) {
  const Surface surface = make_shape({}, 0.01);  // minutes of work
  TetgenOptions options;
  options.largest_volume_m3 = 1e-8;
  expect_end_with_parent([&] { (void)tetrahedralize(surface, options); });
}

TEST_F(TetgenChild, SignalsExitCodesSilenceAndTimeOutBecomeMessages) {
  const Surface surface = make_shape({}, 0.5);
  TetgenOptions options;
  options.program = script("kill -SEGV $$");
  EXPECT_THAT(message_of(surface, options), ::testing::HasSubstr("crashed with signal 11"));
  (void)script("echo a facet intersects; exit 3");
  EXPECT_THAT(message_of(surface, options), ::testing::HasSubstr("code 3 (it said: a facet intersects)"));
  (void)script("exit 0");
  EXPECT_THAT(message_of(surface, options), ::testing::HasSubstr("wrote no readable result"));
  (void)script("exec sleep 60");
  options.time_limit = std::chrono::milliseconds(200);
  EXPECT_THAT(message_of(surface, options), ::testing::HasSubstr("did not finish within 0.2 s"));
  fs::remove(options.program);
  EXPECT_THAT(message_of(surface, options), ::testing::HasSubstr("cannot be started"));
}

}  // namespace
}  // namespace brisance::mesh
