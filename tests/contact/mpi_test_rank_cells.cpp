/// Cells of other ranks' elements: whoever may come near is found, and relative motion alone makes an exchange due.
#include "brisance/contact/surface/rank_cells.hpp"

#include "boundary_box.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

constexpr double kAllowance_m = 0.02, kReach_m = 0.05;

Vec3 place_of(const dist::Mesh& mesh, LocalNode n) { return Vec3(mesh.motion[n].position); }

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
        const Vec3 x = place_of(mesh, n);
        own.push_back({mesh.comm().rank(), {x[0], x[1], x[2]}});
      }
  return mesh.comm().all_gather(std::span<const Corner>(own));
}

RankCells exchanged(const dist::Mesh& mesh) {
  RankCells cells(kAllowance_m, kReach_m);
  cells.exchange(mesh, static_cast<std::size_t>(mesh.num_node_slots()));
  return cells;
}

/// Ranks near each owned node, for this reach.
std::vector<std::vector<int>> near_nodes(const dist::Mesh& mesh, const RankCells& cells, double reach_m) {
  std::vector<std::vector<int>> all;
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_owned(n)) {
      const Vec3 x = place_of(mesh, n);
      cells.find_near(x, x, reach_m, all.emplace_back());
    }
  return all;
}

void shift_all(dist::Mesh& mesh, const Vec3& by) {
  for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
    if (const LocalNode n(i); mesh.is_used(n))
      for (std::size_t k = 0; k < 3; ++k) mesh.motion[n].position[k] += by[static_cast<Eigen::Index>(k)];
}

// Also for a reach far beyond the size of cells, and where coordinates are negative.
TEST(RankCells, FindWhoseElementsAreWithinReach) {
  dist::Mesh mesh = testing::boundary_box(6);
  shift_all(mesh, Vec3(-0.4, -0.3, 7));
  const RankCells cells = exchanged(mesh);
  const std::vector<Corner> corners = corners_of_all(mesh);
  for (const double reach_m : {0.0, kReach_m, 0.3}) {
    std::size_t next = 0;
    const auto found = near_nodes(mesh, cells, reach_m);
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i) {
      const LocalNode n(i);
      if (!mesh.is_owned(n)) continue;
      const std::vector<int>& ranks = found[next++];
      EXPECT_TRUE(std::ranges::is_sorted(ranks));
      EXPECT_EQ(std::ranges::find(ranks, mesh.comm().rank()), ranks.end());
      for (const Corner& corner : corners) {
        const Vec3 away = Vec3(corner.place[0], corner.place[1], corner.place[2]) - place_of(mesh, n);
        if (corner.rank != mesh.comm().rank() && away.lpNorm<Eigen::Infinity>() <= reach_m + 2 * kAllowance_m)
          EXPECT_NE(std::ranges::find(ranks, corner.rank), ranks.end());
      }
    }
  }
}

TEST(RankCells, WhoIsFarAwayIsNotFound) {
  const dist::Mesh mesh = testing::boundary_box(4);
  const RankCells cells = exchanged(mesh);
  EXPECT_EQ(cells.is_empty(), mesh.comm().size() == 1);
  std::vector<int> ranks{7};
  cells.find_near(Vec3(9, 9, 9), Vec3(9, 9, 9), kReach_m, ranks);
  EXPECT_TRUE(ranks.empty());
}

TEST(RankCells, ACommonMotionChangesNothing) {
  dist::Mesh mesh = testing::boundary_box(4);
  RankCells cells = exchanged(mesh);
  const auto before = near_nodes(mesh, cells, kReach_m);
  shift_all(mesh, Vec3(0.5, 3, -2));
  EXPECT_TRUE(cells.follow(mesh.comm().max(cells.largest_displacements(mesh))));
  EXPECT_EQ(near_nodes(mesh, cells, kReach_m - 1e-9), before);
}

TEST(RankCells, RelativeMotionMakesAnExchangeDue) {
  dist::Mesh mesh = testing::boundary_box(3);
  RankCells cells = exchanged(mesh);
  const auto is_due = [&] { return !cells.follow(mesh.comm().max(cells.largest_displacements(mesh))); };
  const auto shift_first = [&](double by) {
    for (std::int32_t i = 1; i < mesh.num_node_slots(); ++i)
      if (const LocalNode n(i); mesh.is_used(n) && mesh.node_id[n].value == 0) mesh.motion[n].position[1] += by;
  };
  EXPECT_FALSE(is_due());
  shift_all(mesh, Vec3(0, 5, 0));
  EXPECT_FALSE(is_due());
  shift_first(0.99 * kAllowance_m);
  EXPECT_FALSE(is_due());
  shift_first(0.02 * kAllowance_m);
  EXPECT_TRUE(is_due());
}

}  // namespace
}  // namespace brisance::contact
