#include "exports/skin/triangle_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <unsupported/Eigen/BVH>

namespace brisance::exports {
namespace {

using Boxes = Eigen::KdBVH<double, 3, std::int32_t>;

struct InBox {
  const Eigen::AlignedBox3d& box;
  const std::vector<Eigen::AlignedBox3d>& boxes;
  const std::function<void(std::int32_t)>& visit;

  [[nodiscard]] bool intersectVolume(const Boxes::Volume& volume) const { return volume.intersects(box); }
  [[nodiscard]] bool intersectObject(std::int32_t triangle) const {
    if (boxes[static_cast<std::size_t>(triangle)].intersects(box)) visit(triangle);
    return false;
  }
};

}  // namespace

NearPoint nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& x) {
  const Vec3 u = corners[1] - corners[0], v = corners[2] - corners[0], w = x - corners[0];
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), wu = w.dot(u), wv = w.dot(v);
  const double area = uu * vv - uv * uv;
  NearPoint best;
  best.distance_squared = std::numeric_limits<double>::infinity();
  const auto offer = [&](double b, double c) {
    const Vec3 point = corners[0] + b * u + c * v;
    const double distance = (x - point).squaredNorm();
    if (distance < best.distance_squared) best = {point, {1 - b - c, b, c}, distance};
  };
  if (area > 0) {
    const double b = (vv * wu - uv * wv) / area, c = (uu * wv - uv * wu) / area;
    if (b >= 0 && c >= 0 && b + c <= 1) {
      offer(b, c);
      return best;
    }
  }
  const auto share = [](double along, double length_squared) {
    return length_squared > 0 ? std::clamp(along / length_squared, 0.0, 1.0) : 0.0;
  };
  offer(share(wu, uu), 0);
  offer(0, share(wv, vv));
  const Vec3 edge = v - u;
  const double s = share((w - u).dot(edge), edge.squaredNorm());
  offer(1 - s, s);
  return best;
}

struct TriangleSearch::Tree {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  std::vector<Eigen::AlignedBox3d> boxes;
  Boxes bvh;

  [[nodiscard]] std::array<Vec3, 3> corners(std::int32_t t) const {
    const auto& [a, b, c] = triangles[static_cast<std::size_t>(t)];
    return {points[a], points[b], points[c]};
  }
};

TriangleSearch::TriangleSearch(std::span<const Vec3> points, std::span<const Triangle> triangles)
    : tree_(std::make_unique<Tree>()) {
  tree_->points.assign(points.begin(), points.end());
  tree_->triangles.assign(triangles.begin(), triangles.end());
  for (const auto& [a, b, c] : triangles) {
    Eigen::AlignedBox3d box(points[a]);
    tree_->boxes.push_back(box.extend(points[b]).extend(points[c]));
  }
  std::vector<std::int32_t> numbers(triangles.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  tree_->bvh.init(numbers.begin(), numbers.end(), tree_->boxes.begin(), tree_->boxes.end());
}

TriangleSearch::~TriangleSearch() = default;
TriangleSearch::TriangleSearch(TriangleSearch&&) noexcept = default;

void TriangleSearch::each_in(const Eigen::AlignedBox3d& box, const std::function<void(std::int32_t)>& visit) const {
  if (tree_->triangles.empty()) return;
  InBox query{box, tree_->boxes, visit};
  Eigen::BVIntersect(tree_->bvh, query);
}

namespace {

struct Nearest {
  using Scalar = double;
  const Vec3& x;
  const std::function<bool(std::int32_t)>& accepted;
  const std::function<std::array<Vec3, 3>(std::int32_t)>& corners;
  TriangleSearch::Found best{};

  [[nodiscard]] double minimumOnVolume(const Boxes::Volume& volume) const { return volume.squaredExteriorDistance(x); }
  double minimumOnObject(std::int32_t triangle) {
    if (accepted && !accepted(triangle)) return std::numeric_limits<double>::infinity();
    const NearPoint at = nearest_on_triangle(corners(triangle), x);
    const bool is_nearer = best.triangle < 0 || at.distance_squared < best.at.distance_squared ||
                           (at.distance_squared == best.at.distance_squared && triangle < best.triangle);
    if (is_nearer) best = {triangle, at};
    return at.distance_squared;
  }
};

}  // namespace

TriangleSearch::Found TriangleSearch::nearest(const Vec3& x, const std::function<bool(std::int32_t)>& accepted) const {
  if (tree_->triangles.empty()) return {};
  const std::function<std::array<Vec3, 3>(std::int32_t)> corners = [this](std::int32_t t) { return tree_->corners(t); };
  Nearest query{x, accepted, corners};
  (void)Eigen::BVMinimize(tree_->bvh, query);
  return query.best;
}

}  // namespace brisance::exports
