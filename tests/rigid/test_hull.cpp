/// Volumes of convex hulls.
#include "brisance/rigid/hull.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace brisance::rigid {
namespace {

TEST(Hull, VolumesOfABoxAPrismAndASheet) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) points.emplace_back(7 + (k & 1), 2.0 * (k >> 1 & 1), 3.0 * (k >> 2 & 1));
  EXPECT_NEAR(hull_volume(points), 6, 1e-9);
  points.emplace_back(7.5, 1, 1);  // inside
  EXPECT_NEAR(hull_volume(points), 6, 1e-9);
  EXPECT_NEAR(hull_volume(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), 1.0 / 6, 1e-9);
  EXPECT_NEAR(hull_volume(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), 0, 1e-9);
  EXPECT_EQ(hull_volume(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 0);
}

}  // namespace
}  // namespace brisance::rigid
