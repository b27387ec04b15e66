#include "mesh/surface/self_intersections.hpp"

#include <algorithm>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/intersections.h>

namespace brisance::mesh {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, std::int32_t>;
using Pair = std::pair<std::int32_t, std::int32_t>;

constexpr std::int64_t kMostPairs = 100'000;
struct Capped {};

Kernel::Point_3 exact_point(const Surface& surface, std::int32_t v) {
  const Vec3& p = surface.vertices[v];
  return {p[0], p[1], p[2]};
}

Kernel::Triangle_3 exact_triangle(const Surface& surface, std::int32_t t) {
  const auto& [a, b, c] = surface.triangles[t];
  return {exact_point(surface, a), exact_point(surface, b), exact_point(surface, c)};
}

/// The corners of two triangles, those they share first.
struct Corners {
  std::array<std::int32_t, 3> first, second;
  int num_shared = 0;
};

Corners shared_first(std::array<std::int32_t, 3> first, std::array<std::int32_t, 3> second) {
  Corners corners{first, second};
  auto& [a, b, n] = corners;
  for (int i = 0; i < 3; ++i)
    for (int j = n; j < 3 && i >= n; ++j)
      if (a[i] == b[j]) {
        std::swap(a[n], a[i]);
        std::swap(b[n], b[j]);
        ++n;
        break;
      }
  return corners;
}

bool intersect_beyond_shared(const Surface& surface, std::int32_t s, std::int32_t t) {
  const auto [a, b, num_shared] = shared_first(surface.triangles[s], surface.triangles[t]);
  const auto point = [&](std::int32_t v) { return exact_point(surface, v); };
  switch (num_shared) {
    case 0:
      return CGAL::do_intersect(exact_triangle(surface, s), exact_triangle(surface, t));
    case 1:  // they meet elsewhere if the side opposite the shared corner of one meets the other
      return CGAL::do_intersect(exact_triangle(surface, s), Kernel::Segment_3(point(b[1]), point(b[2]))) ||
             CGAL::do_intersect(exact_triangle(surface, t), Kernel::Segment_3(point(a[1]), point(a[2])));
    case 2:  // they overlap if folded flat onto each other
      return CGAL::coplanar(point(a[0]), point(a[1]), point(a[2]), point(b[2])) &&
             CGAL::coplanar_orientation(point(a[0]), point(a[1]), point(a[2]), point(b[2])) == CGAL::POSITIVE;
    default:
      return true;
  }
}

/// Calls `visit` with the numbers of each pair; a flat triangle is a pair with itself.
template <class Visit>
void for_each_pair(const Surface& surface, const Visit& visit) {
  std::vector<Box> boxes;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(surface.triangles.size()); ++t) {
    const auto triangle = exact_triangle(surface, t);
    if (triangle.is_degenerate())
      visit(t, t);
    else
      boxes.emplace_back(triangle.bbox(), t);
  }
  CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& s, const Box& t) {
    if (intersect_beyond_shared(surface, s.info(), t.info())) visit(s.info(), t.info());
  });
}

Pair ordered(std::int32_t s, std::int32_t t) { return s < t ? Pair{s, t} : Pair{t, s}; }

}  // namespace

SelfIntersections find_self_intersections(const Surface& surface) {
  SelfIntersections found;
  Pair first{std::numeric_limits<std::int32_t>::max(), 0};
  try {
    for_each_pair(surface, [&](std::int32_t s, std::int32_t t) {
      first = std::min(first, ordered(s, t));
      if (++found.num_pairs >= kMostPairs) throw Capped{};
    });
  } catch (const Capped&) {
    found.capped = true;
  }
  if (found.num_pairs > 0) {
    const auto& [a, b, c] = surface.triangles[first.first];
    found.place = (surface.vertices[a] + surface.vertices[b] + surface.vertices[c]) / 3;
  }
  return found;
}

std::vector<Pair> intersecting_pairs(const Surface& surface) {
  std::vector<Pair> pairs;
  for_each_pair(surface, [&](std::int32_t s, std::int32_t t) { pairs.push_back(ordered(s, t)); });
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace brisance::mesh
