#include "mesh/surface/weld.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace brisance::mesh {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const noexcept {
    std::uint64_t h = 0;
    for (const std::int64_t i : cell) h = (h ^ static_cast<std::uint64_t>(i)) * 0x9E3779B97F4A7C15ULL;
    return h ^ (h >> 29);
  }
};

/// Union–find over vertices; the root of a cluster is its lexicographically smallest point, in any order of joins.
class Clusters {
public:
  explicit Clusters(const std::vector<Vec3>& points) : points_(points), parent_(points.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t root(std::int32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    if (precedes(b, a)) std::swap(a, b);
    parent_[b] = a;
  }

private:
  [[nodiscard]] bool precedes(std::int32_t a, std::int32_t b) const {
    for (int i = 0; i < 3; ++i)
      if (points_[a][i] != points_[b][i]) return points_[a][i] < points_[b][i];
    return a < b;
  }
  const std::vector<Vec3>& points_;
  std::vector<std::int32_t> parent_;
};

/// Joins every pair of vertices within the tolerance: a grid of cells that wide, each compared with its 26 neighbours.
void join_near(const std::vector<Vec3>& points, double tolerance_m, Clusters& clusters) {
  Vec3 lower = points[0];
  for (const auto& p : points) lower = lower.cwiseMin(p);
  // Equal points share a cell of any width, so exact welding only needs a width that is not zero.
  const double width = tolerance_m > 0 ? tolerance_m : 1;
  std::unordered_map<Cell, std::vector<std::int32_t>, CellHash> grid;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(points.size()); ++v) {
    const Vec3 position = ((points[v] - lower) / width).array().floor();
    const Cell cell{std::llround(position[0]), std::llround(position[1]), std::llround(position[2])};
    for (int n = 0; n < 27; ++n) {
      const auto found = grid.find({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
      if (found == grid.end()) continue;
      for (const std::int32_t other : found->second)
        if ((points[v] - points[other]).norm() <= tolerance_m) clusters.join(v, other);
    }
    auto& here = grid[cell];
    // One point represents all equal ones, so that a thousand copies of a point cost a thousand comparisons.
    if (std::none_of(here.begin(), here.end(), [&](std::int32_t other) { return points[other] == points[v]; }))
      here.push_back(v);
  }
}

}  // namespace

std::int64_t weld_vertices(Surface& surface, double tolerance_m) {
  if (surface.vertices.empty()) return 0;
  Clusters clusters(surface.vertices);
  join_near(surface.vertices, tolerance_m, clusters);

  std::int64_t num_merged = 0;
  std::vector<std::int32_t> new_index(surface.vertices.size(), -1);
  std::vector<Vec3> kept;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(surface.vertices.size()); ++v) {
    const std::int32_t root = clusters.root(v);
    if (root != v) ++num_merged;
    if (new_index[root] < 0) {
      new_index[root] = static_cast<std::int32_t>(kept.size());
      kept.push_back(surface.vertices[root]);
    }
    new_index[v] = new_index[root];
  }
  for (auto& triangle : surface.triangles)
    for (auto& v : triangle) v = new_index[v];
  surface.vertices = std::move(kept);
  return num_merged;
}

std::int64_t remove_unused_vertices(Surface& surface) {
  std::vector<char> used(surface.vertices.size(), 0);
  for (const auto& triangle : surface.triangles)
    for (const std::int32_t v : triangle) used[v] = 1;
  std::vector<std::int32_t> new_index(surface.vertices.size(), -1);
  std::vector<Vec3> kept;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) {
      new_index[v] = static_cast<std::int32_t>(kept.size());
      kept.push_back(surface.vertices[v]);
    }
  const auto num_removed = static_cast<std::int64_t>(surface.vertices.size() - kept.size());
  for (auto& triangle : surface.triangles)
    for (auto& v : triangle) v = new_index[v];
  surface.vertices = std::move(kept);
  return num_removed;
}

}  // namespace brisance::mesh
