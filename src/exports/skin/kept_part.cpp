#include "exports/skin/outline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

namespace brisance::exports {
namespace {

double twice_area(const Polygon& polygon, const PlaneOf& plane) {
  double sum = 0;
  const Eigen::Vector2d origin = plane(polygon.front());
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d a = plane(polygon[i]) - origin, b = plane(polygon[(i + 1) % polygon.size()]) - origin;
    sum += a.x() * b.y() - a.y() * b.x();
  }
  return sum;
}

double length(const Polygon& polygon, const PlaneOf& plane) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    sum += (plane(polygon[(i + 1) % polygon.size()]) - plane(polygon[i])).norm();
  return sum;
}

/// The boundary of what is kept as directed stretches; each is walked once.
class Boundary {
public:
  /// Adds a stretch so many times; the other way round if negative.
  void add(PointName from, PointName to, int times) {
    if (times < 0) std::swap(from, to);
    for (int i = 0; i < std::abs(times); ++i) {
      from_[from].push_back(to);
      --balance_[from];
      ++balance_[to];
    }
  }
  [[nodiscard]] bool is_closed() const {
    return std::ranges::all_of(balance_, [](const auto& point) { return point.second == 0; });
  }
  /// Walks from a point until it is back; empty if nothing is left there. Of a closed boundary.
  [[nodiscard]] Polygon walk(PointName start) {
    Polygon polygon;
    PointName at = start;
    do {
      const auto found = from_.find(at);
      if (found == from_.end() || found->second.empty()) return polygon;
      polygon.push_back(at);
      at = found->second.back();
      found->second.pop_back();
    } while (at != start);
    return polygon;
  }

private:
  std::unordered_map<PointName, std::vector<PointName>> from_;
  std::unordered_map<PointName, int> balance_;
};

/// Adds what is kept of the triangle's edges, and the points on them to `ring`; false if the winding numbers of the
/// corners are others than the crossings between them say.
bool add_edges(const TriangleCuts& cuts, Boundary& boundary, Polygon& ring) {
  for (std::size_t k = 0; k < 3; ++k) {
    int times = cuts.times[k];
    PointName before = cuts.corners[k];
    ring.push_back(before);
    for (const EdgeCrossing& crossing : cuts.on_edges[k]) {
      boundary.add(before, crossing.point, times);
      times += crossing.leaves ? -1 : 1;
      before = crossing.point;
      ring.push_back(before);
    }
    boundary.add(before, cuts.corners[(k + 1) % 3], times);
    if (times != cuts.times[(k + 1) % 3]) return false;
  }
  return true;
}

}  // namespace

std::optional<KeptPart> kept_part(const TriangleCuts& cuts, const PlaneOf& plane) {
  constexpr double kFlat = 1e-14;  // of size and length: a crack that ends in the triangle at both ends
  Boundary boundary;
  Polygon ring;
  if (!add_edges(cuts, boundary, ring)) return std::nullopt;
  for (const Stretch& stretch : cuts.stretches) boundary.add(stretch.from, stretch.to, 1);
  if (!boundary.is_closed()) return std::nullopt;

  KeptPart part;
  for (const PointName start : ring)
    for (Polygon outline = boundary.walk(start); !outline.empty(); outline = boundary.walk(start))
      part.outlines.push_back(std::move(outline));
  const Polygon whole(cuts.corners.begin(), cuts.corners.end());
  const double flat = kFlat * length(whole, plane);
  for (const Stretch& stretch : cuts.stretches)  // curves that do not reach the edges
    for (Polygon loop = boundary.walk(stretch.from); !loop.empty(); loop = boundary.walk(stretch.from))
      (twice_area(loop, plane) > flat * length(loop, plane) ? part.outlines : part.holes).push_back(std::move(loop));
  for (std::size_t k = 0; k < 3; ++k) part.whole_edge[k] = cuts.on_edges[k].empty() ? cuts.times[k] : 0;
  return part;
}

}  // namespace brisance::exports
