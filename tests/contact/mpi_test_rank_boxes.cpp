/// Boxes of other ranks' elements: they contain these elements, and are outdated by relative motion alone.
#include "brisance/contact/surface/rank_boxes.hpp"

#include "boundary_box.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

constexpr double kAllowance_m = 0.1;

/// Corners of elements of each rank.
struct Corner {
  int rank;
  std::array<double, 3> place;
};
std::vector<Corner> corners_of_all(const dist::Mesh& mesh) {
  std::vector<Corner> own;
  for (std::int32_t i = 0; i < mesh.num_element_slots(); ++i)
    if (const LocalElement e(i); mesh.is_held(e))
      for (const LocalNode n : mesh.corners(e)) {
        const dist::NodeMotion& motion = mesh.motion[n];
        own.push_back({mesh.comm().rank(), {motion.position[0], motion.position[1], motion.position[2]}});
      }
  return mesh.comm().all_gather(std::span<const Corner>(own));
}

RankBoxes exchanged(const dist::Mesh& mesh) {
  RankBoxes boxes(kAllowance_m);
  boxes.exchange(mesh, static_cast<std::size_t>(mesh.num_node_slots()));
  return boxes;
}

TEST(RankBoxes, EveryElementOfAnotherRankIsNearItself) {
  const dist::Mesh mesh = testing::boundary_box(4);
  const RankBoxes boxes = exchanged(mesh);
  EXPECT_EQ(boxes.is_empty(), mesh.comm().size() == 1);
  for (const Corner& corner : corners_of_all(mesh)) {
    if (corner.rank == mesh.comm().rank()) continue;
    const Vec3 x(corner.place[0], corner.place[1], corner.place[2]);
    const std::vector<int> ranks = boxes.ranks_near(x, x, 0);
    EXPECT_NE(std::ranges::find(ranks, corner.rank), ranks.end());
    EXPECT_TRUE(std::ranges::is_sorted(ranks));
  }
}

// Four allowances are added to the reach: both sides may have moved by one, and may do so once more.
TEST(RankBoxes, ReachAndAllowanceDecideWhoIsNear) {
  const dist::Mesh mesh = testing::boundary_box(4);
  const RankBoxes boxes = exchanged(mesh);
  if (boxes.is_empty()) GTEST_SKIP() << "one rank has no others";
  double farthest = 0;  // the boxes of the others end there
  for (const Corner& corner : corners_of_all(mesh))
    if (corner.rank != mesh.comm().rank()) farthest = std::max(farthest, corner.place[0]);
  const Vec3 beyond(farthest + 1, 0.5, 0.5), low(beyond.x(), -9, -9), high(beyond.x(), 9, 9);
  EXPECT_FALSE(boxes.ranks_near(low, high, 1.001 - 4 * kAllowance_m).empty());
  EXPECT_TRUE(boxes.ranks_near(low, high, 0.999 - 4 * kAllowance_m).empty());
}

TEST(RankBoxes, RelativeMotionOutdatesThemAndACommonOneDoesNot) {
  dist::Mesh mesh = testing::boundary_box(3);
  const RankBoxes boxes = exchanged(mesh);
  const auto are_outdated = [&] { return boxes.are_outdated(mesh.comm().max(boxes.largest_displacements(mesh))); };
  const auto shift = [&](double by, const auto& moves) {
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_used(n) && moves(mesh.node_id[n])) mesh.motion[n].position[1] += by;
  };
  EXPECT_FALSE(are_outdated());
  shift(5, [](GlobalNode) { return true; });
  EXPECT_FALSE(are_outdated());
  const auto is_first = [](GlobalNode id) { return id.value == 0; };
  shift(0.99 * kAllowance_m, is_first);
  EXPECT_FALSE(are_outdated());
  shift(0.02 * kAllowance_m, is_first);
  EXPECT_TRUE(are_outdated());
}

}  // namespace
}  // namespace brisance::contact
