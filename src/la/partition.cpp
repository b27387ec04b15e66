#include "brisance/la/partition.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/signals.hpp"
#include "brisance/la/row_forest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <metis.h>

namespace brisance::la {

namespace {

constexpr double kClustersPerPart = 96;  ///< makes parts even within about a percent in each kind of work
constexpr double kWholeWeight = 1e8;     ///< total weight as METIS counts it: its numbers have 32 bits
constexpr idx_t kMostParts = 8;          ///< largest number of parts for which recursive bisection is better

/// A graph in METIS's format.
struct Graph {
  std::vector<idx_t> first{0}, neighbours, edge_weights, weights;
};

std::vector<idx_t> divide(Graph& graph, idx_t num_weights, idx_t num_parts) {
  auto num_rows = static_cast<idx_t>(graph.first.size() - 1);
  std::vector<idx_t> part(static_cast<std::size_t>(num_rows));
  if (num_parts == 1 || num_rows == 0) return part;
  if (num_rows <= num_parts) {
    std::iota(part.begin(), part.end(), 0);
    return part;
  }
  idx_t settings[METIS_NOPTIONS], cut = 0;
  METIS_SetDefaultOptions(settings);
  settings[METIS_OPTION_SEED] = 1;
  const auto method = num_parts <= kMostParts ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  idx_t* edge_weights = graph.edge_weights.empty() ? nullptr : graph.edge_weights.data();
  const core::SigtermGuard guard;
  if (method(&num_rows, &num_weights, graph.first.data(), graph.neighbours.data(), graph.weights.data(), nullptr,
             edge_weights, &num_parts, nullptr, nullptr, settings, &cut, part.data()) != METIS_OK)
    throw core::Error(
        "METIS could not divide the work among the ranks. Set time.rebalance_above = 0 to leave it as it is.");
  return part;
}

/// This rank's rows grouped into clusters.
struct Clusters {
  std::vector<std::int64_t> of_row;
  std::int64_t count = 0;
};

/// Each cluster grows from its first row, neighbours first, until it has its share of the work.
Clusters join_rows(const GraphPart& part, std::int64_t first_row, std::span<const double> work, double work_each) {
  Clusters clusters;
  clusters.of_row.assign(work.size(), -1);
  std::vector<std::int64_t> cluster;
  for (std::size_t seed = 0; seed < work.size(); ++seed) {
    if (clusters.of_row[seed] >= 0) continue;
    cluster.assign(1, static_cast<std::int64_t>(seed));
    clusters.of_row[seed] = clusters.count;
    double sum = work[seed];
    for (std::size_t next = 0; next < cluster.size() && sum < work_each; ++next)
      for (std::int64_t i = part.first[cluster[next]]; i < part.first[cluster[next] + 1] && sum < work_each; ++i) {
        const std::int64_t row = part.neighbours[i] - first_row;
        if (row < 0 || row >= std::ssize(work) || clusters.of_row[row] >= 0) continue;
        clusters.of_row[row] = clusters.count;
        cluster.push_back(row);
        sum += work[row];
      }
    ++clusters.count;
  }
  return clusters;
}

/// Clusters of this rank's rows, and of the rows of others that its graph names.
class ClusterOfRow {
public:
  /// Collective.
  ClusterOfRow(const core::Comm& comm, const GraphPart& part, std::int64_t first_row,
               const std::vector<std::int64_t>& of_mine)
      : of_mine_(of_mine), first_row_(first_row) {
    for (const std::int64_t row : part.neighbours) note(row);
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    of_others_ = RowForest(comm, of_mine.size(), others_).fetch(of_mine);
  }
  [[nodiscard]] std::int64_t operator[](std::int64_t row) const {
    if (is_mine(row)) return of_mine_[static_cast<std::size_t>(row - first_row_)];
    return of_others_[static_cast<std::size_t>(std::ranges::lower_bound(others_, row) - others_.begin())];
  }

private:
  [[nodiscard]] bool is_mine(std::int64_t row) const {
    return row >= first_row_ && row < first_row_ + std::ssize(of_mine_);
  }
  void note(std::int64_t row) {
    if (!is_mine(row)) others_.push_back(static_cast<PetscInt>(row));
  }

  const std::vector<std::int64_t>& of_mine_;
  std::int64_t first_row_;
  std::vector<PetscInt> others_;
  std::vector<std::int64_t> of_others_;
};

struct Edge {
  std::int64_t from, to;  ///< clusters of all ranks
  double rows;            ///< number of row edges between them
};

/// Sorted, with equal edges merged.
std::vector<Edge> merged(std::vector<Edge> edges) {
  const auto ends = [](const Edge& edge) { return std::pair(edge.from, edge.to); };
  std::ranges::stable_sort(edges, {}, ends);
  std::size_t kept = 0;
  for (const Edge& edge : edges)
    if (kept > 0 && ends(edges[kept - 1]) == ends(edge))
      edges[kept - 1].rows += edge.rows;
    else
      edges[kept++] = edge;
  edges.resize(kept);
  return edges;
}

/// Edges that start at this rank's clusters.
std::vector<Edge> edges_between(const GraphPart& part, std::int64_t first_row, const ClusterOfRow& cluster) {
  std::vector<Edge> edges;
  const auto add = [&](std::int64_t from, std::int64_t to, double rows) {
    if (from != to) edges.push_back({from, to, rows});
  };
  for (std::int64_t row = 0; row < std::ssize(part.first) - 1; ++row)
    for (std::int64_t i = part.first[row]; i < part.first[row + 1]; ++i)
      add(cluster[first_row + row], cluster[part.neighbours[i]], 1);
  return merged(std::move(edges));
}

/// The graph of all clusters; `shares` [cluster][kind].
Graph graph_of_clusters(std::span<const Edge> edges, std::span<const double> shares, std::size_t num_weights) {
  Graph graph;
  for (const double share : shares) graph.weights.push_back(static_cast<idx_t>(kWholeWeight * share));
  auto edge = edges.begin();
  for (std::size_t c = 0; c < shares.size() / num_weights; ++c) {
    for (; edge != edges.end() && edge->from == static_cast<std::int64_t>(c); ++edge) {
      graph.neighbours.push_back(static_cast<idx_t>(edge->to));
      graph.edge_weights.push_back(static_cast<idx_t>(std::max(1.0, std::round(edge->rows))));
    }
    graph.first.push_back(static_cast<idx_t>(graph.neighbours.size()));
  }
  return graph;
}

/// Numbers of the parts under which most rows keep their rank: greedy, the largest pairs of rank and part first.
std::vector<std::int32_t> names_for_parts(const core::Comm& comm, std::span<const std::int64_t> rows_in_part) {
  const auto size = static_cast<std::size_t>(comm.size());
  const std::vector<std::int64_t> all = comm.all_gather(rows_in_part);  // [rank][part]
  std::vector<std::size_t> pairs(all.size());
  std::iota(pairs.begin(), pairs.end(), 0U);
  std::stable_sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) { return all[a] > all[b]; });
  std::vector<std::int32_t> name(size, -1);
  std::vector<bool> taken(size, false);
  for (const std::size_t pair : pairs) {
    const std::size_t rank = pair / size, part = pair % size;
    if (taken[rank] || name[part] >= 0) continue;
    taken[rank] = true;
    name[part] = static_cast<std::int32_t>(rank);
  }
  return name;
}

}  // namespace

std::vector<std::int32_t> balanced_parts(const core::Comm& comm, const GraphPart& graph) {
  const auto num_weights = static_cast<std::size_t>(graph.num_weights);
  const std::size_t num_rows = graph.first.size() - 1;
  const auto whole = [&] {
    std::vector<double> sums(num_weights);
    for (std::size_t i = 0; i < graph.weights.size(); ++i) sums[i % num_weights] += graph.weights[i];
    const std::vector<double> all = comm.all_gather(std::span<const double>(sums));
    std::ranges::fill(sums, 0);
    for (std::size_t i = 0; i < all.size(); ++i) sums[i % num_weights] += all[i];
    return sums;
  }();
  const auto share_of = [&](std::size_t i) {
    const double sum = whole[i % num_weights];
    return sum > 0 ? graph.weights[i] / sum : 0;
  };
  std::vector<double> share(num_rows);
  for (std::size_t i = 0; i < graph.weights.size(); ++i) share[i / num_weights] += share_of(i);

  const auto gather = [&](std::int64_t value) { return comm.all_gather(std::span<const std::int64_t>(&value, 1)); };
  const auto counts = gather(static_cast<std::int64_t>(num_rows));
  const std::int64_t first_row = std::accumulate(counts.begin(), counts.begin() + comm.rank(), std::int64_t{0});
  const Clusters clusters = join_rows(graph, first_row, share, graph.num_weights / (kClustersPerPart * comm.size()));
  const auto clusters_of = gather(clusters.count);
  const std::int64_t first_cluster =
      std::accumulate(clusters_of.begin(), clusters_of.begin() + comm.rank(), std::int64_t{0});
  std::vector<std::int64_t> cluster_of_row = clusters.of_row;
  for (std::int64_t& cluster : cluster_of_row) cluster += first_cluster;

  const std::vector<Edge> mine = edges_between(graph, first_row, ClusterOfRow(comm, graph, first_row, cluster_of_row));
  std::vector<double> shares(static_cast<std::size_t>(clusters.count) * num_weights);
  for (std::size_t i = 0; i < graph.weights.size(); ++i)
    shares[static_cast<std::size_t>(clusters.of_row[i / num_weights]) * num_weights + i % num_weights] += share_of(i);

  const std::vector<Edge> edges = merged(comm.all_gather(std::span<const Edge>(mine)));
  const std::vector<double> all_shares = comm.all_gather(std::span<const double>(shares));
  std::vector<std::int32_t> part_of_cluster;
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    Graph whole_graph = graph_of_clusters(edges, all_shares, num_weights);
    const auto parts = divide(whole_graph, graph.num_weights, comm.size());
    part_of_cluster.assign(parts.begin(), parts.end());
  });
  part_of_cluster = comm.all_gather(std::span<const std::int32_t>(part_of_cluster));

  std::vector<std::int32_t> result(num_rows);
  std::vector<std::int64_t> rows_in_part(static_cast<std::size_t>(comm.size()));
  for (std::size_t row = 0; row < num_rows; ++row) {
    result[row] = part_of_cluster[static_cast<std::size_t>(cluster_of_row[row])];
    ++rows_in_part[static_cast<std::size_t>(result[row])];
  }
  const std::vector<std::int32_t> name = names_for_parts(comm, rows_in_part);
  for (std::int32_t& p : result) p = name[static_cast<std::size_t>(p)];
  return result;
}

}  // namespace brisance::la
