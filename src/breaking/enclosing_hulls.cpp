/// Bottom-up clustering: costs by Bullet's quick hulls, the final hulls by exact predicates.
#include "brisance/breaking/enclosing_hulls.hpp"

#include "brisance/mesh/tet_mesh.hpp"
#include "brisance/rigid/hull.hpp"

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
  std::vector<std::int32_t> corners;  ///< nodes of its hull
  double volume = 0;                  ///< of its hull [m³]
  std::set<std::int32_t> neighbours;
  bool is_merged = false;  ///< into a later one
};

struct Merge {
  double added_volume;
  std::int32_t a, b;
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
      if (fits || num_clusters_ > parameters_.most_hulls)
        join(merge);
      else
        return;  // all others add more
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
      c.corners = nodes_of(tets);
      c.volume = hull_volume(c.corners);
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

  /// Volume of the hull of nodes, which become those at its corners.
  double hull_volume(std::vector<std::int32_t>& nodes) const {
    std::vector<Vec3> points;
    for (const std::int32_t n : nodes) points.push_back(nodes_[n]);
    const rigid::HullCorners hull = rigid::hull_corners(points);
    std::vector<std::int32_t> kept;
    for (const std::int32_t i : hull.corners) kept.push_back(nodes[i]);
    std::sort(kept.begin(), kept.end());
    nodes = std::move(kept);
    return nodes.size() > parameters_.most_vertices ? kFewVertices * hull.volume : hull.volume;
  }

  [[nodiscard]] std::vector<std::int32_t> corners_of_both(std::int32_t a, std::int32_t b) const {
    std::vector<std::int32_t> both;
    std::set_union(clusters_[a].corners.begin(), clusters_[a].corners.end(), clusters_[b].corners.begin(),
                   clusters_[b].corners.end(), std::back_inserter(both));
    return both;
  }

  void propose(std::int32_t a, std::int32_t b) {
    std::vector<std::int32_t> both = corners_of_both(a, b);
    merges_.push({hull_volume(both) - clusters_[a].volume - clusters_[b].volume, a, b});
  }

  void join(const Merge& merge) {
    const auto number = static_cast<std::int32_t>(clusters_.size());
    Cluster joined;
    joined.corners = corners_of_both(merge.a, merge.b);
    joined.volume = hull_volume(joined.corners);
    for (const std::int32_t old : {merge.a, merge.b}) {
      Cluster& part = clusters_[old];
      joined.tets.insert(joined.tets.end(), part.tets.begin(), part.tets.end());
      joined.neighbours.insert(part.neighbours.begin(), part.neighbours.end());
      part.is_merged = true;
      part.tets = {};
    }
    joined.neighbours.erase(merge.a);
    joined.neighbours.erase(merge.b);
    hulls_ += merge.added_volume;
    --num_clusters_;
    clusters_.push_back(std::move(joined));
    for (const std::int32_t n : clusters_[number].neighbours) {
      clusters_[n].neighbours.erase(merge.a);
      clusters_[n].neighbours.erase(merge.b);
      clusters_[n].neighbours.insert(number);
      propose(n, number);
    }
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
