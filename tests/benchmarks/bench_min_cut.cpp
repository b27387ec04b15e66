/// Our minimum cut beside LEMON's and Boost's, on the cuts of a convex step: one tet graph, gains and prices that
/// change a little from search to search. Every program must find the same value.
#include "brisance/core/random.hpp"
#include "brisance/modes/search/min_cut.hpp"

#include "support/kuhn.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <benchmark/benchmark.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <lemon/preflow.h>
#include <lemon/static_graph.h>

namespace {

using namespace brisance;

constexpr double kUnits = 0x1p50;  ///< integer units of capacity in 1

struct Problem {
  modes::CellGraph graph;
  std::vector<double> weight;
  std::vector<std::vector<double>> gains;
  std::vector<double> prices;
};

/// A cube of 6n³ tets with face weights that vary by half; six searches, each near the one before.
Problem problem(int n) {
  Problem p;
  const mesh::TetMesh mesh = test::kuhn_box(n, n, n, 1, 1, 1);
  p.graph = modes::cell_graph(mesh);
  for (std::size_t f = 0; f < p.graph.faces.size(); ++f)
    p.weight.push_back(p.graph.faces[f].area * (0.75 + core::hash_uniform(1, f, 0) / 2));
  for (int search = 0; search < 6; ++search) {
    std::vector<double> gain;
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
      Vec3 centre = Vec3::Zero();
      for (const std::int32_t corner : mesh.tets[e]) centre += mesh.nodes[corner] / 4;
      const Vec3 wave = (centre * std::numbers::pi).array().cos();
      gain.push_back(p.graph.volume[e] * (wave.x() + 0.02 * search * wave.y() + 0.1 * wave.z() * wave.x()));
    }
    p.gains.push_back(std::move(gain));
    p.prices.push_back(0.1 + 0.03 * search);
  }
  return p;
}

std::int64_t integer(double value) { return std::llround(value * kUnits); }

template <class InSet>
double value(const Problem& p, std::size_t search, const InSet& in_set) {
  double sum = 0;
  for (std::int32_t c = 0; c < p.graph.num_cells(); ++c)
    if (in_set(c)) sum += p.gains[search][c];
  for (std::size_t f = 0; f < p.weight.size(); ++f)
    if (in_set(p.graph.faces[f].a) != in_set(p.graph.faces[f].b)) sum -= p.prices[search] * p.weight[f];
  return sum;
}

double ours(const Problem& p, modes::MinCut& cut, std::size_t search) {
  const auto& set = cut.best_set(p.gains[search], p.prices[search]);
  return value(p, search, [&](std::int32_t c) { return set[c] != 0; });
}

double cold(const Problem& p, std::size_t search) {
  modes::MinCut cut(p.graph, p.weight);
  return ours(p, cut, search);
}

/// The same graph with a source n and a sink n + 1, every face as two arcs.
double lemon_preflow(const Problem& p, std::size_t search) {
  using Graph = lemon::StaticDigraph;
  struct Arc {
    int from, to;
    std::int64_t capacity;
  };
  const int n = p.graph.num_cells();
  std::vector<Arc> arcs;
  for (std::size_t f = 0; f < p.weight.size(); ++f) {
    const std::int64_t capacity = integer(p.prices[search] * p.weight[f]);
    arcs.push_back({p.graph.faces[f].a, p.graph.faces[f].b, capacity});
    arcs.push_back({p.graph.faces[f].b, p.graph.faces[f].a, capacity});
  }
  for (int c = 0; c < n; ++c) {
    const std::int64_t gain = integer(p.gains[search][c]);
    if (gain > 0) arcs.push_back({n, c, gain});
    if (gain < 0) arcs.push_back({c, n + 1, -gain});
  }
  std::stable_sort(arcs.begin(), arcs.end(), [](const Arc& x, const Arc& y) { return x.from < y.from; });
  std::vector<std::pair<int, int>> ends;
  for (const Arc& a : arcs) ends.emplace_back(a.from, a.to);
  Graph graph;
  graph.build(n + 2, ends.begin(), ends.end());
  Graph::ArcMap<std::int64_t> capacity(graph);
  for (std::size_t a = 0; a < arcs.size(); ++a) capacity[Graph::arc(static_cast<int>(a))] = arcs[a].capacity;
  lemon::Preflow<Graph, Graph::ArcMap<std::int64_t>> flow(graph, capacity, Graph::node(n), Graph::node(n + 1));
  flow.runMinCut();
  return value(p, search, [&](std::int32_t c) { return flow.minCut(Graph::node(c)); });
}

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using BoostGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<boost::vertex_color_t, boost::default_color_type,
                    boost::property<boost::vertex_distance_t, long,
                                    boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

BoostGraph boost_graph(const Problem& p, std::size_t search) {
  const auto n = static_cast<std::size_t>(p.graph.num_cells());
  BoostGraph graph(n + 2);
  const auto join = [&](std::size_t from, std::size_t to, std::int64_t there, std::int64_t back) {
    const auto a = boost::add_edge(from, to, graph).first;
    const auto b = boost::add_edge(to, from, graph).first;
    boost::put(boost::edge_capacity, graph, a, there);
    boost::put(boost::edge_capacity, graph, b, back);
    boost::put(boost::edge_reverse, graph, a, b);
    boost::put(boost::edge_reverse, graph, b, a);
  };
  for (std::size_t f = 0; f < p.weight.size(); ++f) {
    const std::int64_t capacity = integer(p.prices[search] * p.weight[f]);
    join(static_cast<std::size_t>(p.graph.faces[f].a), static_cast<std::size_t>(p.graph.faces[f].b), capacity,
         capacity);
  }
  for (std::size_t c = 0; c < n; ++c) {
    const std::int64_t gain = integer(p.gains[search][c]);
    if (gain > 0) join(n, c, gain, 0);
    if (gain < 0) join(c, n + 1, -gain, 0);
  }
  return graph;
}

/// Both maximum flows leave Σ gain⁺ − flow as the value of the best set.
double value_from_flow(const Problem& p, std::size_t search, std::int64_t flow) {
  double supply = 0;
  for (const double g : p.gains[search]) supply += std::max(g, 0.0);
  return supply - static_cast<double>(flow) / kUnits;
}

double boost_push_relabel(const Problem& p, std::size_t search) {
  BoostGraph graph = boost_graph(p, search);
  const auto n = static_cast<std::size_t>(p.graph.num_cells());
  return value_from_flow(p, search, boost::push_relabel_max_flow(graph, n, n + 1));
}

double boost_boykov_kolmogorov(const Problem& p, std::size_t search) {
  BoostGraph graph = boost_graph(p, search);
  const auto n = static_cast<std::size_t>(p.graph.num_cells());
  return value_from_flow(p, search, boost::boykov_kolmogorov_max_flow(graph, n, n + 1));
}

/// All six searches; `find` gives the value of one.
template <class Find>
void run(benchmark::State& state, const Find& find) {
  const Problem p = problem(static_cast<int>(state.range(0)));
  std::vector<double> expected;
  for (std::size_t search = 0; search < p.gains.size(); ++search) expected.push_back(cold(p, search));
  for (auto _ : state)
    for (std::size_t search = 0; search < p.gains.size(); ++search)
      if (std::abs(find(p, search) - expected[search]) > 1e-7 * expected[search])
        state.SkipWithError("the cuts differ in value");
  state.counters["tets"] = p.graph.num_cells();
}

void warm(benchmark::State& state) {
  std::unique_ptr<modes::MinCut> cut;
  run(state, [&](const Problem& p, std::size_t search) {
    if (search == 0) cut = std::make_unique<modes::MinCut>(p.graph, p.weight);
    return ours(p, *cut, search);
  });
}

BENCHMARK(warm)->Arg(8)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, cold, cold)->Arg(8)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, lemon_preflow, lemon_preflow)->Arg(8)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, boost_push_relabel, boost_push_relabel)->Arg(8)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, boost_boykov_kolmogorov, boost_boykov_kolmogorov)->Arg(8)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
