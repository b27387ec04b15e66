#include "mesh/solids/target_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <CGAL/AABB_segment_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>

namespace brisance::mesh::solids {
namespace {

using Triangles = std::vector<CgalKernel::Triangle_3>;
using Lines = std::vector<CgalKernel::Segment_3>;
template <class Primitive>
using TreeOf = CGAL::AABB_tree<CGAL::AABB_traits<CgalKernel, Primitive>>;

constexpr double kMostParts = 50;  // parts of a triangle's side

}  // namespace

struct TargetShape::Tree {
  Triangles triangles;
  TreeOf<CGAL::AABB_triangle_primitive<CgalKernel, Triangles::const_iterator>> tree;
};

TargetShape::TargetShape(const Surface& surface) : surface_(surface), tree_(std::make_unique<Tree>()) {
  for (const auto& [a, b, c] : surface.triangles)
    tree_->triangles.emplace_back(as_point(surface.vertices[a]), as_point(surface.vertices[b]),
                                  as_point(surface.vertices[c]));
  tree_->tree.rebuild(tree_->triangles.cbegin(), tree_->triangles.cend());
  tree_->tree.accelerate_distance_queries();
}

TargetShape::~TargetShape() = default;

std::optional<Vec3> TargetShape::closest(const Vec3& x, const Vec3& normal) const {
  const auto [point, triangle] = tree_->tree.closest_point_and_primitive(as_point(x));
  const auto& [a, b, c] = surface_.triangles[triangle - tree_->triangles.cbegin()];
  const Vec3 &p = surface_.vertices[a], &q = surface_.vertices[b], &r = surface_.vertices[c];
  if ((q - p).cross(r - p).dot(normal) < 0) return std::nullopt;
  return as_vec3(point);
}

double TargetShape::distance_m(const Vec3& x) const { return std::sqrt(tree_->tree.squared_distance(as_point(x))); }

std::int32_t TargetShape::closest_triangle(const Vec3& x) const {
  const auto nearest = tree_->tree.closest_point_and_primitive(as_point(x)).second;
  return static_cast<std::int32_t>(nearest - tree_->triangles.cbegin());
}

std::vector<Patch> TargetShape::patches(double spacing_m) const {
  std::vector<Patch> patches;
  for (const auto& [a, b, c] : surface_.triangles) {
    const Vec3 &p = surface_.vertices[a], &q = surface_.vertices[b], &r = surface_.vertices[c];
    const Vec3 twice_area = (q - p).cross(r - p);
    if (!(twice_area.norm() > 0)) continue;
    const double longest = std::max({(q - p).norm(), (r - q).norm(), (p - r).norm()});
    const int n = static_cast<int>(std::clamp(std::ceil(longest / spacing_m), 1.0, kMostParts));
    const Vec3 u = (q - p) / n, v = (r - p) / n;
    const auto add = [&](const Vec3& middle) {
      patches.push_back({middle, twice_area.normalized(), twice_area.norm() / 2 / n / n});
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        const Vec3 corner = p + i * u + j * v;
        add(corner + (u + v) / 3);
        if (i + j + 1 < n) add(corner + (u + v) * 2 / 3);
      }
  }
  return patches;
}

struct Polylines::Tree {
  Lines lines;
  TreeOf<CGAL::AABB_segment_primitive<CgalKernel, Lines::const_iterator>> tree;
};

Polylines::Polylines(const Segments& segments) { replace(segments); }

Polylines::~Polylines() = default;

void Polylines::replace(const Segments& segments) {
  tree_ = std::make_unique<Tree>();
  for (const auto& [a, b] : segments) tree_->lines.emplace_back(as_point(a), as_point(b));
  tree_->tree.rebuild(tree_->lines.cbegin(), tree_->lines.cend());
  if (!segments.empty()) tree_->tree.accelerate_distance_queries();
}

Vec3 Polylines::closest(const Vec3& x) const {
  return tree_->lines.empty() ? x : as_vec3(tree_->tree.closest_point(as_point(x)));
}

double Polylines::distance_m(const Vec3& x) const {
  return tree_->lines.empty() ? std::numeric_limits<double>::infinity() : (closest(x) - x).norm();
}

}  // namespace brisance::mesh::solids
