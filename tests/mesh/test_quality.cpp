// Against the closed forms of the regular and of the corner tet.
#include "brisance/mesh/tets/quality.hpp"

#include "support/kuhn.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace brisance::mesh {
namespace {

TEST(Quality, RegularTet) {
  const Vec3 a(1, 1, 1), b(1, -1, -1), c(-1, 1, -1), d(-1, -1, 1);  // edges 2√2
  for (const double angle : dihedral_angles(a, b, c, d)) EXPECT_NEAR(angle, std::acos(1.0 / 3), 1e-14);
  for (const double height : altitudes(a, b, c, d)) EXPECT_NEAR(height, std::sqrt(8.0) * std::sqrt(2.0 / 3), 1e-14);
}

TEST(Quality, CornerTetListsItsEdgesInOrder) {
  const auto angles = dihedral_angles(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ());
  for (int e = 0; e < 6; ++e)
    EXPECT_NEAR(angles[e], e < 3 ? std::numbers::pi / 2 : std::acos(1 / std::sqrt(3.0)), 1e-14);
  const auto heights = altitudes(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ());
  EXPECT_NEAR(heights[0], 1 / std::sqrt(3.0), 1e-15);
  for (int i = 1; i < 4; ++i) EXPECT_NEAR(heights[i], 1, 1e-15);
}

TEST(Quality, KuhnCubes) {
  const Quality quality = measure_quality(test::kuhn_box(2, 2, 2, 2, 2, 2));
  EXPECT_NEAR(quality.volume_m3, 8, 1e-12);
  EXPECT_NEAR(quality.smallest_tet_volume_m3, 1.0 / 6, 1e-14);
  EXPECT_NEAR(quality.smallest_dihedral_rad, std::numbers::pi / 4, 1e-12);
  EXPECT_NEAR(quality.largest_dihedral_rad, std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(quality.smallest_altitude_m, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(quality.longest_edge_m, std::sqrt(3.0), 1e-14);
  // 3·2·3·3 edges along the axes, 3·2·2·3 face diagonals, 8 body diagonals.
  EXPECT_NEAR(quality.mean_edge_m, (54 + 36 * std::sqrt(2.0) + 8 * std::sqrt(3.0)) / 98, 1e-12);
}

TEST(Quality, TheWorstHundredthLeavesOutOneTetOfTwoHundred) {
  TetMesh mesh = test::kuhn_box(4, 4, 2, 4, 4, 2);  // 192 tets of 45° and 90°
  const Quality even = measure_quality(mesh);
  EXPECT_NEAR(even.percent_least_dihedral_rad, std::numbers::pi / 4, 1e-12);
  EXPECT_NEAR(even.percent_largest_dihedral_rad, std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(even.percent_altitude_m, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(even.thin_share, 0);
  const auto first = static_cast<std::int32_t>(mesh.nodes.size());
  for (const Vec3& x : {Vec3(9, 0, 0), Vec3(10, 0, 0), Vec3(9, 1, 0), Vec3(9.3, 0.3, 0.05)}) mesh.nodes.push_back(x);
  mesh.tets.push_back({first, first + 1, first + 2, first + 3});
  const Quality one_flat = measure_quality(mesh);
  EXPECT_NEAR(one_flat.smallest_altitude_m, 0.05, 1e-12);
  EXPECT_NEAR(one_flat.percent_altitude_m, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(one_flat.percent_least_dihedral_rad, std::numbers::pi / 4, 1e-12);
  EXPECT_NEAR(one_flat.thin_share, 1.0 / 193, 1e-12);
}

TEST(Quality, FlatTetHasNoAltitudeAndNoMeshHasNoQuality) {
  const auto angles = dihedral_angles({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0});
  EXPECT_EQ(*std::min_element(angles.begin(), angles.end()), 0);
  EXPECT_EQ(altitudes({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0})[0], 0);
  EXPECT_EQ(measure_quality({}).mean_edge_m, 0);
}

}  // namespace
}  // namespace brisance::mesh
