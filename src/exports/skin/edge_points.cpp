#include "exports/skin/edge_points.hpp"

#include <algorithm>
#include <utility>

namespace brisance::exports {
namespace {

std::vector<Triangle> single_points(std::size_t count) {
  std::vector<Triangle> points;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(count); ++i) points.push_back({i, i, i});
  return points;
}

}  // namespace

PlacesOnEdges::PlacesOnEdges(std::vector<Vec3> places)
    : places_(std::move(places)), search_(places_, single_points(places_.size())) {}

std::vector<PlacesOnEdges::Found> PlacesOnEdges::on_edge(const Vec3& a, const Vec3& b) const {
  constexpr double kNear = 1e-7;  // over the edge's length
  const Vec3 edge = b - a;
  const double length = edge.norm();
  Eigen::AlignedBox3d box(a);
  box.extend(b);
  box.min().array() -= kNear * length;
  box.max().array() += kNear * length;
  std::vector<Found> found;
  search_.each_in(box, [&](std::int32_t i) {
    const Vec3 from_a = place(i) - a;
    const double along = from_a.dot(edge) / (length * length);
    if (along > kNear && along < 1 - kNear && (from_a - along * edge).norm() <= kNear * length)
      found.push_back({along, i});
  });
  std::ranges::sort(found, {}, [](const Found& f) { return std::pair(f.along, f.place); });
  return found;
}

std::uint64_t undirected_edge(std::int32_t a, std::int32_t b) {
  return (static_cast<std::uint64_t>(std::min(a, b)) << 32) | static_cast<std::uint32_t>(std::max(a, b));
}

bool divide_triangle(const Triangle& corners, const DividedEdges& divided, std::vector<Triangle>& parts) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::int32_t a = corners[k], b = corners[(k + 1) % 3], apex = corners[(k + 2) % 3];
    const auto found = divided.find(undirected_edge(a, b));
    if (found == divided.end()) continue;
    std::vector<std::int32_t> chain = found->second;
    if (a > b) std::ranges::reverse(chain);
    chain.push_back(b);
    std::int32_t before = a;
    for (const std::int32_t next : chain) {
      const Triangle part{before, next, apex};
      if (!divide_triangle(part, divided, parts)) parts.push_back(part);
      before = next;
    }
    return true;
  }
  return false;
}

}  // namespace brisance::exports
