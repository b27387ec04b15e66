#include "mesh/surface/polygon_fill.hpp"

#include "brisance/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_face_base_with_info_2.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>

namespace brisance::mesh {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Vertices = CGAL::Triangulation_vertex_base_with_info_2<std::int32_t, Kernel>;
using Outside =
    CGAL::Triangulation_face_base_with_info_2<bool, Kernel, CGAL::Constrained_triangulation_face_base_2<Kernel>>;
using Lattice =
    CGAL::Constrained_Delaunay_triangulation_2<Kernel, CGAL::Triangulation_data_structure_2<Vertices, Outside>>;

constexpr double kJitter = 0.15;  // over the edge length, either way
constexpr double kClearance =
    0.55;  // over the edge length: lattice points nearer to the outline would make flat triangles

double squared_distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 ab = b - a;
  const double t = std::clamp((p - a).dot(ab) / ab.squaredNorm(), 0.0, 1.0);
  return (a + t * ab - p).squaredNorm();
}

constexpr std::size_t kLongLoop = 5000;

/// Is the point inside (even-odd rule) and at least the clearance away from the outline?
bool well_inside(const Vec2& p, std::span<const Vec2> loop, double clearance) {
  bool inside = false;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    if (squared_distance_to_segment(p, a, b) < clearance * clearance) return false;
    if ((a.y() > p.y()) != (b.y() > p.y()) && p.x() < a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
      inside = !inside;
  }
  return inside;
}

/// Rows of equilateral triangles fitted to the bounding box, with every point jittered.
std::vector<Vec2> jittered_lattice(std::span<const Vec2> loop, double edge, std::uint64_t seed) {
  Vec2 low = loop[0], high = loop[0];
  for (const Vec2& p : loop) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const auto columns = std::max<std::int64_t>(1, std::llround((high.x() - low.x()) / edge));
  const auto rows = std::max<std::int64_t>(1, std::llround((high.y() - low.y()) / (edge * std::sqrt(0.75))));
  const double dx = (high.x() - low.x()) / static_cast<double>(columns);
  const double dy = (high.y() - low.y()) / static_cast<double>(rows);
  std::vector<Vec2> points;
  for (std::int64_t row = 1; row < rows; ++row)
    for (std::int64_t column = 0; column <= columns; ++column) {
      const auto id = static_cast<std::uint64_t>(row * (columns + 1) + column);
      const Vec2 shift(core::hash_uniform(seed, id, 0) * 2 - 1, core::hash_uniform(seed, id, 1) * 2 - 1);
      const double x = static_cast<double>(column) + (row % 2 == 1 ? 0.5 : 0.0);
      const Vec2 p = low + Vec2(x * dx, static_cast<double>(row) * dy) + kJitter * edge * shift;
      if (well_inside(p, loop, kClearance * edge)) points.push_back(p);
    }
  return points;
}

/// Insertion order of the outline's points: as given; for a long outline along its longer side, so that each lies
/// beside the one before. In order around a long thin outline every point of the second side would flip all triangles
/// left of the first.
std::vector<std::int32_t> insertion_order(std::span<const Vec2> loop) {
  std::vector<std::int32_t> order(loop.size());
  std::iota(order.begin(), order.end(), 0);
  if (loop.size() <= kLongLoop) return order;  // keeps the order of the triangles, which depends on it
  Eigen::AlignedBox2d box;
  for (const Vec2& p : loop) box.extend(p);
  const int axis = box.sizes().x() >= box.sizes().y() ? 0 : 1;
  std::ranges::stable_sort(order, {}, [&](std::int32_t i) { return loop[i][axis]; });
  return order;
}

/// Flood fill from infinity up to the outline.
void mark_outside(Lattice& triangulation) {
  for (auto face : triangulation.all_face_handles()) face->info() = false;
  std::vector<Lattice::Face_handle> front{triangulation.infinite_face()};
  front.back()->info() = true;
  while (!front.empty()) {
    const auto face = front.back();
    front.pop_back();
    for (int i = 0; i < 3; ++i) {
      const auto next = face->neighbor(i);
      if (next->info() || face->is_constrained(i)) continue;
      next->info() = true;
      front.push_back(next);
    }
  }
}

}  // namespace

PolygonFill fill_polygon(std::span<const Vec2> loop, double edge_length_m, std::uint64_t seed) {
  PolygonFill fill;
  fill.inner = jittered_lattice(loop, edge_length_m, seed);

  Lattice triangulation;
  std::vector<Lattice::Vertex_handle> corners(loop.size());
  Lattice::Face_handle near;
  const auto insert = [&](const Vec2& p, std::int32_t number) {
    const auto vertex = triangulation.insert({p.x(), p.y()}, near);
    vertex->info() = number;
    if (loop.size() > kLongLoop) near = vertex->face();
    return vertex;
  };
  for (const std::int32_t i : insertion_order(loop)) corners[i] = insert(loop[i], i);
  for (std::size_t i = 0; i < corners.size(); ++i)
    triangulation.insert_constraint(corners[i], corners[(i + 1) % corners.size()]);
  for (std::size_t i = 0; i < fill.inner.size(); ++i) insert(fill.inner[i], static_cast<std::int32_t>(loop.size() + i));

  mark_outside(triangulation);
  for (auto face : triangulation.finite_face_handles())
    if (!face->info())
      fill.triangles.push_back({face->vertex(0)->info(), face->vertex(1)->info(), face->vertex(2)->info()});
  return fill;
}

}  // namespace brisance::mesh
