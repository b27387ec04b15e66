#include "exports/skin/outline.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace brisance::exports {
namespace {

enum class Role : std::uint8_t { corner, leaves, enters };

struct RingPoint {
  PointName name;
  Role role;
};

double twice_area(const Polygon& polygon, const PlaneOf& plane) {
  double sum = 0;
  const Eigen::Vector2d origin = plane(polygon.front());
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Eigen::Vector2d a = plane(polygon[i]) - origin, b = plane(polygon[(i + 1) % polygon.size()]) - origin;
    sum += a.x() * b.y() - a.y() * b.x();
  }
  return sum;
}

/// The stretches by where they begin; each is taken once.
class Stretches {
public:
  explicit Stretches(std::span<const Stretch> all) : left_(all.size()) {
    for (const Stretch& one : all) from_[one.from].push_back(one.to);
  }
  [[nodiscard]] std::optional<PointName> take(PointName from) {
    const auto found = from_.find(from);
    if (found == from_.end() || found->second.empty()) return std::nullopt;
    const PointName to = found->second.back();
    found->second.pop_back();
    --left_;
    return to;
  }
  [[nodiscard]] std::size_t left() const { return left_; }

private:
  std::unordered_map<PointName, std::vector<PointName>> from_;
  std::size_t left_;
};

std::vector<RingPoint> ring_of(const TriangleCuts& cuts) {
  std::vector<RingPoint> ring;
  for (std::size_t k = 0; k < 3; ++k) {
    ring.push_back({cuts.corners[k], Role::corner});
    for (const EdgeCrossing& c : cuts.on_edges[k]) ring.push_back({c.point, c.leaves ? Role::leaves : Role::enters});
  }
  return ring;
}

/// Follows the ring and the curves from one entry on, until it is back; false if a curve ends on the way.
bool follow(const std::vector<RingPoint>& ring, std::size_t entry, Stretches& stretches, std::vector<char>& used,
            Polygon& polygon) {
  std::unordered_map<PointName, std::size_t> entries;
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (ring[i].role == Role::enters) entries.emplace(ring[i].name, i);
  std::size_t at = entry;
  do {
    used[at] = 1;
    polygon.push_back(ring[at].name);
    do {
      at = (at + 1) % ring.size();
      if (ring[at].role == Role::enters) return false;
      polygon.push_back(ring[at].name);
    } while (ring[at].role == Role::corner);
    PointName point = ring[at].name;
    for (bool is_on_ring = false; !is_on_ring;) {
      const auto next = stretches.take(point);
      if (!next) return false;
      point = *next;
      const auto found = entries.find(point);
      is_on_ring = found != entries.end();
      if (is_on_ring) at = found->second;
      if (!is_on_ring) polygon.push_back(point);
    }
    if (at != entry && used[at] != 0) return false;
  } while (at != entry);
  return true;
}

/// Closed curves inside the triangle, of the stretches that are left.
bool follow_loops(const TriangleCuts& cuts, Stretches& stretches, std::vector<Polygon>& loops) {
  for (const Stretch& first : cuts.stretches) {
    const auto next = stretches.left() > 0 ? stretches.take(first.from) : std::nullopt;
    if (!next) continue;
    Polygon& loop = loops.emplace_back(Polygon{first.from});
    for (PointName point = *next; point != first.from;) {
      loop.push_back(point);
      const auto after = stretches.take(point);
      if (!after) return false;
      point = *after;
    }
  }
  return true;
}

}  // namespace

std::optional<KeptPart> kept_part(const TriangleCuts& cuts, const PlaneOf& plane,
                                  const std::function<bool()>& is_outline_kept) {
  constexpr double kFlat = 1e-13;  // of the triangle's area: a crack that ends in it at both ends
  const std::vector<RingPoint> ring = ring_of(cuts);
  Stretches stretches(cuts.stretches);
  std::vector<char> used(ring.size(), 0);
  KeptPart part;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (ring[i].role != Role::enters || used[i] != 0) continue;
    if (!follow(ring, i, stretches, used, part.outlines.emplace_back())) return std::nullopt;
  }
  const bool is_crossed = ring.size() > 3;
  if (is_crossed && part.outlines.empty()) return std::nullopt;
  std::vector<Polygon> loops;
  if (!follow_loops(cuts, stretches, loops)) return std::nullopt;
  const Polygon whole(cuts.corners.begin(), cuts.corners.end());
  const double flat = kFlat * std::abs(twice_area(whole, plane));
  double largest = 0;
  for (Polygon& loop : loops) {
    const double area = twice_area(loop, plane);
    if (std::abs(area) > std::abs(largest)) largest = area;
    (area > flat ? part.outlines : part.holes).push_back(std::move(loop));
  }
  const bool is_certain = std::abs(largest) > flat;
  if (!is_crossed && (is_certain ? largest < 0 : is_outline_kept())) part.outlines.insert(part.outlines.begin(), whole);
  const auto is_walked = [&](std::size_t k) {
    const auto next = [&](const Polygon& polygon) {
      const auto found = std::ranges::find(polygon, cuts.corners[k]);
      return found != polygon.end() &&
             (found + 1 == polygon.end() ? polygon.front() : *(found + 1)) == cuts.corners[(k + 1) % 3];
    };
    return cuts.on_edges[k].empty() && std::ranges::any_of(part.outlines, next);
  };
  for (std::size_t k = 0; k < 3; ++k) part.whole_edge[k] = is_walked(k);
  return part;
}

}  // namespace brisance::exports
