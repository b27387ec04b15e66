/// Minimum cuts against all subsets of small graphs, and warm starts against cold ones on larger ones.
#include "brisance/core/random.hpp"
#include "brisance/modes/search/min_cut.hpp"

#include "modes/random_graph.hpp"
#include "support/kuhn.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace brisance::modes {
namespace {

std::vector<double> areas(const CellGraph& graph) {
  std::vector<double> weight;
  for (const Face& f : graph.faces) weight.push_back(f.area);
  return weight;
}

/// Gains in [−1, 1] that sum to zero.
std::vector<double> random_gain(std::int32_t num_cells, std::uint64_t seed) {
  std::vector<double> gain;
  double mean = 0;
  for (std::int32_t c = 0; c < num_cells; ++c) {
    gain.push_back(2 * core::hash_uniform(seed, static_cast<std::uint64_t>(c), 2) - 1);
    mean += gain.back() / num_cells;
  }
  for (double& g : gain) g -= mean;
  return gain;
}

template <class InSet>
double value(const CellGraph& graph, const std::vector<double>& gain, double t, const InSet& in_set) {
  double sum = 0;
  for (std::int32_t c = 0; c < graph.num_cells(); ++c)
    if (in_set(c)) sum += gain[c];
  for (const Face& f : graph.faces)
    if (in_set(f.a) != in_set(f.b)) sum -= t * f.area;
  return sum;
}

double value_of(const CellGraph& graph, const std::vector<double>& gain, double t,
                const std::vector<std::uint8_t>& set) {
  return value(graph, gain, t, [&](std::int32_t c) { return set[c] != 0; });
}

double best_by_trying_all(const CellGraph& graph, const std::vector<double>& gain, double t) {
  double best = 0;
  for (unsigned subset = 1; subset < 1u << graph.num_cells(); ++subset)
    best = std::max(best, value(graph, gain, t, [&](std::int32_t c) { return (subset >> c & 1u) != 0; }));
  return best;
}

TEST(MinCut, EqualsTheBestOfAllSubsets) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CellGraph graph = test::random_graph(11, 8, seed);
    MinCut cut(graph, areas(graph));
    for (std::uint64_t k = 0; k < 8; ++k) {  // each search starts from the flow of the one before
      const auto gain = random_gain(11, 100 * seed + k);
      const double t = 0.05 * std::exp2(static_cast<double>((5 * k) % 7));
      EXPECT_NEAR(value_of(graph, gain, t, cut.best_set(gain, t)), best_by_trying_all(graph, gain, t), 1e-12)
          << "seed " << seed << ", search " << k;
    }
  }
}

TEST(MinCut, WarmStartsGiveTheValueOfColdOnes) {
  const CellGraph graph = cell_graph(brisance::test::kuhn_box(8, 8, 8, 1, 1, 1));
  MinCut warm(graph, areas(graph));
  double largest = 0;
  for (std::uint64_t k = 0; k < 30; ++k) {
    auto gain = random_gain(graph.num_cells(), k / 3);
    const double t = 40 + 17.0 * static_cast<double>((7 * k) % 11);
    MinCut cold(graph, areas(graph));
    const double expected = value_of(graph, gain, t, cold.best_set(gain, t));
    EXPECT_NEAR(value_of(graph, gain, t, warm.best_set(gain, t)), expected, 1e-9 * graph.num_cells());
    largest = std::max(largest, expected);
  }
  EXPECT_GT(largest, 1);  // some of the searches were not trivial
}

TEST(MinCut, ScalingGainsAndWeightsAlikeChangesNothing) {
  const CellGraph graph = cell_graph(brisance::test::kuhn_box(4, 4, 4, 1, 1, 1));
  const auto gain = random_gain(graph.num_cells(), 3);
  auto weight = areas(graph);
  MinCut cut(graph, weight);
  const auto set = cut.best_set(gain, 30);
  auto scaled_gain = gain;
  for (double& w : weight) w *= 0x1p-40;
  for (double& g : scaled_gain) g *= 0x1p-40;
  MinCut scaled(graph, weight);
  EXPECT_EQ(scaled.best_set(scaled_gain, 30), set);
}

TEST(MinCut, TooHighAPriceLeavesNothingWorthTaking) {
  const CellGraph graph = test::random_graph(200, 300, 5);
  const auto gain = random_gain(200, 6);
  MinCut cut(graph, areas(graph));
  EXPECT_NEAR(value_of(graph, gain, 1e6, cut.best_set(gain, 1e6)), 0, 1e-9);
}

}  // namespace
}  // namespace brisance::modes
