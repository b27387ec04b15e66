/// Messy surfaces to solids, against volumes and areas in closed form.
#include "brisance/mesh/formats/read_surface.hpp"
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"
#include "brisance/mesh/surface/clean.hpp"
#include "brisance/mesh/surface/solidify.hpp"
#include "brisance/mesh/tet_mesh.hpp"

#include "mesh/solids/resolve_intersections.hpp"
#include "support/data_folder.hpp"
#include "surface_files.hpp"

namespace brisance::mesh {
namespace {

using solids::resolve_intersections;
using test::error_of;

Surface box(const Vec3& size, const Vec3& centre) {
  Request request;
  request.size = size;
  Surface surface = make_shape(request, 0.3);
  for (Vec3& x : surface.vertices) x += centre;
  return surface;
}

double area(const Surface& surface) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]).norm() / 2;
  return sum;
}

/// The triangles whose corners' mean `keep` wants.
template <class Keep>
Surface part(const Surface& surface, const Keep& keep) {
  Surface left{surface.vertices, {}, {}};
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [a, b, c] = surface.triangles[t];
    if (!keep((surface.vertices[a] + surface.vertices[b] + surface.vertices[c]) / 3)) continue;
    left.triangles.push_back(surface.triangles[t]);
    left.source_face.push_back(surface.source_face[t]);
  }
  return left;
}

TEST(ResolveIntersections, TwoCrossingBoxesKeepAreaAndMeetInEdges) {
  const Surface boxes = test::joined(box({1, 1, 1}, {0, 0, 0}), box({0.5, 0.5, 2}, {0.1, 0.2, 0.3}));
  EXPECT_GT(check_surface(boxes).num_self_intersections, 0);
  const Surface resolved = resolve_intersections(boxes);
  EXPECT_EQ(check_surface(resolved).num_self_intersections, 0);
  EXPECT_NEAR(area(resolved), area(boxes), 1e-12);
  EXPECT_NEAR(test::signed_volume(resolved), test::signed_volume(boxes), 1e-12);
}

// Overlapping coplanar triangles are there once.
TEST(ResolveIntersections, OverlappingSquaresBecomeOneSheet) {
  Surface sheets{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.3, 0}, {1.5, 0.3, 0}, {1.5, 1.3, 0}, {0.5, 1.3, 0}},
      {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}},
      {0, 0, 1, 1}};
  const Surface resolved = resolve_intersections(sheets);
  EXPECT_EQ(check_surface(resolved).num_self_intersections, 0);
  EXPECT_NEAR(area(resolved), 2 - 0.5 * 0.7, 1e-12);
}

TEST(Solidify, OverlappingSolidsBecomeTheirUnion) {
  const Surface boxes = test::joined(box({1, 1, 1}, {0, 0, 0}), box({0.5, 0.5, 2}, {0.1, 0.2, 0.3}));
  SolidifyReport report;
  const Surface solid = solidify(boxes, report);
  EXPECT_TRUE(check_surface(solid).meshable());
  EXPECT_EQ(check_surface(solid).num_components, 1);
  // The column runs through z = −0.7 … 1.3, the cube ends at ±0.5.
  EXPECT_NEAR(enclosed_volume_m3(solid), 1 + 0.25 * (0.2 + 0.8), 1e-12);
  EXPECT_EQ(report.patch_area_m2, 0);
  EXPECT_NEAR(report.kept_area_m2, 6 - 0.25 * 2 + 2 * (0.2 + 0.8) + 0.25 * 2, 1e-12);
}

TEST(Solidify, ASolidInsideAnotherMakesNoCavity) {
  const Surface nested = test::joined(box({1, 1, 1}, {0, 0, 0}), box({0.5, 0.5, 0.5}, {0.1, 0, 0}));
  SolidifyReport report;
  EXPECT_NEAR(enclosed_volume_m3(solidify(nested, report)), 1, 1e-12);
  EXPECT_NEAR(report.kept_area_m2, 6, 1e-12);
}

TEST(Solidify, AMissingSideIsClosed) {
  const Surface open = part(box({1, 1, 1}, {0, 0, 0}), [](const Vec3& x) { return x[2] < 0.499; });
  SolidifyReport report;
  const Surface solid = solidify(open, report);
  EXPECT_TRUE(check_surface(solid).meshable());
  EXPECT_NEAR(report.kept_area_m2, 5, 1e-12);
  EXPECT_NEAR(report.input_area_m2, 5, 1e-12);
  EXPECT_LT(report.patch_area_m2, 1.5);
  EXPECT_NEAR(enclosed_volume_m3(solid), 1, 0.15);
  double patches = 0;
  for (std::size_t t = 0; t < solid.triangles.size(); ++t)
    if (solid.source_face[t] == kNoSourceTriangle) ++patches;
  EXPECT_GT(patches, 0);
}

TEST(Solidify, TheSameBitsTwice) {
  const Surface boxes = test::joined(box({1, 1, 1}, {0, 0, 0}), box({0.5, 0.5, 2}, {0.1, 0.2, 0.3}));
  SolidifyReport report;
  const Surface once = solidify(boxes, report), again = solidify(boxes, report);
  EXPECT_EQ(once.triangles, again.triangles);
  EXPECT_EQ(once.vertices, again.vertices);
}

TEST(Solidify, ASheetHasNoInside) {
  const Surface sheet{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, {0, 0}};
  EXPECT_NE(error_of([&] {
              SolidifyReport report;
              (void)solidify(sheet, report);
            }).find("no inside"),
            std::string::npos);
}

class SolidifyData : public ::testing::TestWithParam<const char*> {};

// Single-walled models with holes, crossings and parts that stick in each other.
TEST_P(SolidifyData, KeepsMostOfTheSurface) {
  const auto file = test::data_file("BRISANCE_TEST_DATA", GetParam());
  if (!file) GTEST_SKIP() << "BRISANCE_TEST_DATA is not set";
  CleanReport cleaned;
  const Surface messy = clean(read_surface(*file), cleaned);
  ASSERT_FALSE(check_surface(messy).meshable());
  SolidifyReport report;
  EXPECT_TRUE(check_surface(solidify(messy, report)).meshable());
  EXPECT_GT(report.kept_area_m2, 0.96 * report.input_area_m2);
}

INSTANTIATE_TEST_SUITE_P(Shapes, SolidifyData, ::testing::Values("teapot.obj", "beetle.obj", "suzanne.obj"));

}  // namespace
}  // namespace brisance::mesh
