#include "brisance/la/partition.hpp"

#include "brisance/core/error.hpp"
#include "brisance/core/signals.hpp"
#include "brisance/la/row_forest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>
#include <metis.h>

namespace brisance::la {

namespace {

constexpr double kClustersPerPart = 96;  ///< makes parts even within about a percent in each kind of work
constexpr double kWholeWeight = 1e8;     ///< total weight as METIS counts it: its numbers have 32 bits
constexpr double kEdgesARow = 4;         ///< across a face between two clusters
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

/// Halves the rows along their longest extent, by work, until each cluster has at most its share.
void divide_by_place(const GraphPart& part, std::span<const double> work, double work_each,
                     std::span<std::int64_t> rows, Clusters& clusters) {
  const auto work_of = [&](std::int64_t row) { return work[static_cast<std::size_t>(row)]; };
  const auto place_of = [&](std::int64_t row) -> const Vec3& { return part.place[static_cast<std::size_t>(row)]; };
  double sum = 0;
  Eigen::AlignedBox3d box;
  for (const std::int64_t row : rows) {
    sum += work_of(row);
    box.extend(place_of(row));
  }
  if (sum <= work_each || rows.size() < 2) {
    for (const std::int64_t row : rows) clusters.of_row[static_cast<std::size_t>(row)] = clusters.count;
    if (!rows.empty()) ++clusters.count;
    return;
  }
  Eigen::Index axis = 0;
  box.sizes().maxCoeff(&axis);
  std::ranges::sort(rows, {}, [&](std::int64_t row) { return std::pair(place_of(row)[axis], row); });
  std::size_t half = 0;
  for (double below = 0; half + 1 < rows.size() && (half == 0 || below < 0.5 * sum); ++half)
    below += work_of(rows[half]);
  divide_by_place(part, work, work_each, rows.first(half), clusters);
  divide_by_place(part, work, work_each, rows.subspan(half), clusters);
}

Clusters clusters_by_place(const GraphPart& part, std::span<const double> work, double work_each) {
  Clusters clusters;
  clusters.of_row.assign(work.size(), -1);
  std::vector<std::int64_t> rows(work.size());
  std::iota(rows.begin(), rows.end(), 0);
  divide_by_place(part, work, work_each, rows, clusters);
  return clusters;
}

/// The ball that a cluster would be, were its rows spread evenly.
struct Ball {
  std::array<double, 3> centre;
  double radius, rows;
};

std::vector<Ball> balls_of(const GraphPart& part, const Clusters& clusters) {
  std::vector<Ball> balls(static_cast<std::size_t>(clusters.count), Ball{{0, 0, 0}, 0, 0});
  const auto ball_of = [&](std::size_t row) -> Ball& { return balls[static_cast<std::size_t>(clusters.of_row[row])]; };
  for (std::size_t row = 0; row < part.place.size(); ++row) {
    ++ball_of(row).rows;
    for (std::size_t k = 0; k < 3; ++k) ball_of(row).centre[k] += part.place[row][static_cast<Eigen::Index>(k)];
  }
  for (Ball& ball : balls)
    for (double& x : ball.centre) x /= ball.rows;
  const auto centre_of = [](const Ball& ball) { return Vec3(ball.centre[0], ball.centre[1], ball.centre[2]); };
  for (std::size_t row = 0; row < part.place.size(); ++row)
    ball_of(row).radius += (part.place[row] - centre_of(ball_of(row))).squaredNorm();
  for (Ball& ball : balls) ball.radius = std::sqrt(5.0 / 3.0 * ball.radius / ball.rows);
  return balls;
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

/// Adds edges between clusters that reach into each other, for as many rows as a face between them would have if
/// nothing were cracked.
std::vector<Edge> with_neighbours(std::vector<Edge> edges, std::span<const Ball> balls) {
  const auto at = [&](std::size_t ball) -> const Ball& { return balls[ball]; };
  const auto low = [&](std::size_t ball) { return at(ball).centre[0] - at(ball).radius; };
  std::vector<std::size_t> along_x(balls.size());
  std::iota(along_x.begin(), along_x.end(), 0U);
  std::ranges::sort(along_x, {}, low);
  for (std::size_t i = 0; i < along_x.size(); ++i)
    for (std::size_t j = i + 1; j < along_x.size(); ++j) {
      const std::size_t a = along_x[i], b = along_x[j];
      if (low(b) > at(a).centre[0] + at(a).radius) break;
      double squared = 0;
      for (std::size_t k = 0; k < 3; ++k) squared += std::pow(at(a).centre[k] - at(b).centre[k], 2);
      const double overlap = 1 - std::sqrt(squared) / (at(a).radius + at(b).radius);
      if (!(overlap > 0)) continue;
      const double rows = kEdgesARow * overlap * std::cbrt(std::pow(std::min(at(a).rows, at(b).rows), 2));
      edges.push_back({static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), rows});
      edges.push_back({static_cast<std::int64_t>(b), static_cast<std::int64_t>(a), rows});
    }
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
  const Clusters clusters = clusters_by_place(graph, share, graph.num_weights / (kClustersPerPart * comm.size()));
  const auto clusters_of = gather(clusters.count);
  const std::int64_t first_cluster =
      std::accumulate(clusters_of.begin(), clusters_of.begin() + comm.rank(), std::int64_t{0});
  std::vector<std::int64_t> cluster_of_row = clusters.of_row;
  for (std::int64_t& cluster : cluster_of_row) cluster += first_cluster;

  const std::vector<Edge> mine = edges_between(graph, first_row, ClusterOfRow(comm, graph, first_row, cluster_of_row));
  std::vector<double> shares(static_cast<std::size_t>(clusters.count) * num_weights);
  for (std::size_t i = 0; i < graph.weights.size(); ++i)
    shares[static_cast<std::size_t>(clusters.of_row[i / num_weights]) * num_weights + i % num_weights] += share_of(i);

  const std::vector<Ball> balls = comm.all_gather(std::span<const Ball>(balls_of(graph, clusters)));
  const std::vector<Edge> edges = comm.all_gather(std::span<const Edge>(mine));
  const std::vector<double> all_shares = comm.all_gather(std::span<const double>(shares));
  std::vector<std::int32_t> part_of_cluster;
  core::agree(comm, [&] {
    if (!comm.is_root()) return;
    Graph whole_graph = graph_of_clusters(with_neighbours(edges, balls), all_shares, num_weights);
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
