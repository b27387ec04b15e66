#include "mesh/surface/surface_edges.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace brisance::mesh {

std::vector<EdgeSide> edge_sides(const Surface& surface) {
  std::vector<EdgeSide> sides;
  sides.reserve(3 * surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const std::int32_t from = surface.triangles[t][i], to = surface.triangles[t][(i + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), static_cast<std::int32_t>(t), from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const EdgeSide& a, const EdgeSide& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

void for_each_edge(std::span<const EdgeSide> sides, const std::function<void(std::span<const EdgeSide>)>& visit) {
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin + 1;
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high) ++end;
    visit(sides.subspan(begin, end - begin));
    begin = end;
  }
}

double solid_angle(const Vec3& from, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = a - from, v = b - from, w = c - from;
  const double lu = u.norm(), lv = v.norm(), lw = w.norm();
  return 2 * std::atan2(u.cross(v).dot(w), lu * lv * lw + u.dot(v) * lw + v.dot(w) * lu + w.dot(u) * lv);
}

}  // namespace brisance::mesh
