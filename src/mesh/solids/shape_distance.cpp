#include "mesh/solids/shape_distance.hpp"

#include "mesh/solids/cgal_mesh.hpp"
#include "mesh/solids/operations.hpp"
#include "mesh/solids/target_shape.hpp"

#include <algorithm>
#include <cmath>

#include <CGAL/AABB_segment_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>

namespace brisance::mesh::solids {
namespace {

using Point = CgalKernel::Point_3;
using Triangles = std::vector<CgalKernel::Triangle_3>;
using Lines = std::vector<CgalKernel::Segment_3>;
template <class Primitive>
using TreeOf = CGAL::AABB_tree<CGAL::AABB_traits<CgalKernel, Primitive>>;
using TriangleTree = TreeOf<CGAL::AABB_triangle_primitive<CgalKernel, Triangles::const_iterator>>;
using LineTree = TreeOf<CGAL::AABB_segment_primitive<CgalKernel, Lines::const_iterator>>;

constexpr double kMostParts = 1000;  // parts of a triangle's side

int num_parts(double length, double spacing) {
  return static_cast<int>(std::clamp(std::ceil(length / spacing), 1.0, kMostParts));
}

Triangles triangles_in(const Surface& surface) {
  Triangles triangles;
  for (const auto& [a, b, c] : surface.triangles)
    triangles.emplace_back(as_point(surface.vertices[a]), as_point(surface.vertices[b]), as_point(surface.vertices[c]));
  return triangles;
}

template <class Tree, class Shapes>
double largest_distance(std::span<const Vec3> points, const Shapes& shapes) {
  if (shapes.empty()) return 0;
  Tree tree(shapes.begin(), shapes.end());
  tree.accelerate_distance_queries();
  double largest = 0;
  for (const Vec3& x : points) largest = std::max(largest, tree.squared_distance(as_point(x)));
  return std::sqrt(largest);
}

}  // namespace

std::vector<Vec3> samples(const Surface& surface, double spacing_m) {
  std::vector<Vec3> points;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &p = surface.vertices[a], &q = surface.vertices[b], &r = surface.vertices[c];
    const int n = num_parts(std::max({(q - p).norm(), (r - q).norm(), (p - r).norm()}), spacing_m);
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) points.emplace_back(p + (q - p) * i / n + (r - p) * j / n);
    points.emplace_back((p + q + r) / 3);
  }
  return points;
}

std::vector<Vec3> samples(const Segments& segments, double spacing_m) {
  std::vector<Vec3> points;
  for (const auto& [a, b] : segments) {
    const int n = num_parts((b - a).norm(), spacing_m);
    for (int i = 0; i <= n; ++i) points.emplace_back(a + (b - a) * i / n);
  }
  return points;
}

double largest_distance_m(std::span<const Vec3> points, const Surface& surface) {
  return largest_distance<TriangleTree>(points, triangles_in(surface));
}

double share_farther(const Segments& segments, const Surface& surface, double distance_m, double spacing_m) {
  const TargetShape shape(surface);
  double far = 0, all = 0;
  for (const auto& [a, b] : segments) {
    const double length = (b - a).norm();
    const int n = num_parts(length, spacing_m);
    for (int i = 0; i < n; ++i)
      if (shape.distance_m(a + (b - a) * (i + 0.5) / n) > distance_m) far += length / n;
    all += length;
  }
  return all > 0 ? far / all : 0;
}

double largest_distance_m(std::span<const Vec3> points, const Segments& segments) {
  Lines lines;
  for (const auto& [a, b] : segments) lines.emplace_back(as_point(a), as_point(b));
  return largest_distance<LineTree>(points, lines);
}

double hausdorff_distance_m(const Surface& a, const Surface& b, double spacing_m) {
  return std::max(largest_distance_m(samples(a, spacing_m), b), largest_distance_m(samples(b, spacing_m), a));
}

}  // namespace brisance::mesh::solids
