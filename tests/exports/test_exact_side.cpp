#include "exports/skin/exact_side.hpp"

#include <random>

#include <gtest/gtest.h>

namespace brisance::exports {
namespace {

const Vec3 a(0.1, 0.2, 0.3), b(1.3, 0.2, 0.1), c(0.4, 1.7, 0.2);

TEST(ExactSide, TellsTheSideOfPointsFarFromTheTriangle) {
  const Vec3 up = (b - a).cross(c - a), middle = (a + b + c) / 3;
  EXPECT_EQ(side_of_moved_point(a, b, c, middle + 0.1 * up), 1);
  EXPECT_EQ(side_of_moved_point(a, b, c, middle - 0.1 * up), -1);
  EXPECT_EQ(side_of_moved_triangle(a, b, c, middle + 0.1 * up), 1);
}

TEST(ExactSide, IsNeverInThePlaneAndChangesSignWithTheTriangle) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const double u = share(random), v = share(random);
    const Vec3 x = i < 3 ? std::array{a, b, c}[static_cast<std::size_t>(i)] : Vec3(a + u * (b - a) + v * (c - a));
    const int side = side_of_moved_point(a, b, c, x);
    EXPECT_NE(side, 0);
    EXPECT_EQ(side_of_moved_point(b, c, a, x), side);
    EXPECT_EQ(side_of_moved_point(b, a, c, x), -side);
    // A point on a moved triangle is where the moved point is on the other side.
    EXPECT_NE(side_of_moved_triangle(a, b, c, x), 0);
    const bool is_corner = i < 3;
    EXPECT_TRUE(!is_corner || side_of_moved_triangle(a, b, c, x) == -side);
  }
}

TEST(ExactSide, EdgesThatMeetPassEachOther) {
  const Vec3 q = 0.5 * a + 0.5 * b;
  const int turn = turn_of_edges(a, b, c, q);
  EXPECT_NE(turn, 0);
  EXPECT_EQ(turn_of_edges(b, a, c, q), -turn);
  EXPECT_EQ(turn_of_edges(a, b, q, c), -turn);
}

}  // namespace
}  // namespace brisance::exports
