/// Convex parts of shapes whose hull is known.
#include "brisance/rigid/hull.hpp"

#include "breaking/atom_hulls.hpp"
#include "support/kuhn.hpp"

#include <gtest/gtest.h>

namespace brisance::breaking {
namespace {

double volume_of_hulls(const std::vector<std::vector<Vec3>>& hulls) {
  double volume = 0;
  for (const auto& hull : hulls) volume += rigid::hull_volume(hull);
  return volume;
}

TEST(ConvexParts, ABoxIsOneHull) {
  const mesh::TetMesh box = test::kuhn_box(4, 3, 2, 4, 3, 2);
  const auto hulls = convex_parts(box.nodes, box.tets);
  ASSERT_EQ(hulls.size(), 1u);
  EXPECT_NEAR(rigid::hull_volume(hulls[0]), 24, 1e-9);
}

TEST(ConvexParts, AFrameIsTakenApartIntoItsBars) {
  mesh::TetMesh frame = test::kuhn_box(8, 8, 2, 8, 8, 2);  // without its middle 4×4×2
  std::erase_if(frame.tets, [&](const auto& tet) {
    Vec3 centre = Vec3::Zero();
    for (const std::int32_t n : tet) centre += frame.nodes[n] / 4;
    return std::abs(centre.x() - 4) < 2 && std::abs(centre.y() - 4) < 2;
  });
  const auto hulls = convex_parts(frame.nodes, frame.tets);
  EXPECT_GE(hulls.size(), 4u);
  EXPECT_LE(hulls.size(), 12u);
  EXPECT_GE(volume_of_hulls(hulls), 96 - 1e-9) << "they cover it";
  EXPECT_LE(volume_of_hulls(hulls), 1.1 * 96) << "one hull holds 128";
}

}  // namespace
}  // namespace brisance::breaking
