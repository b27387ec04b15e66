#include "mesh/surface/creases.hpp"

#include "mesh/surface/crease_chains.hpp"
#include "mesh/surface/point_grid.hpp"
#include "mesh/surface/sharp_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brisance::mesh {
namespace {

// All relative to the wanted edge length.
constexpr double kLongestGap = 2;              // gap in a crease that is closed
constexpr double kLeastExtent = 4;             // diagonal of a connected net: smaller bumps cannot be resolved
constexpr double kLeastBranch = 1;             // length of a kept chain with a free end
constexpr double kLeastDistance = 0.5;         // between two chains: nearer ones leave only needles between them
constexpr double kNeighbourhood = 1.5;         // radius around a common end in which chains may be nearer
constexpr double kSampleSpacing = 0.25;        // spacing of the points that represent a chain
constexpr double kNeedleRadius = 0.6;          // radius around a needle in which creases are dropped
constexpr double kEdgeBelowNeedles = 0.7;      // factor on the edge that may keep a crease where this one made needles
constexpr double kMostChordDistance = 0.1;     // distance from a chord between corners above which a vertex is a corner
constexpr double kLeastCornerDistance = 0.35;  // between corners along a chain

CreaseNet all_creases(const Surface& surface, double edge_length_m, double feature_angle_deg) {
  CreaseNet net;
  SharpEdges sharp = sharp_edges(surface, feature_angle_deg, kLongestGap * edge_length_m);
  net.edges = std::move(sharp.edges), net.turn_deg = std::move(sharp.turn_deg);
  for (const auto& [a, b] : net.edges) net.length_m.push_back((surface.vertices[a] - surface.vertices[b]).norm());
  net.is_kept.assign(net.edges.size(), true);
  net.keeping_edge_m.assign(net.edges.size(), kKeepsAtAnySize);
  return net;
}

void drop(CreaseNet& net, std::span<const std::int32_t> edges, double keeping_edge_m) {
  for (const auto e : edges) net.is_kept[e] = false, net.keeping_edge_m[e] = keeping_edge_m;
}

std::vector<Chain> kept_chains(const CreaseNet& net, const Surface& surface) {
  return chains_of(net.edges, net.is_kept, surface.vertices.size());
}

double length_m(const CreaseNet& net, const Chain& chain) {
  double length = 0;
  for (const auto e : chain.edges) length += net.length_m[e];
  return length;
}

/// Connected components of chains, each identified by its first chain.
std::vector<std::size_t> components_of(const std::vector<Chain>& chains, std::size_t num_vertices) {
  std::vector<std::int32_t> parent(num_vertices);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Chain& chain : chains) parent[root(chain.vertices.front())] = root(chain.vertices.back());
  std::vector<std::size_t> first(num_vertices, chains.size()), component;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    auto& known = first[root(chains[c].vertices.front())];
    known = std::min(known, c);
    component.push_back(known);
  }
  return component;
}

/// Drops nets that span too little to be resolved.
bool drop_small_nets(CreaseNet& net, const Surface& surface, double edge_length_m) {
  const auto chains = kept_chains(net, surface);
  const auto component = components_of(chains, surface.vertices.size());
  std::vector<Eigen::AlignedBox3d> box(chains.size());
  for (std::size_t c = 0; c < chains.size(); ++c)
    for (const auto v : chains[c].vertices) box[component[c]].extend(surface.vertices[v]);
  bool dropped = false;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const double extent = box[component[c]].diagonal().norm();
    if (extent >= kLeastExtent * edge_length_m) continue;
    drop(net, chains[c].edges, extent / kLeastExtent);
    dropped = true;
  }
  return dropped;
}

/// Drops chains with a free end that are shorter than an edge.
bool drop_short_branches(CreaseNet& net, const Surface& surface, double edge_length_m) {
  const auto chains = kept_chains(net, surface);
  std::vector<int> ends(surface.vertices.size());
  for (const Chain& chain : chains)
    for (const auto v : {chain.vertices.front(), chain.vertices.back()}) ++ends[v];
  bool dropped = false;
  for (const Chain& chain : chains) {
    const double length = length_m(net, chain);
    const bool is_free = ends[chain.vertices.front()] == 1 || ends[chain.vertices.back()] == 1;
    if (!is_free || length >= kLeastBranch * edge_length_m) continue;
    drop(net, chain.edges, length / kLeastBranch);
    dropped = true;
  }
  return dropped;
}

void prune(CreaseNet& net, const Surface& surface, double edge_length_m) {
  while (drop_short_branches(net, surface, edge_length_m)) {
  }
  (void)drop_small_nets(net, surface, edge_length_m);
}

/// Accepted chains, represented by points.
class Accepted {
public:
  Accepted(const Surface& surface, double edge_length_m)
      : surface_(surface), edge_length_m_(edge_length_m), grid_(kLeastDistance * edge_length_m) {}

  /// Distance of the nearest other chain from one edge of a chain, infinite where it is large enough [m].
  [[nodiscard]] double crowding_m(const Chain& chain, std::size_t edge) const {
    const Vec3 middle = (surface_.vertices[chain.vertices[edge]] + surface_.vertices[chain.vertices[edge + 1]]) / 2;
    double nearest = kKeepsAtAnySize;
    grid_.for_each_near(middle, [&](const Vec3& point, std::int32_t other) {
      const double distance = (point - middle).norm();
      if (distance < std::min(nearest, kLeastDistance * edge_length_m_) && !meet(chain, chains_[other], middle, point))
        nearest = distance;
    });
    return nearest;
  }

  /// Adds a chain without the edges for which `is_left_out` holds.
  void add(const Chain& chain, const std::vector<bool>& is_left_out) {
    for (std::size_t i = 0; i < chain.edges.size(); ++i) {
      if (is_left_out[i]) continue;
      const Vec3 &a = surface_.vertices[chain.vertices[i]], &b = surface_.vertices[chain.vertices[i + 1]];
      const int pieces = std::max(1, static_cast<int>((b - a).norm() / (kSampleSpacing * edge_length_m_)));
      for (int k = 0; k <= pieces; ++k) grid_.add(a + (b - a) * k / pieces, static_cast<std::int32_t>(chains_.size()));
    }
    chains_.push_back({chain.vertices.front(), chain.vertices.back()});
  }

private:
  /// Are both points in the neighbourhood of a common end of the chains?
  [[nodiscard]] bool meet(const Chain& chain, const std::array<std::int32_t, 2>& other, const Vec3& x,
                          const Vec3& y) const {
    const double reach = kNeighbourhood * edge_length_m_;
    for (const auto v : {chain.vertices.front(), chain.vertices.back()})
      for (const auto w : other)
        if (v == w && (surface_.vertices[v] - x).norm() < reach && (surface_.vertices[v] - y).norm() < reach)
          return true;
    return false;
  }

  const Surface& surface_;
  double edge_length_m_;
  PointGrid grid_;
  std::vector<std::array<std::int32_t, 2>> chains_;  ///< ends of each chain
};

/// Of chains that are too near to each other the longest is kept.
void drop_crowded(CreaseNet& net, const Surface& surface, double edge_length_m) {
  const auto chains = kept_chains(net, surface);
  std::vector<double> length;
  for (const Chain& chain : chains) length.push_back(length_m(net, chain));
  std::vector<std::size_t> order(chains.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length[a] > length[b]; });
  Accepted accepted(surface, edge_length_m);
  for (const auto c : order) {
    const Chain& chain = chains[c];
    std::vector<bool> is_crowded;
    for (std::size_t i = 0; i < chain.edges.size(); ++i) {
      const double distance = accepted.crowding_m(chain, i);
      is_crowded.push_back(distance < kKeepsAtAnySize);
      if (is_crowded.back()) drop(net, {&chain.edges[i], 1}, distance / kLeastDistance);
    }
    accepted.add(chain, is_crowded);
  }
}

double distance_to_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
  const double squared = (b - a).squaredNorm();
  const double share = squared > 0 ? std::clamp((x - a).dot(b - a) / squared, 0.0, 1.0) : 0;
  return (a + share * (b - a) - x).norm();
}

/// Finds the corners of a chain: vertices too far from the chords between its ends and corners (Douglas and Peucker's
/// algorithm), if they are not too near to each other.
class CornerSearch {
public:
  CornerSearch(const Chain& chain, const Surface& surface, double edge_length_m)
      : chain_(chain), surface_(surface), edge_length_m_(edge_length_m) {
    for (std::size_t i = 0; i < chain.vertices.size(); ++i)
      walked_m_.push_back(i == 0 ? 0 : walked_m_.back() + (point(i) - point(i - 1)).norm());
  }

  std::vector<std::int32_t> corners() {
    const std::size_t last = chain_.vertices.size() - 1;
    if (!chain_.is_closed()) {
      search(0, last);
      return std::move(found_);
    }
    const std::size_t opposite = farthest(0, last).first;  // used as the ends of a closed chain
    for (const std::size_t i : {std::size_t{0}, opposite}) found_.push_back(chain_.vertices[i]);
    search(0, opposite), search(opposite, last);
    return std::move(found_);
  }

private:
  [[nodiscard]] const Vec3& point(std::size_t i) const { return surface_.vertices[chain_.vertices[i]]; }

  /// The vertex between two that is farthest from their chord among possible corners, and its distance.
  [[nodiscard]] std::pair<std::size_t, double> farthest(std::size_t first, std::size_t last) const {
    std::pair<std::size_t, double> most{first, 0};
    for (std::size_t i = first + 1; i < last; ++i) {
      const double along = std::min(walked_m_[i] - walked_m_[first], walked_m_[last] - walked_m_[i]);
      const double distance = distance_to_segment(point(i), point(first), point(last));
      if (along >= kLeastCornerDistance * edge_length_m_ && distance > most.second) most = {i, distance};
    }
    return most;
  }

  void search(std::size_t first, std::size_t last) {
    const auto [middle, distance] = farthest(first, last);
    if (distance <= kMostChordDistance * edge_length_m_) return;
    found_.push_back(chain_.vertices[middle]);
    search(first, middle);
    search(middle, last);
  }

  const Chain& chain_;
  const Surface& surface_;
  double edge_length_m_;
  std::vector<double> walked_m_;
  std::vector<std::int32_t> found_;
};

void find_corners(CreaseNet& net, const Surface& surface, double edge_length_m) {
  net.corners.clear();
  for (const Chain& chain : kept_chains(net, surface))
    for (const auto v : CornerSearch(chain, surface, edge_length_m).corners()) net.corners.push_back(v);
}

}  // namespace

CreaseNet find_creases(const Surface& surface, double edge_length_m, double feature_angle_deg) {
  CreaseNet net = all_creases(surface, edge_length_m, feature_angle_deg);
  prune(net, surface, edge_length_m);
  drop_crowded(net, surface, edge_length_m);
  prune(net, surface, edge_length_m);
  find_corners(net, surface, edge_length_m);
  return net;
}

CreaseNet find_all_creases(const Surface& surface, double edge_length_m, double feature_angle_deg) {
  CreaseNet net = all_creases(surface, edge_length_m, feature_angle_deg);
  while (drop_short_branches(net, surface, edge_length_m)) {
  }
  find_corners(net, surface, edge_length_m);
  return net;
}

void drop_creases_near(CreaseNet& net, const Surface& surface, double edge_length_m, std::span<const Vec3> points,
                       double turn_deg) {
  const double radius = kNeedleRadius * edge_length_m;
  PointGrid grid(radius);
  for (const Vec3& x : points) grid.add(x, 0);
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(net.edges.size()); ++e) {
    if (!net.is_kept[e] || net.turn_deg[e] >= turn_deg) continue;
    const Vec3 &a = surface.vertices[net.edges[e][0]], &b = surface.vertices[net.edges[e][1]];
    bool is_near = false;
    for (const Vec3& x : {a, Vec3((a + b) / 2), b})
      grid.for_each_near(x, [&](const Vec3& point, std::int32_t) { is_near |= (point - x).norm() < radius; });
    if (is_near) drop(net, {&e, 1}, kEdgeBelowNeedles * edge_length_m);
  }
  prune(net, surface, edge_length_m);
  find_corners(net, surface, edge_length_m);
}

void drop_all(CreaseNet& net, double edge_length_m) {
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(net.edges.size()); ++e)
    if (net.is_kept[e]) drop(net, {&e, 1}, kEdgeBelowNeedles * edge_length_m);
  net.corners.clear();
}

double edge_that_keeps_m(const CreaseNet& net, double share) {
  std::vector<std::pair<double, double>> lost;  // wanted edge that would keep an edge, and its length
  double whole = 0;
  for (std::size_t e = 0; e < net.edges.size(); ++e) {
    whole += net.length_m[e];
    if (!net.is_kept[e]) lost.emplace_back(net.keeping_edge_m[e], net.length_m[e]);
  }
  std::sort(lost.begin(), lost.end());
  double missing = 0;
  for (const auto& [edge, length] : lost) {
    missing += length;
    if (missing > (1 - share) * whole) return edge;
  }
  return kKeepsAtAnySize;
}

}  // namespace brisance::mesh
