#include "mesh/surface/nearest_on_triangles.hpp"

#include <iterator>
#include <vector>

#include <CGAL/AABB_segment_primitive.h>
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

namespace brisance::mesh {
namespace {

using PlainKernel = CGAL::Simple_cartesian<double>;  // used for distances only
using PlainTriangles = std::vector<PlainKernel::Triangle_3>;
using PlainSegments = std::vector<PlainKernel::Segment_3>;
template <class Primitive>
using PlainTree = CGAL::AABB_tree<CGAL::AABB_traits<PlainKernel, Primitive>>;

PlainKernel::Point_3 plain_point(const Vec3& x) { return {x.x(), x.y(), x.z()}; }
Vec3 as_vector(const PlainKernel::Point_3& p) { return {p.x(), p.y(), p.z()}; }

}  // namespace

struct TriangleTree::Tree {
  PlainTriangles triangles;
  PlainTree<CGAL::AABB_triangle_primitive<PlainKernel, PlainTriangles::const_iterator>> boxes;
};

TriangleTree::TriangleTree(std::span<const Vec3> vertices, std::span<const std::array<std::int32_t, 3>> triangles)
    : tree_(std::make_unique<Tree>()) {
  tree_->triangles.reserve(triangles.size());
  for (const auto& [a, b, c] : triangles)
    tree_->triangles.emplace_back(plain_point(vertices[a]), plain_point(vertices[b]), plain_point(vertices[c]));
  tree_->boxes.rebuild(tree_->triangles.cbegin(), tree_->triangles.cend());
  tree_->boxes.accelerate_distance_queries();
}

TriangleTree::~TriangleTree() = default;
TriangleTree::TriangleTree(TriangleTree&&) noexcept = default;

TriangleTree::Found TriangleTree::nearest(const Vec3& x) const {
  const auto [point, triangle] = tree_->boxes.closest_point_and_primitive(plain_point(x));
  return {as_vector(point), static_cast<std::int32_t>(triangle - tree_->triangles.cbegin())};
}

std::vector<std::int32_t> TriangleTree::between(const Vec3& a, const Vec3& b) const {
  std::vector<PlainTriangles::const_iterator> met;
  tree_->boxes.all_intersected_primitives(PlainKernel::Segment_3(plain_point(a), plain_point(b)),
                                          std::back_inserter(met));
  std::vector<std::int32_t> triangles;
  for (const auto& triangle : met) triangles.push_back(static_cast<std::int32_t>(triangle - tree_->triangles.cbegin()));
  return triangles;
}

struct SegmentTree::Tree {
  PlainSegments segments;
  PlainTree<CGAL::AABB_segment_primitive<PlainKernel, PlainSegments::const_iterator>> boxes;
};

SegmentTree::SegmentTree(std::span<const Vec3> vertices, std::span<const std::array<std::int32_t, 2>> segments)
    : tree_(std::make_unique<Tree>()) {
  for (const auto& [a, b] : segments) tree_->segments.emplace_back(plain_point(vertices[a]), plain_point(vertices[b]));
  tree_->boxes.rebuild(tree_->segments.cbegin(), tree_->segments.cend());
  tree_->boxes.accelerate_distance_queries();
}

SegmentTree::~SegmentTree() = default;
SegmentTree::SegmentTree(SegmentTree&&) noexcept = default;

Vec3 SegmentTree::nearest(const Vec3& x) const { return as_vector(tree_->boxes.closest_point(plain_point(x))); }

}  // namespace brisance::mesh
