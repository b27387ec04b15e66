#include "mesh/surface/sharp_edges.hpp"

#include "mesh/surface/surface_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace brisance::mesh {
namespace {

using Edge = std::array<std::int32_t, 2>;

constexpr double kFaded = 0.5;        // factor on the angle for edges that may close a gap
constexpr double kLeastCosine = 0.5;  // between an edge of a gap and the one before it

Vec3 normal_of(const Surface& surface, std::int32_t triangle) {
  const auto& [a, b, c] = surface.triangles[triangle];
  return (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]).normalized();
}

/// Sharp and faded edges, and their incidence.
struct Candidates {
  std::vector<Edge> edges;
  std::vector<double> turn_deg;
  std::vector<bool> is_sharp;
  std::vector<std::vector<std::int32_t>> at;  ///< edges at each vertex
};

Candidates candidates(const Surface& surface, double angle_deg) {
  Candidates found;
  found.at.resize(surface.vertices.size());
  const double sharp = std::cos(angle_deg * std::numbers::pi / 180);
  const double faded = std::cos(kFaded * angle_deg * std::numbers::pi / 180);
  for_each_edge(edge_sides(surface), [&](std::span<const EdgeSide> sides) {
    if (sides.size() != 2) return;
    const double cosine = normal_of(surface, sides[0].triangle).dot(normal_of(surface, sides[1].triangle));
    if (cosine >= faded) return;
    for (const auto v : {sides[0].low, sides[0].high})
      found.at[v].push_back(static_cast<std::int32_t>(found.edges.size()));
    found.edges.push_back({sides[0].low, sides[0].high});
    found.turn_deg.push_back(std::acos(std::max(-1.0, cosine)) * 180 / std::numbers::pi);
    found.is_sharp.push_back(cosine < sharp);
  });
  return found;
}

/// Closes gaps, starting at free ends of sharp lines.
class Bridges {
public:
  Bridges(const Surface& surface, const Candidates& found) : surface_(surface), found_(found) {}

  /// The faded edges from a free end, as straight as possible, to the next sharp line; empty if there is none.
  [[nodiscard]] std::vector<std::int32_t> from(std::int32_t vertex, double longest_m) const {
    std::vector<std::int32_t> path;
    std::int32_t last = sharp_edge_at(vertex);
    Vec3 direction = -towards(vertex, last).normalized();
    for (double length = 0; length <= longest_m;) {
      const std::int32_t next = straightest(vertex, last, direction);
      if (next < 0) return {};
      length += towards(vertex, next).norm();
      direction = towards(vertex, next).normalized();
      path.push_back(next);
      vertex = other_end(vertex, next), last = next;
      if (num_sharp(vertex) > 0) return path;
    }
    return {};
  }

  [[nodiscard]] int num_sharp(std::int32_t vertex) const {
    int count = 0;
    for (const auto e : found_.at[vertex]) count += found_.is_sharp[e];
    return count;
  }

private:
  [[nodiscard]] std::int32_t other_end(std::int32_t vertex, std::int32_t edge) const {
    return found_.edges[edge][0] == vertex ? found_.edges[edge][1] : found_.edges[edge][0];
  }
  [[nodiscard]] Vec3 towards(std::int32_t vertex, std::int32_t edge) const {
    return surface_.vertices[other_end(vertex, edge)] - surface_.vertices[vertex];
  }
  [[nodiscard]] std::int32_t sharp_edge_at(std::int32_t vertex) const {
    for (const auto e : found_.at[vertex])
      if (found_.is_sharp[e]) return e;
    return -1;
  }
  [[nodiscard]] std::int32_t straightest(std::int32_t vertex, std::int32_t last, const Vec3& direction) const {
    std::int32_t best = -1;
    double most = kLeastCosine;
    for (const auto e : found_.at[vertex]) {
      const double cosine = towards(vertex, e).normalized().dot(direction);
      if (e != last && cosine > most) best = e, most = cosine;
    }
    return best;
  }

  const Surface& surface_;
  const Candidates& found_;
};

}  // namespace

SharpEdges sharp_edges(const Surface& surface, double angle_deg, double longest_gap_m) {
  const Candidates found = candidates(surface, angle_deg);
  const Bridges bridges(surface, found);
  std::vector<bool> is_taken = found.is_sharp;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(surface.vertices.size()); ++v)
    if (bridges.num_sharp(v) == 1)
      for (const auto e : bridges.from(v, longest_gap_m)) is_taken[e] = true;
  SharpEdges sharp;
  for (std::size_t e = 0; e < found.edges.size(); ++e) {
    if (!is_taken[e]) continue;
    sharp.edges.push_back(found.edges[e]);
    sharp.turn_deg.push_back(found.turn_deg[e]);
  }
  return sharp;
}

}  // namespace brisance::mesh
