// A graph divided by several weights over the ranks that hold it.
#include "brisance/la/partition.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

namespace brisance::la {
namespace {

constexpr std::int64_t kSide = 60;

/// Rows of this rank, an equal share, of a square grid. One kind of work is everywhere, the other only in the lower
/// left corner, where it is more than all of the first: a balance of the sum alone balances neither.
GraphPart grid(const core::Comm& comm) {
  const std::int64_t from = kSide * kSide * comm.rank() / comm.size(),
                     to = kSide * kSide * (comm.rank() + 1) / comm.size();
  GraphPart graph;
  graph.num_weights = 2;
  graph.first.push_back(0);
  for (std::int64_t v = from; v < to; ++v) {
    const std::int64_t x = v % kSide, y = v / kSide;
    if (y > 0) graph.neighbours.push_back(v - kSide);
    if (x > 0) graph.neighbours.push_back(v - 1);
    if (x + 1 < kSide) graph.neighbours.push_back(v + 1);
    if (y + 1 < kSide) graph.neighbours.push_back(v + kSide);
    graph.first.push_back(static_cast<std::int64_t>(graph.neighbours.size()));
    graph.weights.push_back(1);
    graph.place.emplace_back(static_cast<double>(x), static_cast<double>(y), 0);
    graph.weights.push_back(x < kSide / 4 && y < kSide / 4 ? 20 : 0);
  }
  return graph;
}

TEST(BalancedParts, HaveTheirShareOfEveryWeightAndMostStays) {
  const core::Comm world;
  const GraphPart graph = grid(world);
  const std::vector<std::int32_t> part = balanced_parts(world, graph);
  ASSERT_EQ(part.size(), graph.first.size() - 1);
  for (std::size_t kind = 0; kind < 2; ++kind) {
    std::vector<std::int64_t> weight(static_cast<std::size_t>(world.size()));
    std::int64_t total = 0;
    for (std::size_t i = 0; i < part.size(); ++i)
      weight[static_cast<std::size_t>(part[i])] += static_cast<std::int64_t>(graph.weights[2 * i + kind]);
    for (std::int64_t& w : weight) total += w = world.sum(w);
    const double mean = static_cast<double>(total) / world.size();
    // 225 rows do the second kind: on four ranks a row is two percent of a share.
    for (const std::int64_t w : weight) EXPECT_NEAR(static_cast<double>(w), mean, 0.1 * mean) << kind;
  }
  std::int64_t stays = 0;
  for (const std::int32_t p : part) stays += p == world.rank() ? 1 : 0;
  // Named at random, one in `size` would stay; named the best way, no less than that.
  EXPECT_GE(world.sum(stays) * world.size(), kSide * kSide);
}

TEST(BalancedParts, NoWorkOfAKindIsNoneToDivide) {
  const core::Comm world;
  GraphPart graph = grid(world);
  for (std::size_t i = 1; i < graph.weights.size(); i += 2) graph.weights[i] = 0;
  const std::vector<std::int32_t> part = balanced_parts(world, graph);
  for (int p = 0; p < world.size(); ++p)
    EXPECT_NEAR(static_cast<double>(world.sum(std::ranges::count(part, p))),
                static_cast<double>(kSide * kSide) / world.size(), 0.05 * kSide * kSide);
}

volatile std::sig_atomic_t num_heard = 0;
extern "C" void hear(int) { num_heard = num_heard + 1; }

TEST(BalancedParts, KeepTheHandlerOfSigterm) {
  struct sigaction ours {
  }, before{}, after{};
  ours.sa_handler = hear;
  ours.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &ours, &before);
  const core::Comm world;
  const GraphPart graph = grid(world);
  const std::vector<std::int32_t> quiet = balanced_parts(world, graph);
  std::atomic<bool> ended = false;
  std::thread sender([&, worker = pthread_self()] {
    for (; !ended; std::this_thread::sleep_for(std::chrono::microseconds(20))) pthread_kill(worker, SIGTERM);
  });
  num_heard = 0;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(balanced_parts(world, graph), quiet);
  ended = true;
  sender.join();
  sigaction(SIGTERM, &before, &after);
  EXPECT_GT(num_heard, 0);
  EXPECT_EQ(after.sa_handler, hear);
  EXPECT_EQ(after.sa_flags & static_cast<int>(SA_RESTART | SA_RESETHAND), SA_RESTART);
}

}  // namespace
}  // namespace brisance::la
