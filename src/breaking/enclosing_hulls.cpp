/// Bottom-up clustering: costs by Bullet's quick hulls and what a node adds to them, the final hulls by exact
/// predicates.
#include "brisance/breaking/enclosing_hulls.hpp"

#include "brisance/mesh/tet_mesh.hpp"

#include "breaking/hull_growth.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace brisance::breaking {

namespace {

constexpr std::size_t kMostAtStart = 4000;  ///< clusters to begin with: single tets, but for large pieces
constexpr double kFewVertices = 1.17;       ///< volume of a hull reduced to 60 vertices over that of a round one

using Tet = std::array<std::int32_t, 4>;

struct Cluster {
  std::vector<std::int32_t> tets;
  NodeHull hull;
  double volume = 0;  ///< of its hull, as it will be with few vertices [m³]
  std::set<std::int32_t> neighbours;
  bool is_merged = false;  ///< into a later one
};

struct Merge {
  double added_volume;
  std::int32_t a, b;
  bool is_bound;                              ///< it may add more
  bool operator<(const Merge& other) const {  // the top of a queue is the largest
    return std::pair(-added_volume, std::pair(-a, -b)) < std::pair(-other.added_volume, std::pair(-other.a, -other.b));
  }
};

/// The hull with its vertices in the order of their coordinates: CGAL's order depends on addresses.
mesh::ConvexHull sorted(const mesh::ConvexHull& hull) {
  std::vector<std::int32_t> order(hull.vertices.size()), row(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const Vec3 &x = hull.vertices[a], &y = hull.vertices[b];
    return std::tie(x[0], x[1], x[2]) < std::tie(y[0], y[1], y[2]);
  });
  mesh::ConvexHull made{{}, hull.triangles, hull.volume_m3};
  for (std::size_t i = 0; i < order.size(); ++i) {
    row[order[i]] = static_cast<std::int32_t>(i);
    made.vertices.push_back(hull.vertices[order[i]]);
  }
  for (auto& triangle : made.triangles) {
    for (std::int32_t& corner : triangle) corner = row[corner];
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  }
  std::sort(made.triangles.begin(), made.triangles.end());
  return made;
}

class Merging {
public:
  Merging(std::span<const Vec3> nodes, std::span<const Tet> tets, const EnclosingHullParameters& parameters)
      : nodes_(nodes), tets_(tets), parameters_(parameters) {
    for (const Tet& t : tets) solid_ += mesh::tet_volume(nodes[t[0]], nodes[t[1]], nodes[t[2]], nodes[t[3]]);
    begin();
  }

  void run() {
    while (!merges_.empty()) {
      const Merge merge = merges_.top();
      merges_.pop();
      if (clusters_[merge.a].is_merged || clusters_[merge.b].is_merged) continue;
      const bool fits = hulls_ + merge.added_volume <= parameters_.volume_bound * solid_;
      if (!fits && num_clusters_ <= parameters_.most_hulls) return;  // all others add more
      if (merge.is_bound)
        merges_.push({added_volume(merge.a, merge.b), merge.a, merge.b, false});
      else
        join(merge);
    }
  }

  [[nodiscard]] std::vector<mesh::ConvexHull> hulls() const {
    std::vector<mesh::ConvexHull> made;
    for (const Cluster& c : clusters_) {
      if (c.is_merged) continue;
      std::vector<Vec3> points;
      for (const std::int32_t n : nodes_of(c.tets)) points.push_back(nodes_[n]);
      made.push_back(sorted(mesh::enclosing_hull(points, parameters_.most_vertices)));
    }
    return made;
  }

private:
  /// Halves groups of tets across their longest side until there are enough, or single tets.
  void begin() {
    std::vector<std::int32_t> all(tets_.size());
    for (std::size_t t = 0; t < all.size(); ++t) all[t] = static_cast<std::int32_t>(t);
    halve(std::move(all), std::max<std::size_t>(1, tets_.size() / kMostAtStart));
    std::vector<std::int32_t> cluster_of_tet(tets_.size());
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      for (const std::int32_t t : clusters_[c].tets) cluster_of_tet[t] = static_cast<std::int32_t>(c);
    std::map<std::array<std::int32_t, 3>, std::int32_t> open;  // faces, with the cluster on their first side
    for (std::size_t t = 0; t < tets_.size(); ++t)
      for (const auto& face : mesh::kFaceCorners) {
        std::array<std::int32_t, 3> key{tets_[t][face[0]], tets_[t][face[1]], tets_[t][face[2]]};
        std::sort(key.begin(), key.end());
        const auto [found, is_new] = open.try_emplace(key, cluster_of_tet[t]);
        const std::int32_t a = found->second, b = cluster_of_tet[t];
        if (is_new || a == b) continue;
        clusters_[a].neighbours.insert(b);
        clusters_[b].neighbours.insert(a);
      }
    num_clusters_ = clusters_.size();
    for (std::size_t a = 0; a < clusters_.size(); ++a)
      for (const std::int32_t b : clusters_[a].neighbours)
        if (static_cast<std::int32_t>(a) < b) propose(static_cast<std::int32_t>(a), b);
  }

  void halve(std::vector<std::int32_t> tets, std::size_t most) {
    if (tets.size() <= most) {
      Cluster c;
      c.hull = NodeHull(nodes_, nodes_of(tets));
      c.volume = volume_of(c.hull);
      c.tets = std::move(tets);
      hulls_ += c.volume;
      clusters_.push_back(std::move(c));
      return;
    }
    Vec3 low = middle(tets[0]), high = low;
    for (const std::int32_t t : tets) {
      low = low.cwiseMin(middle(t));
      high = high.cwiseMax(middle(t));
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const auto half = tets.begin() + static_cast<std::ptrdiff_t>(tets.size() / 2);
    std::nth_element(tets.begin(), half, tets.end(), [&](std::int32_t s, std::int32_t t) {
      return std::pair(middle(s)[axis], s) < std::pair(middle(t)[axis], t);
    });
    halve({tets.begin(), half}, most);
    halve({half, tets.end()}, most);
  }

  [[nodiscard]] Vec3 middle(std::int32_t t) const {
    const Tet& c = tets_[t];
    return (nodes_[c[0]] + nodes_[c[1]] + nodes_[c[2]] + nodes_[c[3]]) / 4;
  }

  [[nodiscard]] std::vector<std::int32_t> nodes_of(const std::vector<std::int32_t>& tets) const {
    std::vector<std::int32_t> all;
    for (const std::int32_t t : tets) all.insert(all.end(), tets_[t].begin(), tets_[t].end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// Volume of a hull once its vertices are few enough.
  [[nodiscard]] double with_few_vertices(double volume, std::size_t num_vertices) const {
    return num_vertices > parameters_.most_vertices ? kFewVertices * volume : volume;
  }
  [[nodiscard]] double volume_of(const NodeHull& hull) const {
    return with_few_vertices(hull.volume(), hull.corners().size());
  }

  [[nodiscard]] NodeHull hull_of_both(const NodeHull& a, const NodeHull& b) const {
    std::vector<std::int32_t> both;
    std::set_union(a.corners().begin(), a.corners().end(), b.corners().begin(), b.corners().end(),
                   std::back_inserter(both));
    return {nodes_, both};
  }

  [[nodiscard]] double added_volume(std::int32_t a, std::int32_t b) const {
    const Cluster &first = clusters_[a], &second = clusters_[b];
    return volume_of(hull_of_both(first.hull, second.hull)) - first.volume - second.volume;
  }

  /// By what the smaller one's corners add to the larger one; few merges come so far that their hull is needed.
  void propose(std::int32_t a, std::int32_t b) {
    const Cluster &first = clusters_[a], &second = clusters_[b];
    const bool is_first_larger = first.hull.volume() >= second.hull.volume();
    const NodeHull &large = is_first_larger ? first.hull : second.hull,
                   &small = is_first_larger ? second.hull : first.hull;
    const NodeHull::Size size = large.with(nodes_, small.corners());
    const double added = with_few_vertices(size.volume, size.num_corners) - first.volume - second.volume;
    merges_.push({added, a, b, size.is_bound});
  }

  /// Takes neighbours over that lie in the hull of a cluster, which does not change by that.
  void absorb(std::int32_t number) {
    Cluster& all = clusters_[number];
    std::vector<std::int32_t> open(all.neighbours.begin(), all.neighbours.end());
    while (!open.empty()) {
      const std::int32_t n = open.back();
      open.pop_back();
      Cluster& part = clusters_[n];
      if (part.is_merged || !all.hull.holds(nodes_, part.hull.corners())) continue;
      take_over(n, number, all);
      hulls_ -= part.volume;
      --num_clusters_;
      for (const std::int32_t m : part.neighbours)
        if (m != number && all.neighbours.insert(m).second) open.push_back(m);
    }
  }

  /// Tets and neighbours' links of a cluster become those of another one.
  void take_over(std::int32_t old, std::int32_t number, Cluster& all) {
    Cluster& part = clusters_[old];
    all.tets.insert(all.tets.end(), part.tets.begin(), part.tets.end());
    all.neighbours.erase(old);
    for (const std::int32_t m : part.neighbours) {
      if (m == number) continue;
      clusters_[m].neighbours.erase(old);
      clusters_[m].neighbours.insert(number);
    }
    part.is_merged = true;
    part.tets = {};
    part.hull = {};
  }

  void join(const Merge& merge) {
    const auto number = static_cast<std::int32_t>(clusters_.size());
    Cluster joined;
    joined.hull = hull_of_both(clusters_[merge.a].hull, clusters_[merge.b].hull);
    joined.volume = volume_of(joined.hull);
    for (const std::int32_t old : {merge.a, merge.b}) {
      const std::set<std::int32_t>& around = clusters_[old].neighbours;
      joined.neighbours.insert(around.begin(), around.end());
    }
    for (const std::int32_t old : {merge.a, merge.b}) take_over(old, number, joined);
    hulls_ += joined.volume - clusters_[merge.a].volume - clusters_[merge.b].volume;
    --num_clusters_;
    clusters_.push_back(std::move(joined));
    absorb(number);
    for (const std::int32_t n : clusters_[number].neighbours) propose(n, number);
  }

  std::span<const Vec3> nodes_;
  std::span<const Tet> tets_;
  EnclosingHullParameters parameters_;
  std::vector<Cluster> clusters_;
  std::priority_queue<Merge> merges_;
  std::size_t num_clusters_ = 0;
  double solid_ = 0, hulls_ = 0;  ///< volume of the piece, and of all hulls now [m³]
};

}  // namespace

std::vector<mesh::ConvexHull> enclosing_hulls(std::span<const Vec3> nodes, std::span<const Tet> tets,
                                              const EnclosingHullParameters& parameters) {
  Merging merging(nodes, tets, parameters);
  merging.run();
  return merging.hulls();
}

}  // namespace brisance::breaking
