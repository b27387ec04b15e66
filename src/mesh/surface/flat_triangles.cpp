#include "mesh/surface/flat_triangles.hpp"

#include "mesh/surface/surface_edges.hpp"

#include <algorithm>
#include <set>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

namespace brisance::mesh {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangle = std::array<std::int32_t, 3>;

Kernel::Point_3 exact_point(const Vec3& p) { return {p[0], p[1], p[2]}; }

bool has_repeated_corner(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

bool is_flat(const Surface& surface, const Triangle& t) {
  return CGAL::collinear(exact_point(surface.vertices[t[0]]), exact_point(surface.vertices[t[1]]),
                         exact_point(surface.vertices[t[2]]));
}

/// The position (0, 1, 2) of a flat triangle's corner between the other two.
int middle_corner(const Surface& surface, const Triangle& t) {
  for (int i = 0; i < 2; ++i)
    if (CGAL::collinear_are_ordered_along_line(exact_point(surface.vertices[t[(i + 1) % 3]]),
                                               exact_point(surface.vertices[t[i]]),
                                               exact_point(surface.vertices[t[(i + 2) % 3]])))
      return i;
  return 2;
}

void erase_triangles(Surface& surface, const std::set<std::size_t>& gone) {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    if (!gone.contains(t)) {
      surface.triangles[kept] = surface.triangles[t];
      surface.source_face[kept++] = surface.source_face[t];
    }
  surface.triangles.resize(kept);
  surface.source_face.resize(kept);
}

/// The triangle across the edge (p, q) from `self`; −1 if the edge has not exactly two triangles.
std::int32_t across(const std::vector<EdgeSide>& sides, std::int32_t p, std::int32_t q, std::int32_t self) {
  const auto key = [](const EdgeSide& side) { return std::pair(side.low, side.high); };
  const auto found = std::ranges::equal_range(sides, std::pair(std::min(p, q), std::max(p, q)), {}, key);
  if (found.size() != 2) return -1;
  return found[0].triangle == self ? found[1].triangle : found[0].triangle;
}

/// Splits triangle `t` at edge (p, q) by the vertex m: t keeps p, the result has q. Orientation is kept.
Triangle split_at(Triangle& t, std::int32_t p, std::int32_t q, std::int32_t m) {
  Triangle other = t;
  std::ranges::replace(t, q, m);
  std::ranges::replace(other, p, m);
  return other;
}

/// One pass over the flat triangles: each divides its neighbour across the long edge into two. @return number resolved
std::int64_t resolve_flat(Surface& surface) {
  const auto sides = edge_sides(surface);
  std::vector<char> touched(surface.triangles.size(), 0);
  std::int64_t num_resolved = 0;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(surface.triangles.size()); ++t) {
    const Triangle flat = surface.triangles[t];
    if (touched[t] != 0 || !is_flat(surface, flat)) continue;
    const int middle = middle_corner(surface, flat);
    const std::int32_t m = flat[middle], p = flat[(middle + 1) % 3], q = flat[(middle + 2) % 3];
    const std::int32_t next = across(sides, p, q, t);
    if (next < 0 || touched[next] != 0 || std::ranges::count(surface.triangles[next], m) > 0) continue;
    surface.triangles[t] = split_at(surface.triangles[next], p, q, m);
    surface.source_face[t] = surface.source_face[next];
    touched[t] = touched[next] = 1;
    ++num_resolved;
  }
  return num_resolved;
}

}  // namespace

std::int64_t remove_flat_triangles(Surface& surface) {
  std::set<std::size_t> repeated;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    if (has_repeated_corner(surface.triangles[t])) repeated.insert(t);
  erase_triangles(surface, repeated);
  auto num_removed = static_cast<std::int64_t>(repeated.size());
  // A flat neighbour may need its own neighbour first; strips of more flat triangles than this stay, and the
  // intersection check reports them.
  constexpr int kMostPasses = 32;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const std::int64_t resolved = resolve_flat(surface);
    if (resolved == 0) break;
    num_removed += resolved;
  }
  return num_removed;
}

}  // namespace brisance::mesh
