// A graph divided by weight over the ranks that hold it.
#include "brisance/la/partition.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace brisance::la {
namespace {

constexpr std::int64_t kSide = 60;

/// Rows of this rank, an equal share, of a square grid; vertices of the lower left quarter weigh 20, others 1.
GraphPart grid(const core::Comm& comm) {
  const std::int64_t from = kSide * kSide * comm.rank() / comm.size(),
                     to = kSide * kSide * (comm.rank() + 1) / comm.size();
  GraphPart graph;
  graph.first.push_back(0);
  for (std::int64_t v = from; v < to; ++v) {
    const std::int64_t x = v % kSide, y = v / kSide;
    if (y > 0) graph.neighbours.push_back(v - kSide);
    if (x > 0) graph.neighbours.push_back(v - 1);
    if (x + 1 < kSide) graph.neighbours.push_back(v + 1);
    if (y + 1 < kSide) graph.neighbours.push_back(v + kSide);
    graph.first.push_back(static_cast<std::int64_t>(graph.neighbours.size()));
    graph.weight.push_back(x < kSide / 2 && y < kSide / 2 ? 20 : 1);
  }
  return graph;
}

TEST(BalancedParts, HaveEqualWeightsAndMostStays) {
  const core::Comm world;
  const GraphPart graph = grid(world);
  const std::vector<std::int32_t> part = balanced_parts(world, graph, kSide * kSide);
  ASSERT_EQ(part.size(), graph.weight.size());
  const std::int64_t total = world.sum(std::accumulate(graph.weight.begin(), graph.weight.end(), std::int64_t{0}));
  const double mean = static_cast<double>(total) / world.size();
  std::int64_t stays = 0;
  for (int p = 0; p < world.size(); ++p) {
    std::int64_t weight = 0;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (part[i] == p) weight += graph.weight[i];
    if (p == world.rank()) stays = weight;
    EXPECT_NEAR(static_cast<double>(world.sum(weight)), mean, 0.1 * mean) << p;
  }
  // Named at random, one in `size` would stay; named the best way, no less than that.
  EXPECT_GE(static_cast<double>(world.sum(stays)), static_cast<double>(total) / world.size());
}

}  // namespace
}  // namespace brisance::la
