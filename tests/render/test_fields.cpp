#include "brisance/core/error.hpp"

#include "plates.hpp"
#include "render/fields.hpp"
#include "render/geometry/corners.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::render {
namespace {

io::SnapshotPart stressed(const SymMat3& stress) {
  io::SnapshotPart part = test::box_snapshot(Vec3::Zero(), Vec3(1, 1, 1)).part;
  for (SymMat3& s : part.stress) s = stress;
  return part;
}

double only_value(const io::SnapshotPart& part, ColourBy field) {
  const auto values = corner_values(part, field, elements_below(part));
  for (const auto& corners : values)
    for (const double value : corners) EXPECT_EQ(value, values[0][0]);
  return values.at(0)[0];
}

TEST(Fields, StressMeasuresMeetTheirTextbookValues) {
  SymMat3 tension, shear, pressure;
  tension << 3e6, 0, 0, 0, 0, 0;
  shear << 0, 0, 0, 2e6, 0, 0;
  pressure << -5e6, -5e6, -5e6, 0, 0, 0;
  EXPECT_NEAR(only_value(stressed(tension), ColourBy::von_mises_stress), 3e6, 1e-3);
  EXPECT_NEAR(only_value(stressed(shear), ColourBy::von_mises_stress), std::sqrt(3) * 2e6, 1e-3);
  EXPECT_NEAR(only_value(stressed(pressure), ColourBy::von_mises_stress), 0, 1e-3);
  EXPECT_NEAR(only_value(stressed(tension), ColourBy::max_principal_stress), 3e6, 1e-3);
  EXPECT_NEAR(only_value(stressed(shear), ColourBy::max_principal_stress), 2e6, 1e-3);
  EXPECT_NEAR(only_value(stressed(pressure), ColourBy::max_principal_stress), -5e6, 1e-3);
}

TEST(Fields, PlasticStrainCountsShearsTwiceAndMayBeAbsent) {
  io::SnapshotPart part = stressed(SymMat3::Zero());
  EXPECT_EQ(only_value(part, ColourBy::plastic_strain), 0);
  SymMat3 strain;
  strain << 0.03, -0.03, 0, 0.02, 0, 0;
  part.plastic_strain.assign(part.tets.size(), strain);
  EXPECT_NEAR(only_value(part, ColourBy::plastic_strain), std::sqrt(2 * 0.03 * 0.03 + 2 * 0.02 * 0.02), 1e-15);
}

TEST(Fields, ElementsAreFoundByIdInAnyOrder) {
  io::SnapshotPart part = stressed(SymMat3::Zero());
  const auto before = elements_below(part);
  for (auto& id : part.element_id) id = 1000 - 7 * id;
  for (auto& id : part.boundary_element) id = 1000 - 7 * id;
  EXPECT_EQ(elements_below(part), before);
  part.boundary_element[0] = 5;
  EXPECT_THROW((void)elements_below(part), core::Error);
}

TEST(Fields, RangeLeavesOutTheLastPercent) {
  std::vector<std::array<double, 3>> values;
  for (int i = 0; i < 999; ++i) values.push_back({-1.0, 1.0, 2.0});
  values.push_back({-1e9, 1e9, 1e9});
  const ValueRange principal = value_range(values, ColourBy::max_principal_stress);
  EXPECT_EQ(principal.low, -1);
  EXPECT_EQ(principal.high, 2);
  EXPECT_EQ(value_range(values, ColourBy::von_mises_stress).low, 0);
}

TEST(Fields, NormalsAreSmoothOnlyAcrossBluntEdgesOfTheOriginalSurface) {
  io::SnapshotPart part = test::box_snapshot(Vec3::Zero(), Vec3(1, 1, 1), 1).part;
  const Corners corners = exploded_corners(part, elements_below(part), 0);
  auto num_along_axis = [&](double crease_deg) {
    int count = 0;
    for (const auto& triangle : shading_normals(part, corners, crease_deg))
      for (const Vec3f& n : triangle) count += n.cwiseAbs().maxCoeff() > 0.999F ? 1 : 0;
    return count;
  };
  EXPECT_EQ(num_along_axis(80), 36);  // right angles stay sharp
  EXPECT_EQ(num_along_axis(100), 0);  // every corner of a cube now mixes three faces
  for (auto& source : part.source_triangle) source = -1;
  EXPECT_EQ(num_along_axis(100), 36);  // crack surfaces stay flat
}

}  // namespace
}  // namespace brisance::render
