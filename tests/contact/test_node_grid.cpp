/// The grid gives every node of a box, whatever was moved before, and nothing twice.
#include "brisance/contact/surface/node_grid.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::contact {
namespace {

std::vector<std::int32_t> nodes_in(const NodeGrid& grid, const std::vector<Vec3>& at, const Vec3& low,
                                   const Vec3& high) {
  std::vector<std::int32_t> found;
  grid.for_each_near(low, high, [&](std::int32_t node) {
    const Vec3& p = at[static_cast<std::size_t>(node)];
    if ((p.array() >= low.array()).all() && (p.array() <= high.array()).all()) found.push_back(node);
  });
  std::ranges::sort(found);
  return found;
}

std::vector<std::int32_t> all_in(const std::vector<Vec3>& at, const Vec3& low, const Vec3& high) {
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < at.size(); ++i)
    if ((at[i].array() >= low.array()).all() && (at[i].array() <= high.array()).all())
      found.push_back(static_cast<std::int32_t>(i));
  return found;
}

TEST(NodeGrid, GivesAllNodesOfABoxOnceHoweverTheyWereMoved) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-2, 2), size(0, 1.5);
  std::vector<Vec3> at;
  NodeGrid grid;
  grid.reset(10, 0.3);  // more nodes come than it was told of
  const auto random_place = [&] { return Vec3(place(random), place(random), place(random)); };
  for (std::int32_t i = 0; i < 300; ++i) {
    at.push_back(random_place());
    grid.put(i, at.back());
  }
  for (int round = 0; round < 20; ++round) {
    for (int k = 0; k < 50; ++k) {
      const auto node = static_cast<std::int32_t>(random() % at.size());
      at[static_cast<std::size_t>(node)] = random_place();
      grid.put(node, at[static_cast<std::size_t>(node)]);
    }
    const Vec3 low = random_place(), high = low + Vec3(size(random), size(random), size(random));
    EXPECT_EQ(nodes_in(grid, at, low, high), all_in(at, low, high));
  }
  // A box with more cells than there are nodes.
  EXPECT_EQ(nodes_in(grid, at, Vec3::Constant(-1e6), Vec3::Constant(1e6)).size(), at.size());
}

TEST(NodeGrid, AnEmptyOneGivesNothingAndFarPlacesDoNotOverflow) {
  NodeGrid grid;
  grid.reset(2, 1e-3);
  grid.for_each_near(Vec3::Constant(-1), Vec3::Constant(1), [](std::int32_t) { FAIL(); });
  const std::vector<Vec3> at{Vec3(1e30, 0, 0), Vec3(-1e30, 0, 0)};
  grid.put(0, at[0]);
  grid.put(1, at[1]);
  EXPECT_EQ(nodes_in(grid, at, Vec3(1e30, -1, -1), Vec3(1e30, 1, 1)), std::vector<std::int32_t>{0});
}

}  // namespace
}  // namespace brisance::contact
