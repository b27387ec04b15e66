/// The cage of an open box, a thick-walled cup: closed, strictly around it, with about the requested number of faces.
#include "brisance/mesh/shapes/shapes.hpp"
#include "brisance/mesh/surface/check.hpp"

#include "mesh/surface/offset_cage.hpp"

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

TEST(OffsetCage, IsStrictlyAroundAnOpenBoxWithTheFacesAskedFor) {
  Surface box = make_shape({}, 0.5);
  box.triangles.erase(box.triangles.begin(), box.triangles.begin() + 2);
  box.source_face.erase(box.source_face.begin(), box.source_face.begin() + 2);
  constexpr double kEdge = 0.4;
  OffsetCageReport report;
  const Surface cage = offset_cage(box, kEdge, report);
  const SurfaceReport check = check_surface(cage);
  EXPECT_TRUE(check.meshable());
  EXPECT_EQ(check.num_components, 1);
  EXPECT_GT(report.offset_m, 0);
  EXPECT_LE(report.num_searches, 10);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(check.lower[i], -0.5);
    EXPECT_GT(check.upper[i], 0.5);
  }
  EXPECT_GT(check.volume_m3, 0.2);
  EXPECT_LT(check.volume_m3, 2);
  const double wanted = check.area_m2 / (0.433 * kEdge * kEdge);
  EXPECT_NEAR(static_cast<double>(check.num_triangles) / wanted, 1, 0.15);
  ASSERT_EQ(cage.source_face.size(), cage.triangles.size());
  OffsetCageReport again;
  EXPECT_EQ(offset_cage(box, kEdge, again).vertices, cage.vertices);
}

}  // namespace
}  // namespace brisance::mesh
