#include "brisance/contact/surface/point_grid.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

std::vector<Vec3> random_points(std::size_t count, double far, std::mt19937& random) {
  std::uniform_real_distribution<double> anywhere(-1, 1);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(anywhere(random), anywhere(random), anywhere(random));
  if (count > 0) points.front() *= far;
  return points;
}

TEST(PointGrid, FindsWhatLookingAtAllPointsFinds) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> size(0, 0.5);
  for (const double far : {1.0, 1e9})  // one point far away must not take memory for the cells between
    for (const double cell : {0.01, 0.1, 3.0}) {
      const std::vector<Vec3> points = random_points(2000, far, random);
      const PointGrid grid(points, cell);
      for (int i = 0; i < 50; ++i) {
        const Vec3 low = random_points(1, 1.2, random).front(),
                   high = low + Vec3(size(random), size(random), size(random));
        std::vector<std::size_t> found, all;
        grid.for_each_in(low, high, [&](std::size_t p) { found.push_back(p); });
        for (std::size_t p = 0; p < points.size(); ++p)
          if ((points[p].array() >= low.array()).all() && (points[p].array() <= high.array()).all()) all.push_back(p);
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, all);
      }
    }
}

TEST(PointGrid, OfNoPointsFindsNothing) {
  const PointGrid grid({}, 1);
  grid.for_each_in(Vec3(-1, -1, -1), Vec3(1, 1, 1), [](std::size_t) { FAIL(); });
}

}  // namespace
}  // namespace brisance::contact
